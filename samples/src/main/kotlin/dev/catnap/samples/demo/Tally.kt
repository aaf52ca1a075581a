package dev.catnap.samples.demo

import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.ConcurrentMap
import java.util.concurrent.atomic.LongAdder

/** What a run has done so far; all threads write to it, and the progress line reads it. */
class Tally {
    val files = LongAdder()
    val identifiers = LongAdder()
    val bytes = LongAdder()
    val others = LongAdder()
    val queries = LongAdder()
    val problems = ConcurrentLinkedQueue<Problem>()

    private val slices: ConcurrentMap<String, LongAdder> = ConcurrentHashMap()
    private val requests: ConcurrentMap<String, LongAdder> = ConcurrentHashMap()

    /** A coroutine has worked on the calling thread for a while. */
    fun slice() =
        slices.count(Thread.currentThread().name.substringBefore(" @coroutine#")) // of -ea

    /** The calling virtual thread has answered a request. */
    fun request() {
        queries.increment()
        requests.count(carrierName())
    }

    /** For each thread that ran something: how many slices of coroutines, and how many requests. */
    fun threads(): List<ThreadTally> =
        (slices.keys + requests.keys).sortedWith(compareBy({ it.length }, { it })).map {
            ThreadTally(it, slices[it]?.sum() ?: 0, requests[it]?.sum() ?: 0)
        }

    private fun ConcurrentMap<String, LongAdder>.count(name: String) =
        computeIfAbsent(name) { LongAdder() }.increment()

    /**
     * `VirtualThread[#42]/runnable@catnap-worker-1`: what follows the last at sign is the name of
     * the thread that carries the virtual one. The JDK has no other way to ask.
     */
    private fun carrierName() = Thread.currentThread().toString().substringAfterLast('@')
}

/** A file that could not be indexed. */
data class Problem(val file: String, val reason: String)

/** What one platform thread ran. */
data class ThreadTally(val name: String, val slices: Long, val requests: Long)
