package dev.catnap.samples.demo

/** What follows a word that stands directly before a quote or a hash sign, and belongs to it. */
sealed interface Prefixed {
    /** A literal like one without the prefix: `b'x'` in Rust, `f"..."` in Python. */
    data object Plain : Prefixed

    /** A string with rules of its own: `s"..."` in Scala. */
    class Literal(val kind: StringKind) : Prefixed

    /**
     * A string that ends at [closing] and nowhere else, after an opening of [opening] characters.
     */
    class Raw(val opening: Int, val closing: String) : Prefixed

    /** A name that would be a keyword without its prefix: `r#type` in Rust. */
    data object Name : Prefixed

    companion object {
        private val python = setOf("r", "b", "u", "f", "t", "br", "rb", "fr", "rf", "tr", "rt")
        private val scala = StringKind('"', template = Template.NAMES)
        private val scalaTriple =
            StringKind(
                '"',
                triple = true,
                escapes = false,
                template = Template.NAMES,
                closesLate = true,
            )

        /**
         * What [word] and the text from [at] on are together, or null if the word is just a word.
         */
        fun of(prefixes: Prefixes, word: String, text: CharArray, at: Int, end: Int): Prefixed? =
            when (prefixes) {
                Prefixes.NONE -> null
                Prefixes.C -> ofC(word, text, at, end)
                Prefixes.RUST -> ofRust(word, text, at, end)
                Prefixes.PYTHON ->
                    if (text[at] != '#' && word.lowercase() in python) Plain else null
                Prefixes.SCALA ->
                    when {
                        text[at] != '"' -> null
                        at + 2 < end && text[at + 1] == '"' && text[at + 2] == '"' ->
                            Literal(scalaTriple)
                        else -> Literal(scala)
                    }
            }

        private fun ofC(word: String, text: CharArray, at: Int, end: Int): Prefixed? =
            when (word) {
                "L",
                "u",
                "U",
                "u8" -> if (text[at] == '#') null else Plain
                "R",
                "LR",
                "uR",
                "UR",
                "u8R" -> {
                    // R"delimiter( ... )delimiter", the delimiter at most 16 characters and often
                    // empty
                    val parenthesis = (at..minOf(at + 17, end - 1)).firstOrNull { text[it] == '(' }
                    if (text[at] != '"' || parenthesis == null) {
                        null
                    } else {
                        val delimiter = String(text, at + 1, parenthesis - at - 1)
                        Raw(parenthesis - at + 1, ")$delimiter\"")
                    }
                }
                else -> null
            }

        private fun ofRust(word: String, text: CharArray, at: Int, end: Int): Prefixed? =
            when (word) {
                "b",
                "c" -> if (text[at] == '#') null else Plain
                "r",
                "br",
                "cr" -> {
                    var quote = at
                    while (quote < end && text[quote] == '#') {
                        quote++
                    }
                    when {
                        quote < end && text[quote] == '"' ->
                            Raw(quote - at + 1, "\"" + "#".repeat(quote - at))
                        word == "r" && quote == at + 1 -> Name
                        else -> null
                    }
                }
                else -> null
            }
    }
}
