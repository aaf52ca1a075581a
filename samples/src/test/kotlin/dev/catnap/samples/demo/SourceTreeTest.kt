package dev.catnap.samples.demo

import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.createDirectories
import kotlin.io.path.createDirectory
import kotlin.io.path.createSymbolicLinkPointingTo
import kotlin.io.path.writeBytes
import kotlin.io.path.writeText
import org.junit.jupiter.api.Assertions.assertArrayEquals
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir

/** What a walk finds, and what it says where it cannot. */
class SourceTreeTest {
    @TempDir lateinit var root: Path

    private fun walk() = SourceTree.open("$root").use { it.walk().toList() }

    private fun messageFor(path: String) =
        checkNotNull(assertThrows(BadPath::class.java) { SourceTree.open(path) }.message)

    @Test
    fun directory_sourcesOthersAndProblems() {
        root.resolve("a/b").createDirectories().resolve("X.java").writeText("class X {}")
        root.resolve("a/notes.txt").writeText("no source")
        root.resolve("Directory.java").createDirectory().resolve("y.kt").writeText("val y = 1")
        root.resolve("Link.java").createSymbolicLinkPointingTo(Path.of("nowhere"))
        root.resolve("Loop.java").createSymbolicLinkPointingTo(root)
        val found = walk().associateBy { it.name }
        assertEquals(
            setOf("a/b/X.java", "a/notes.txt", "Directory.java/y.kt", "Link.java", "Loop.java"),
            found.keys,
        )
        assertArrayEquals(
            "class X {}".toByteArray(),
            (found["a/b/X.java"] as Found.Source).open().use { it.readBytes() },
        )
        assertTrue(found["a/notes.txt"] is Found.Other)
        assertTrue(found["Loop.java"] is Found.Other)
        assertEquals(
            "no such file, or a link that leads nowhere",
            (found["Link.java"] as Found.Problem).reason,
        )
    }

    @Test
    fun noSuchPath() {
        assertTrue("there is no such file or directory" in messageFor("$root/missing"))
    }

    @Test
    fun pathThatIsNoText() {
        assertTrue("not a path" in messageFor("a\u0000b"))
    }

    @Test
    fun fileInNoKnownLanguage() {
        root.resolve("notes.txt").writeText("no source")
        assertTrue("not a source file that this program knows" in messageFor("$root/notes.txt"))
    }

    @Test
    fun fileThatIsNoZip() {
        root.resolve("broken.zip").writeBytes(ByteArray(100))
        assertTrue("not a zip file that can be read" in messageFor("$root/broken.zip"))
    }

    @Test
    fun singleFile() {
        val file = Files.writeString(root.resolve("x.py"), "x = 1")
        val found = SourceTree.open("$file").use { it.walk().toList() }
        assertEquals(listOf("x.py"), found.map { it.name })
    }
}
