@file:JvmName("Yields")

package dev.catnap.benchmarks.workloads

import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.yield

/**
 * Coroutines that yield to each other.
 *
 * @return how many yields there were
 */
fun yieldLoops(dispatcher: CoroutineDispatcher, coroutines: Int, yields: Int): Long {
    val counts = LongArray(coroutines)
    runBlocking(dispatcher) {
        repeat(coroutines) { i ->
            launch {
                repeat(yields) {
                    counts[i]++
                    yield()
                }
            }
        }
    }
    return Check.eachIs(yields.toLong(), counts)
}
