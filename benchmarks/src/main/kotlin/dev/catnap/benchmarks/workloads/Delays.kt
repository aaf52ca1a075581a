@file:JvmName("Delays")

package dev.catnap.benchmarks.workloads

import kotlinx.coroutines.CoroutineDispatcher
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
