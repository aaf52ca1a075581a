package dev.catnap.samples.demo

import java.io.IOException
import java.io.InputStream
import java.nio.file.Files
import java.nio.file.InvalidPathException
import java.nio.file.LinkOption.NOFOLLOW_LINKS
import java.nio.file.NoSuchFileException
import java.nio.file.Path
import java.util.zip.ZipException
import java.util.zip.ZipFile
import kotlin.io.path.Path
import kotlin.io.path.isDirectory
import kotlin.io.path.isReadable
import kotlin.io.path.isRegularFile
import kotlin.io.path.name
import kotlin.io.path.notExists
import kotlin.io.path.pathString

/** What a walk through a tree comes across. */
sealed interface Found {
    /** Relative to the tree, for messages. */
    val name: String

    /** A file in a known language; [open] blocks, and throws [IOException]. */
    class Source(
        override val name: String,
        val language: Language,
        val open: () -> InputStream,
    ) : Found

    /** A file in none of the known languages. */
    class Other(override val name: String) : Found

    /** Something that cannot be looked into. */
    class Problem(override val name: String, val reason: String) : Found
}

/** A PATH that cannot be indexed; the message says why. */
class BadPath(message: String) : Exception(message)

/** Source files below a directory, in a zip file, or just one. */
interface SourceTree : AutoCloseable {
    /**
     * Every file, in an order that depends on the tree only. Reads directories while it is
     * iterated.
     */
    fun walk(): Sequence<Found>

    override fun close() {}

    companion object {
        /** Opens [path]; throws [BadPath]. */
        fun open(path: String): SourceTree {
            val root =
                try {
                    Path(path)
                } catch (e: InvalidPathException) {
                    throw BadPath("not a path: ${e.message}")
                }
            return when {
                root.notExists() -> throw BadPath("$path: there is no such file or directory")
                !root.isReadable() -> throw BadPath("$path: no permission to read it")
                root.isDirectory() -> DirectoryTree(root)
                !root.isRegularFile() -> throw BadPath("$path: neither a file nor a directory")
                root.name.lowercase().let { it.endsWith(".zip") || it.endsWith(".jar") } ->
                    ZipTree(openZip(root))
                else -> SingleFile(root, languageOf(root))
            }
        }

        private fun openZip(file: Path): ZipFile =
            try {
                ZipFile(file.toFile())
            } catch (e: IOException) {
                throw BadPath("$file: not a zip file that can be read (${e.message})")
            }

        private fun languageOf(file: Path): Language =
            Languages.ofFile(file.name)
                ?: throw BadPath(
                    "$file: not a source file that this program knows; known are " +
                        "${Languages.extensions()}, a .zip file, or a directory"
                )
    }
}

/**
 * Why a file cannot be read, in words for its reader: some exceptions say no more than the file's
 * name.
 */
fun IOException.reason(): String =
    when (this) {
        is NoSuchFileException -> "no such file, or a link that leads nowhere"
        is java.nio.file.AccessDeniedException -> "no permission to read it"
        is java.nio.charset.CharacterCodingException -> "not UTF-8 text"
        is ZipException -> "damaged in the zip file: $message"
        else -> message ?: toString()
    }

private class SingleFile(private val file: Path, private val language: Language) : SourceTree {
    override fun walk() =
        sequenceOf<Found>(Found.Source(file.name, language) { Files.newInputStream(file) })
}

private class ZipTree(private val zip: ZipFile) : SourceTree {
    override fun walk(): Sequence<Found> =
        zip.entries()
            .asSequence()
            .filter { !it.isDirectory }
            .map { entry ->
                when (val language = Languages.ofFile(entry.name)) {
                    null -> Found.Other(entry.name)
                    else -> Found.Source(entry.name, language) { zip.getInputStream(entry) }
                }
            }

    override fun close() = zip.close()
}

private class DirectoryTree(private val root: Path) : SourceTree {
    override fun walk(): Sequence<Found> = sequence {
        val pending = ArrayDeque(listOf(root))
        while (pending.isNotEmpty()) {
            val directory = pending.removeLast()
            try {
                val children = Files.newDirectoryStream(directory).use { it.sorted() }
                for (child in children) {
                    // Links to directories are not followed: they may lead in circles.
                    if (child.isDirectory(NOFOLLOW_LINKS)) {
                        pending.add(child)
                    } else {
                        yield(classify(child))
                    }
                }
            } catch (e: IOException) {
                yield(Found.Problem(nameOf(directory), e.reason()))
            }
        }
    }

    private fun classify(file: Path): Found {
        val name = nameOf(file)
        val language = Languages.ofFile(file.name)
        return when {
            language == null || file.isDirectory() -> Found.Other(name)
            file.isRegularFile() -> Found.Source(name, language) { Files.newInputStream(file) }
            file.notExists() -> Found.Problem(name, "no such file, or a link that leads nowhere")
            // A pipe or a device: opening it could wait for ever.
            else -> Found.Problem(name, "not a regular file")
        }
    }

    private fun nameOf(path: Path) = root.relativize(path).pathString
}
