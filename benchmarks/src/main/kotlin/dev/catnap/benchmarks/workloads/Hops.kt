@file:JvmName("Hops")

package dev.catnap.benchmarks.workloads

import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext

/**
 * Coroutines that go to a dispatcher for blocking calls and back, and do next to nothing there.
 *
 * @return how often they went
 */
fun hops(home: CoroutineDispatcher, io: CoroutineDispatcher, coroutines: Int, hops: Int): Long {
    val counts = LongArray(coroutines)
    runBlocking(home) {
        repeat(coroutines) { i ->
            launch { repeat(hops) { counts[i] += withContext(io) { 1L } } }
        }
    }
    return Check.eachIs(hops.toLong(), counts)
}
