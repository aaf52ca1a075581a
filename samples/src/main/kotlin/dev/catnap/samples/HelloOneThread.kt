package dev.catnap.samples

import dev.catnap.CurrentThreadScheduler
import dev.catnap.coroutines.WorkStealingDispatcher
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.future.future
import kotlinx.coroutines.launch

/** As `runBlocking`, on the timers and queues of Catnap. */
fun <T> CurrentThreadScheduler.runBlocking(block: suspend CoroutineScope.() -> T): T =
    runUntil(CoroutineScope(WorkStealingDispatcher.of(scheduler())).future(block = block))

/** A thousand coroutines on one thread, this one: they count without a lock. */
fun main() {
    CurrentThreadScheduler.create().use { current ->
        var count = 0
        current.runBlocking {
            val jobs =
                List(1000) {
                    launch {
                        delay(10)
                        count++
                    }
                }
            jobs.forEach { it.join() }
        }
        println("$count coroutines on ${Thread.currentThread().name}")
    }
}
