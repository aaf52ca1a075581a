@file:JvmName("Requests")

package dev.catnap.benchmarks.workloads

import java.util.concurrent.atomic.AtomicLongArray
import java.util.function.LongConsumer
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Job
import kotlinx.coroutines.async
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking

/**
 * Requests that come at a fixed rate, as to a service with little to do. Each is a coroutine that
 * starts [STEPS] others, one after the other, awaits each, and adds up what they have computed. A
 * thread that wakes up too late launches at once what is due.
 *
 * @param latencies receives that of each request, in nanoseconds, from when it was due to its end
 * @return how many requests were served
 */
fun requests(
    dispatcher: CoroutineDispatcher,
    everyNanos: Long,
    count: Int,
    latencies: LongConsumer,
): Long {
    val ended = AtomicLongArray(count)
    val sums = LongArray(count)
    val all = Job()
    val scope = CoroutineScope(dispatcher + all)
    val start = System.nanoTime() + everyNanos
    repeat(count) { i ->
        Pauses.sleepUntil(start + i * everyNanos)
        scope.launch {
            repeat(STEPS) { sums[i] += async { Work.compute(it.toLong(), STEP_MICROS) }.await() }
            ended.set(i, System.nanoTime())
        }
    }
    all.complete()
    runBlocking { all.join() }
    repeat(count) { latencies.accept(ended.get(it) - (start + it * everyNanos)) }
    return Check.eachIs(Work.oneAfterTheOther(STEPS, STEP_MICROS), sums)
}

/** Of a request. */
const val STEPS = 10

/** Of work in each. */
const val STEP_MICROS = 5
