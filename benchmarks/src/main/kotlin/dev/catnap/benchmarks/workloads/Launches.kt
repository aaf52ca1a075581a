@file:JvmName("Launches")

package dev.catnap.benchmarks.workloads

import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Job
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking

/**
 * Many coroutines that do next to nothing, launched by a coroutine on the same dispatcher.
 *
 * @return how many ran
 */
fun launchFromCoroutine(dispatcher: CoroutineDispatcher, count: Int): Long {
    val runs = LongArray(count)
    runBlocking(dispatcher) { repeat(count) { launch { runs[it]++ } } }
    return Check.eachIs(1, runs)
}

/**
 * The same, launched by the calling thread, which is none of the dispatcher's.
 *
 * @return how many ran
 */
fun launchFromOutside(dispatcher: CoroutineDispatcher, count: Int): Long {
    val runs = LongArray(count)
    val all = Job()
    val scope = CoroutineScope(dispatcher + all)
    repeat(count) { scope.launch { runs[it]++ } }
    all.complete()
    runBlocking { all.join() }
    return Check.eachIs(1, runs)
}

/**
 * One after the other: the calling thread, which is none of the dispatcher's, waits for each before
 * it launches the next one.
 *
 * @return how many ran
 */
fun roundTrips(dispatcher: CoroutineDispatcher, count: Int): Long {
    val runs = LongArray(count)
    repeat(count) { runBlocking(dispatcher) { runs[it]++ } }
    return Check.eachIs(1, runs)
}
