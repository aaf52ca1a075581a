package dev.catnap.samples.ktor

import dev.catnap.coroutines.CatnapDispatchers
import java.nio.file.Files
import java.nio.file.NoSuchFileException
import java.nio.file.Path
import java.nio.file.StandardCopyOption.ATOMIC_MOVE
import java.security.MessageDigest
import java.util.HexFormat
import java.util.concurrent.ConcurrentHashMap
import kotlin.io.path.deleteIfExists
import kotlin.io.path.fileSize
import kotlin.io.path.isRegularFile
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.moveTo
import kotlin.io.path.nameWithoutExtension
import kotlin.io.path.readText
import kotlin.io.path.writeText
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.MutableStateFlow
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.sync.Mutex
import kotlinx.coroutines.sync.withLock
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeoutOrNull

/** A text and its tag, which differs from that of every other text. */
class Note(val text: String) {
    val tag: String = tagOf(text)

    private companion object {
        const val TAG_LENGTH = 16

        fun tagOf(text: String): String {
            val hash = MessageDigest.getInstance("SHA-256").digest(text.toByteArray())
            return HexFormat.of().formatHex(hash).take(TAG_LENGTH)
        }
    }
}

/** What [NoteStore.list] tells of a note. */
data class Listed(val name: String, val tag: String, val bytes: Long)

/**
 * Notes, each in a file of one directory. Files are read and written on [CatnapDispatchers.IO],
 * everything else runs on the caller's dispatcher.
 */
class NoteStore private constructor(private val directory: Path) {
    /** One that was written in this process or found at its start. */
    private class Entry {
        /** Null: the first write is not over. */
        val tag = MutableStateFlow<String?>(null)
        /** Held while the file is replaced, so that the last tag is that of the last text. */
        val writing = Mutex()
    }

    private val entries = ConcurrentHashMap<String, Entry>()

    private fun file(name: String) = directory.resolve("$name.txt")

    /** Null: there is none. [onIo] is called on the thread that reads. */
    suspend fun read(name: String, onIo: () -> Unit = {}): Note? {
        val text =
            withContext(CatnapDispatchers.IO) {
                onIo()
                try {
                    file(name).readText()
                } catch (_: NoSuchFileException) {
                    null
                }
            }
        return text?.let(::Note)
    }

    /** Replaces the note, or makes it. Readers see the old text or the new one, nothing between. */
    suspend fun write(name: String, note: Note, onIo: () -> Unit = {}) {
        val entry = entries.computeIfAbsent(name) { Entry() }
        entry.writing.withLock {
            withContext(CatnapDispatchers.IO) {
                onIo()
                val temporary = directory.resolve("$name.tmp")
                try {
                    temporary.writeText(note.text)
                    temporary.moveTo(file(name), ATOMIC_MOVE)
                } finally {
                    temporary.deleteIfExists()
                }
                // In here: a writer that is cancelled on its way back has written all the same.
                entry.tag.value = note.tag
            }
        }
    }

    /** Waits until the note has another tag; false: it still had this one after [millis]. */
    suspend fun awaitOtherThan(tag: String, name: String, millis: Long): Boolean {
        val tags = entries[name]?.tag ?: return true
        return withTimeoutOrNull(millis) { tags.first { it != tag } } != null
    }

    /** All notes by name; no snapshot, what is written meanwhile may be missing. */
    fun list(): Flow<Listed> = flow {
        for ((name, entry) in entries.toSortedMap()) {
            val tag = entry.tag.value ?: continue
            emit(Listed(name, tag, withContext(CatnapDispatchers.IO) { file(name).fileSize() }))
        }
    }

    companion object {
        /** In a directory that is made if it is not there. */
        suspend fun open(directory: Path): NoteStore {
            val store = NoteStore(directory)
            val names =
                withContext(CatnapDispatchers.IO) {
                    Files.createDirectories(directory)
                    directory
                        .listDirectoryEntries("*.txt")
                        .filter { it.isRegularFile() }
                        .map { it.nameWithoutExtension }
                }
            for (name in names) {
                store.read(name)?.let { note ->
                    store.entries[name] = Entry().apply { tag.value = note.tag }
                }
            }
            return store
        }
    }
}
