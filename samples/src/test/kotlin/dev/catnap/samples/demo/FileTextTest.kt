package dev.catnap.samples.demo

import java.io.IOException
import java.io.InputStream
import java.nio.charset.CharacterCodingException
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Test

class FileTextTest {
    private val text = FileText()

    private fun read(bytes: ByteArray): String {
        text.read(bytes.inputStream())
        text.decode()
        return String(text.characters, 0, text.length)
    }

    @Test
    fun oneFileAfterTheOther() {
        for (expected in listOf("", "abc", "größe 変数 😀", "x".repeat(1_000_000), "ab")) {
            assertEquals(expected, read(expected.toByteArray()))
        }
    }

    @Test fun byteOrderMarkIsNoText() = assertEquals("a", read("\uFEFFa".toByteArray()))

    @Test
    fun otherEncodingsAreRefused() {
        assertThrows(CharacterCodingException::class.java) { read(byteArrayOf(97, -23)) }
        assertThrows(CharacterCodingException::class.java) { read(byteArrayOf(-23, 97)) }
        assertEquals("a", read("a".toByteArray()))
    }

    @Test
    fun endlessFileIsRefused() {
        val endless =
            object : InputStream() {
                override fun read() = 'a'.code

                override fun read(into: ByteArray, from: Int, n: Int): Int = n
            }
        val e = assertThrows(IOException::class.java) { text.read(endless) }
        assertEquals("larger than 32 MiB", e.message)
    }
}
