package dev.catnap.samples.demo

/**
 * How often each word occurs in one file: a hash table of slices of the file's text, so that a word
 * becomes a string once per file and not once per occurrence. Made to be filled, drained and filled
 * again. Not thread-safe.
 */
class WordCounts {
    private var text = CharArray(0)
    private var starts = IntArray(FIRST_SIZE)
    private var lengths = IntArray(FIRST_SIZE)
    private var hashes = IntArray(FIRST_SIZE)
    private var counts = IntArray(FIRST_SIZE) // 0: the slot is free
    private var used = IntArray(FIRST_SIZE / 2)
    private var size = 0

    /** Begins with the words of another text. */
    fun open(text: CharArray) {
        for (i in 0..<size) {
            counts[used[i]] = 0
        }
        size = 0
        this.text = text
    }

    /** Counts one word; [hash] is [String.hashCode] of it. */
    fun add(start: Int, length: Int, hash: Int) {
        val slot = slotOf(start, length, hash)
        if (counts[slot]++ == 0) {
            starts[slot] = start
            lengths[slot] = length
            hashes[slot] = hash
            used[size++] = slot
            if (size == used.size) {
                grow()
            }
        }
    }

    private fun slotOf(start: Int, length: Int, hash: Int): Int {
        val mask = counts.size - 1
        var slot = hash xor (hash ushr 15) and mask
        while (counts[slot] != 0 && !holds(slot, start, length, hash)) {
            slot = slot + 1 and mask
        }
        return slot
    }

    private fun holds(slot: Int, start: Int, length: Int, hash: Int): Boolean {
        if (hashes[slot] != hash || lengths[slot] != length) {
            return false
        }
        val other = starts[slot]
        for (i in 0..<length) {
            if (text[other + i] != text[start + i]) {
                return false
            }
        }
        return true
    }

    private fun grow() {
        val (oldStarts, oldLengths, oldHashes) = Triple(starts, lengths, hashes)
        val oldCounts = counts
        val room = counts.size * 2
        starts = IntArray(room)
        lengths = IntArray(room)
        hashes = IntArray(room)
        counts = IntArray(room)
        used = used.copyOf(room / 2)
        for (i in 0..<size) {
            val from = used[i]
            val to = slotOf(oldStarts[from], oldLengths[from], oldHashes[from])
            starts[to] = oldStarts[from]
            lengths[to] = oldLengths[from]
            hashes[to] = oldHashes[from]
            counts[to] = oldCounts[from]
            used[i] = to
        }
    }

    /** Hands out every word once, with its count. */
    inline fun forEach(action: (String, Int) -> Unit) {
        for (i in 0..<words()) {
            action(word(i), count(i))
        }
    }

    @PublishedApi internal fun words() = size

    @PublishedApi internal fun word(i: Int) = String(text, starts[used[i]], lengths[used[i]])

    @PublishedApi internal fun count(i: Int) = counts[used[i]]

    private companion object {
        const val FIRST_SIZE = 1024
    }
}
