package dev.catnap.samples.demo

import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.CsvSource

class OptionsTest {
    @Test
    fun allOfThem() =
        assertEquals(
            Options("src", rounds = 1, port = 80, clients = 2, rate = 3, workers = 4, serve = true),
            Options.parse(
                "--rounds 1 --port 80 src --clients 2 --rate 3 --workers 4 --serve".split(' ')
            ),
        )

    @ParameterizedTest
    @CsvSource(
        "--port,                a number is missing",
        "--port 70000,          a number from 0 to 65535",
        "--rounds x,            a number from 1 to 99",
        "--fast,                there is no option --fast",
        "a b,                   one PATH only",
    )
    fun wrongOnesAreNamed(line: String, message: String) {
        val e = assertThrows(BadOption::class.java) { Options.parse(line.split(' ')) }
        assertTrue(message in "${e.message}", e.message)
    }
}
