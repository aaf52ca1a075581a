@file:JvmName("Delays")

package dev.catnap.benchmarks.workloads

import java.util.function.LongSupplier
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.cancel
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking

/**
 * Coroutines that delay again and again, a millisecond each time.
 *
 * @return how many delays there were
 */
fun delays(dispatcher: CoroutineDispatcher, coroutines: Int, rounds: Int): Long {
    val counts = LongArray(coroutines)
    runBlocking(dispatcher) {
        repeat(coroutines) { i ->
            launch {
                repeat(rounds) {
                    delay(1)
                    counts[i]++
                }
            }
        }
    }
    return Check.eachIs(rounds.toLong(), counts)
}

/**
 * Coroutines that begin a `delay` of about an hour, one after the other on one worker, and are all
 * cancelled when the last has begun.
 *
 * @return how many were cancelled
 */
fun armAndCancel(dispatcher: CoroutineDispatcher, timers: Int): Long =
    armAndCancel(dispatcher, timers, beforehand = {}, whileArmed = {})

/**
 * The same, to see how much memory a coroutine in `delay` keeps.
 *
 * @param usedHeap tells the bytes in use
 * @return bytes for each, its timer included
 */
fun bytesPerDelay(dispatcher: CoroutineDispatcher, timers: Int, usedHeap: LongSupplier): Double {
    var before = 0L
    var armed = 0L
    armAndCancel(dispatcher, timers, { before = usedHeap.asLong }, { armed = usedHeap.asLong })
    return (armed - before).toDouble() / timers
}

private fun armAndCancel(
    dispatcher: CoroutineDispatcher,
    timers: Int,
    beforehand: () -> Unit,
    whileArmed: () -> Unit,
): Long {
    val ends = LongArray(timers)
    runBlocking(dispatcher) {
        beforehand()
        launch {
            repeat(timers) { i ->
                // Undispatched: it is in its delay when launch returns.
                launch(start = CoroutineStart.UNDISPATCHED) {
                    try {
                        delay(HOUR_MILLIS + i % SPREAD_MILLIS)
                    } finally {
                        ends[i]++
                    }
                }
            }
            whileArmed()
            cancel()
        }
    }
    return Check.eachIs(1, ends)
}

private const val HOUR_MILLIS = 3_600_000L

/** Not in the order in which they are armed, which would be the easiest one for a heap. */
private const val SPREAD_MILLIS = 1_000
