@file:JvmName("Programs")

package dev.catnap.benchmarks.workloads

import java.util.concurrent.CompletableFuture
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.asExecutor
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.flow.MutableSharedFlow
import kotlinx.coroutines.flow.asFlow
import kotlinx.coroutines.flow.buffer
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.flow.flatMapMerge
import kotlinx.coroutines.flow.fold
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.flow.take
import kotlinx.coroutines.future.await
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.selects.select
import kotlinx.coroutines.withTimeout
import kotlinx.coroutines.withTimeoutOrNull
import kotlinx.coroutines.yield

/**
 * A flow that is merged from several, each behind a buffer of its own.
 *
 * @return the elements that arrived
 */
@OptIn(ExperimentalCoroutinesApi::class)
fun mergedFlows(dispatcher: CoroutineDispatcher, flows: Int, elements: Int): Long {
    val arrived =
        runBlocking(dispatcher) {
            (1..flows)
                .asFlow()
                .flatMapMerge(flows) { (1..elements).asFlow().buffer(BUFFER).map { 1L } }
                .fold(0L, Long::plus)
        }
    return Check.eachIs(flows.toLong() * elements, longArrayOf(arrived))
}

/**
 * One coroutine emits to all that collect.
 *
 * @return the elements that arrived
 */
fun sharedFlow(dispatcher: CoroutineDispatcher, collectors: Int, elements: Int): Long {
    val sums = LongArray(collectors)
    runBlocking(dispatcher) {
        val shared = MutableSharedFlow<Int>(extraBufferCapacity = BUFFER)
        repeat(collectors) { i ->
            launch { sums[i] = shared.take(elements).fold(0L) { sum, _ -> sum + 1 } }
        }
        shared.subscriptionCount.first { it == collectors }
        repeat(elements) { shared.emit(it) }
    }
    return Check.eachIs(elements.toLong(), sums)
}

/**
 * One coroutine waits for whichever of several channels has something, each with a sender.
 *
 * @return the elements that arrived
 */
fun select(dispatcher: CoroutineDispatcher, channels: Int, elements: Int): Long {
    val counts = LongArray(channels)
    runBlocking(dispatcher) {
        val all = List(channels) { Channel<Int>() }
        all.forEach { channel -> launch { repeat(elements) { channel.send(it) } } }
        repeat(channels * elements) {
            val from = select {
                all.forEachIndexed { i, channel -> channel.onReceive { i } }
            }
            counts[from]++
        }
    }
    return Check.eachIs(elements.toLong(), counts)
}

/**
 * Coroutines that give way within a time limit that they never reach.
 *
 * @return how often they did
 */
fun timeouts(dispatcher: CoroutineDispatcher, coroutines: Int, rounds: Int): Long {
    val counts = LongArray(coroutines)
    runBlocking(dispatcher) {
        repeat(coroutines) { i ->
            launch {
                repeat(rounds) {
                    withTimeout(10.seconds) { yield() }
                    counts[i]++
                }
            }
        }
    }
    return Check.eachIs(rounds.toLong(), counts)
}

/**
 * Coroutines that wait in vain for a millisecond, and again.
 *
 * @return how often the time was over
 */
fun timeoutsReached(dispatcher: CoroutineDispatcher, coroutines: Int, rounds: Int): Long {
    val counts = LongArray(coroutines)
    runBlocking(dispatcher) {
        repeat(coroutines) { i ->
            launch {
                repeat(rounds) {
                    counts[i] +=
                        withTimeoutOrNull<Long>(1.milliseconds) { awaitCancellation() } ?: 1L
                }
            }
        }
    }
    return Check.eachIs(rounds.toLong(), counts)
}

/**
 * Chains of future stages, each run by the dispatcher as an executor, which one coroutine awaits.
 *
 * @return the stages that were run
 */
fun futures(dispatcher: CoroutineDispatcher, chains: Int, stages: Int): Long {
    val counts = LongArray(chains)
    val executor = dispatcher.asExecutor()
    runBlocking(dispatcher) {
        val ends =
            List(chains) {
                var stage = CompletableFuture.supplyAsync({ 1L }, executor)
                repeat(stages - 1) { stage = stage.thenApplyAsync({ it + 1 }, executor) }
                stage
            }
        ends.forEachIndexed { i, end -> counts[i] = end.await() }
    }
    return Check.eachIs(stages.toLong(), counts)
}

/**
 * Parts of a computation, each by an `async` of its own.
 *
 * @return the sum of what they lead to
 */
fun parallelParts(dispatcher: CoroutineDispatcher, parts: Int, micros: Int): Long {
    val sum =
        runBlocking(dispatcher) {
            List(parts) { async { Work.compute(it.toLong(), micros) } }.sumOf { it.await() }
        }
    return Check.eachIs(Work.oneAfterTheOther(parts, micros), longArrayOf(sum))
}

private const val BUFFER = 64
