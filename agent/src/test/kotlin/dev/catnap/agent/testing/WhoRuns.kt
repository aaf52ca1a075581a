package dev.catnap.agent.testing

import java.util.concurrent.CountDownLatch
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.DelicateCoroutinesApi
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.ExecutorCoroutineDispatcher
import kotlinx.coroutines.GlobalScope
import kotlinx.coroutines.TimeoutCancellationException
import kotlinx.coroutines.asExecutor
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeout
import kotlinx.coroutines.yield

/** Prints which threads run coroutines; calls only what every version of the library has. */
object WhoRuns {
    @JvmStatic
    fun main(arguments: Array<String>) {
        println("${Dispatchers.Default} ${Dispatchers.IO}")
        inCoroutine {
            report("launched")
            yield()
            report("after a yield")
            delay(1)
            report("after a delay")
            withContext(Dispatchers.IO) {
                report("in IO")
                delay(1)
                report("in IO after a delay")
            }
            timesOut()
            report("after a timeout")
        }
        onExecutor()
        try {
            (Dispatchers.Default as ExecutorCoroutineDispatcher).close()
        } catch (e: UnsupportedOperationException) {
            println(e.message)
        }
    }

    private suspend fun timesOut() {
        try {
            withTimeout(1) { delay(60_000) }
        } catch (_: TimeoutCancellationException) {
            println("timed out")
        }
    }

    private fun onExecutor() {
        val over = CountDownLatch(1)
        Dispatchers.Default.asExecutor().execute {
            report("as an executor")
            over.countDown()
        }
        over.await()
    }

    /** In the default context. */
    @OptIn(DelicateCoroutinesApi::class)
    fun inCoroutine(block: suspend CoroutineScope.() -> Unit) {
        val over = CountDownLatch(1)
        GlobalScope.launch { block() }
            .invokeOnCompletion { e ->
                e?.printStackTrace(System.out)
                over.countDown()
            }
        over.await()
    }

    /** The numbers of workers are all the same, and so is the name of one and the same loader. */
    private fun report(where: String) {
        val thread = Thread.currentThread()
        val loader = thread.contextClassLoader
        val own = loader === WhoRuns::class.java.classLoader
        val loaderOf = if (own) "" else ", with the context class loader $loader"
        println("$where: ${thread.name.replaceFirst(Regex("[0-9]+$"), "N")}$loaderOf")
    }
}
