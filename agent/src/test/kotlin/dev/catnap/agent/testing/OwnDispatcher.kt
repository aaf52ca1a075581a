package dev.catnap.agent.testing

import dev.catnap.WorkStealingScheduler
import dev.catnap.coroutines.WorkStealingDispatcher
import java.util.concurrent.CountDownLatch
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.DelicateCoroutinesApi
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.GlobalScope
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext

/** An application that has a dispatcher of Catnap itself. */
object OwnDispatcher {
    @OptIn(DelicateCoroutinesApi::class)
    @JvmStatic
    fun main(arguments: Array<String>) {
        val scheduler = WorkStealingScheduler.builder().name("own").parallelism(1).build()
        val own = WorkStealingDispatcher.of(scheduler)
        WhoRuns.inCoroutine {
            report("default")
            withContext(own) { report("own") }
            withContext(Dispatchers.IO) { report("io") }
        }
        scheduler.close()
        val over = CountDownLatch(1)
        // It begins although it is cancelled, where refused tasks go.
        GlobalScope.launch(own, CoroutineStart.ATOMIC) { report("after close") }
            .invokeOnCompletion { over.countDown() }
        over.await()
    }

    private fun report(where: String) =
        println("$where on ${Thread.currentThread().name.replaceFirst(Regex("[0-9]+$"), "N")}")
}
