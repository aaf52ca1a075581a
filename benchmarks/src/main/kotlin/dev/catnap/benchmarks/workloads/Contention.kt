@file:JvmName("Contention")

package dev.catnap.benchmarks.workloads

import java.util.concurrent.atomic.AtomicLong
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.sync.Mutex
import kotlinx.coroutines.sync.Semaphore
import kotlinx.coroutines.sync.withLock
import kotlinx.coroutines.sync.withPermit

/**
 * Coroutines that increment one counter under one mutex.
 *
 * @return the counter
 */
fun mutex(dispatcher: CoroutineDispatcher, coroutines: Int, rounds: Int): Long {
    var counter = 0L // guarded by the mutex
    val mutex = Mutex()
    runBlocking(dispatcher) {
        repeat(coroutines) { launch { repeat(rounds) { mutex.withLock { counter++ } } } }
    }
    return Check.eachIs(coroutines.toLong() * rounds, longArrayOf(counter))
}

/**
 * Coroutines that take one of a few permits and give it back.
 *
 * @return how often they did
 */
fun semaphore(dispatcher: CoroutineDispatcher, coroutines: Int, permits: Int, rounds: Int): Long {
    val counter = AtomicLong()
    val semaphore = Semaphore(permits)
    runBlocking(dispatcher) {
        repeat(coroutines) {
            launch { repeat(rounds) { semaphore.withPermit { counter.incrementAndGet() } } }
        }
    }
    return Check.eachIs(coroutines.toLong() * rounds, longArrayOf(counter.get()))
}

/**
 * Producers and as many consumers on one channel with a small buffer.
 *
 * @return the sum of what was received
 */
fun producersAndConsumers(dispatcher: CoroutineDispatcher, pairs: Int, elements: Int): Long {
    val sums = LongArray(pairs)
    runBlocking(dispatcher) {
        val channel = Channel<Int>(BUFFER)
        repeat(pairs) { launch { repeat(elements) { channel.send(1) } } }
        repeat(pairs) { i -> launch { repeat(elements) { sums[i] += channel.receive().toLong() } } }
    }
    return Check.eachIs(elements.toLong(), sums)
}

/**
 * Actors in a ring: each keeps a count and passes the message on.
 *
 * @return messages handled
 */
fun actors(dispatcher: CoroutineDispatcher, ring: Int, messages: Int): Long {
    val handled = LongArray(ring)
    runBlocking(dispatcher) {
        val inboxes = List(ring) { Channel<Int>(BUFFER) }
        repeat(ring) { i ->
            launch {
                val next = inboxes[(i + 1) % ring]
                repeat(messages) {
                    val left = inboxes[i].receive()
                    handled[i]++
                    if (left > 0) next.send(left - 1)
                }
            }
        }
        // Each message goes round once per actor and ends where it began.
        repeat(messages) { inboxes[it % ring].send(ring - 1) }
    }
    return Check.eachIs(messages.toLong(), handled)
}

private const val BUFFER = 64
