package dev.catnap.samples.guide

import dev.catnap.WorkStealingScheduler
import dev.catnap.coroutines.WorkStealingDispatcher
import kotlinx.coroutines.delay
import kotlinx.coroutines.joinAll
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext

/** Coroutines that stay on one worker, however they are resumed: what they share needs no lock. */
fun main() {
    WorkStealingScheduler.builder().name("hello").parallelism(3).build().use { scheduler ->
        val dispatcher = WorkStealingDispatcher.of(scheduler)
        var count = 0
        val threads = HashSet<Thread>()
        runBlocking(dispatcher) {
            List(1000) {
                    launch(dispatcher.confinedTo(1)) { // 0 to parallelism - 1
                        delay(1) // resumed by a timer
                        withContext(dispatcher.io()) { Thread.yield() } // and back from io()
                        count++
                        threads += Thread.currentThread()
                    }
                }
                .joinAll()
        }
        println("$count coroutines counted on ${threads.size} thread")
    }
}
