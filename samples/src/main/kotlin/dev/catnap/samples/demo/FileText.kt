package dev.catnap.samples.demo

import java.io.IOException
import java.io.InputStream
import java.nio.ByteBuffer
import java.nio.CharBuffer

/** The text of one file, in buffers that the next file uses again. Not thread-safe. */
class FileText {
    private var bytes = ByteArray(FIRST_SIZE)
    private var decoded = CharBuffer.allocate(FIRST_SIZE)
    private val decoder = Charsets.UTF_8.newDecoder()

    /** In bytes. */
    var size = 0
        private set

    /** The text is the first [length] of these. */
    val characters: CharArray
        get() = decoded.array()

    val length: Int
        get() = decoded.position()

    /** Reads a whole file; blocks, and throws [IOException]. */
    fun read(file: InputStream) {
        size = 0
        while (true) {
            size += file.readNBytes(bytes, size, bytes.size - size)
            when {
                size < bytes.size -> return
                size >= LARGEST -> throw IOException("larger than ${LARGEST shr 20} MiB")
                else -> bytes = bytes.copyOf(2 * size)
            }
        }
    }

    /**
     * Turns what was read into characters; throws [java.nio.charset.CharacterCodingException]. It
     * is strict, since a file in some other encoding would put nonsense into the index.
     */
    fun decode() {
        if (decoded.capacity() < size) {
            decoded = CharBuffer.allocate(bytes.size) // a character has at least one byte
        }
        decoder.reset()
        val result = decoder.decode(ByteBuffer.wrap(bytes, 0, size), decoded.clear(), true)
        if (result.isError) {
            result.throwException()
        }
        decoder.flush(decoded)
        if (decoded.position() > 0 && decoded[0] == BYTE_ORDER_MARK) {
            decoded.flip().position(1).compact()
        }
    }

    private companion object {
        const val FIRST_SIZE = 1 shl 16

        /** No source file that a person wrote is larger, and a few of these fit into any heap. */
        const val LARGEST = 32 shl 20
        const val BYTE_ORDER_MARK = '\uFEFF'
    }
}
