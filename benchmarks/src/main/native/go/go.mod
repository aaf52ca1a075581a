module dev.catnap/native

go 1.19
