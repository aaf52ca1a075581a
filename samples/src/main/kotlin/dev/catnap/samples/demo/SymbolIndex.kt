package dev.catnap.samples.demo

import java.security.MessageDigest
import java.util.PriorityQueue
import java.util.Queue
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.ConcurrentLinkedQueue
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.channels.ReceiveChannel
import kotlinx.coroutines.channels.SendChannel

/** How often an identifier occurs, and in how many files. */
data class Symbol(val name: String, val files: Int, val occurrences: Long)

/** The identifiers of one file that belong to one shard, each with how often it occurs. */
class Batch {
    val names = ArrayList<String>()
    val counts = ArrayList<Int>()

    fun add(name: String, count: Int) {
        names.add(name)
        counts.add(count)
    }
}

/**
 * All identifiers, spread over shards by their hash. Each shard has one writer, a coroutine that
 * takes batches from the shard's inbox, so that writing needs no lock; anyone may read at any time.
 */
class SymbolIndex(shards: Int = 16) {
    private val shards = List(shards) { Shard() }
    private val inboxes = List(shards) { Channel<Batch>(INBOX) }

    /** The work of the writers: each of these is for one coroutine and ends after [close]. */
    fun writers(): List<suspend () -> Unit> = shards.mapIndexed { i, shard ->
        suspend { shard.absorb(inboxes[i]) }
    }

    /**
     * Adds the words of one file that are not in [keywords], and returns how many occurrences these
     * are.
     */
    suspend fun add(words: WordCounts, keywords: Set<String>): Long {
        val batches = arrayOfNulls<Batch>(shards.size)
        var occurrences = 0L
        words.forEach { name, count ->
            if (name !in keywords) {
                val shard = Math.floorMod(name.hashCode() * SPREAD, shards.size)
                val batch = batches[shard] ?: Batch().also { batches[shard] = it }
                batch.add(name, count)
                occurrences += count
            }
        }
        batches.forEachIndexed { i, batch -> batch?.let { inboxes[i].send(it) } }
        return occurrences
    }

    /** No more files. */
    fun close() = inboxes.forEach(SendChannel<Batch>::close)

    fun find(name: String): Symbol? = shards.firstNotNullOfOrNull { it.find(name) }

    /** The [n] identifiers that begin with [prefix] and occur most often, most frequent first. */
    fun top(prefix: String, n: Int): List<Symbol> {
        val best = PriorityQueue(BY_RANK.reversed())
        for (symbol in shards.asSequence().flatMap { it.startingWith(prefix) }) {
            best.add(symbol)
            if (best.size > n) {
                best.remove()
            }
        }
        return best.sortedWith(BY_RANK)
    }

    fun distinct(): Int = shards.sumOf { it.size() }

    /** SHA-256 over all identifiers in the order of their characters, with their counts. */
    fun digest(): String {
        val sha = MessageDigest.getInstance("SHA-256")
        val all = shards.flatMap { it.startingWith("") }.sortedBy { it.name }
        for ((name, files, occurrences) in all) {
            sha.update("$name\t$files\t$occurrences\n".toByteArray())
        }
        return sha.digest().toHexString()
    }

    private companion object {
        /** Batches that may wait for a writer before indexers do. */
        const val INBOX = 64
        /** Odd, so that names that differ in the high bits of their hash only still spread. */
        const val SPREAD = -0x61c88647
        val BY_RANK = compareByDescending(Symbol::occurrences).thenBy(Symbol::name)
    }
}

private class Shard {
    private val byName = ConcurrentHashMap<String, Entry>()

    /**
     * The same entries by their first characters. A search for a prefix of that length looks at one
     * of these lists, for a shorter one at all those whose key begins with it.
     */
    private val byStart = ConcurrentHashMap<String, Queue<Entry>>()

    suspend fun absorb(inbox: ReceiveChannel<Batch>) {
        for (batch in inbox) {
            for (i in batch.names.indices) {
                val entry = byName[batch.names[i]] ?: addEntry(batch.names[i])
                entry.add(batch.counts[i])
            }
        }
    }

    private fun addEntry(name: String): Entry {
        val entry = Entry(name)
        byName[name] = entry
        byStart.computeIfAbsent(name.take(START)) { ConcurrentLinkedQueue() }.add(entry)
        return entry
    }

    fun find(name: String) = byName[name]?.toSymbol()

    fun startingWith(prefix: String): Sequence<Symbol> {
        val lists =
            if (prefix.length >= START) sequenceOf(byStart[prefix.take(START)]).filterNotNull()
            else byStart.asSequence().filter { it.key.startsWith(prefix) }.map { it.value }
        return lists.flatten().filter { it.name.startsWith(prefix) }.map(Entry::toSymbol)
    }

    fun size() = byName.size

    private companion object {
        const val START = 3
    }
}

/**
 * Both counts of an identifier in one word, so that a reader never sees one without the other:
 * [FILES] bits for the files, the rest for the occurrences. One thread at a time writes.
 */
private class Entry(val name: String) {
    @Volatile private var packed = 0L

    fun add(occurrences: Int) {
        packed += (occurrences.toLong() shl FILES) + 1
    }

    fun toSymbol(): Symbol {
        val seen = packed
        return Symbol(name, (seen and ALL_FILES).toInt(), seen ushr FILES)
    }

    private companion object {
        /** Up to 16 million files, and 2^40 occurrences of one identifier. */
        const val FILES = 24
        const val ALL_FILES = (1L shl FILES) - 1
    }
}
