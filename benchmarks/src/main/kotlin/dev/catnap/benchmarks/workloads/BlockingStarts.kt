@file:JvmName("BlockingStarts")

package dev.catnap.benchmarks.workloads

import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicBoolean
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking

private const val PATIENCE_SECONDS = 30L

/**
 * A coroutine for the dispatcher for blocking calls, launched from outside while every worker of
 * the other one is in a task.
 *
 * @param computing what these do: compute; else they wait for a latch, without saying so
 * @param settle called when all of them have begun, one after the other
 * @return nanoseconds from just before the launch to the coroutine's first instruction
 */
fun startBesideTasks(
    home: CoroutineDispatcher,
    io: CoroutineDispatcher,
    workers: Int,
    computing: Boolean,
    settle: Runnable,
): Long {
    val released = CountDownLatch(1)
    val over = AtomicBoolean()
    var launched = 0L
    var begun = 0L
    runBlocking {
        try {
            repeat(workers) {
                val begins = CountDownLatch(1)
                launch(home) {
                    begins.countDown()
                    if (computing) {
                        while (!over.get()) Thread.onSpinWait()
                    } else {
                        await(released)
                    }
                }
                await(begins)
            }
            settle.run()
            launched = System.nanoTime()
            launch(io) { begun = System.nanoTime() }.join()
        } finally {
            over.set(true)
            released.countDown()
        }
    }
    return begun - launched
}

private fun await(latch: CountDownLatch) =
    check(latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) { "a task has neither begun nor ended" }
