@file:JvmName("Grains")

package dev.catnap.benchmarks.workloads

import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.async
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking

/**
 * Two stages that work on each item, joined by a rendezvous channel. One core does it in twice the
 * time of two.
 *
 * @param micros the work of one stage on one item
 * @return the sum of what came out
 */
fun pipeline(dispatcher: CoroutineDispatcher, items: Int, micros: Int): Long {
    val sum = LongArray(1)
    runBlocking(dispatcher) {
        val channel = Channel<Long>()
        launch {
            repeat(items) { channel.send(Work.compute(it.toLong(), micros)) }
            channel.close()
        }
        launch { for (half in channel) sum[0] += Work.compute(half, micros) }
    }
    return Check.eachIs(Work.bothStages(items, micros), sum)
}

/**
 * A coroutine starts another one for half of the work, does the other half, and awaits it.
 *
 * @param micros the work of one half
 * @return the sum of all results
 */
fun asyncBesideOwnWork(dispatcher: CoroutineDispatcher, items: Int, micros: Int): Long {
    val sum = LongArray(1)
    runBlocking(dispatcher) {
        repeat(items) {
            val theirs = async { Work.compute(it.toLong(), micros) }
            val own = Work.compute(-it.toLong(), micros)
            sum[0] += own + theirs.await()
        }
    }
    return Check.eachIs(Work.bothHalves(items, micros), sum)
}
