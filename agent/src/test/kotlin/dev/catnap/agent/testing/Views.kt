package dev.catnap.agent.testing

import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit.MILLISECONDS
import java.util.concurrent.TimeUnit.SECONDS
import java.util.concurrent.atomic.AtomicInteger
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.joinAll
import kotlinx.coroutines.launch

/** Prints how many are at work at once in views, in every version of the library. */
object Views {
    private const val MANY = 100

    /** Much longer than a woken worker takes to begin. */
    private const val WAIT_MILLIS = 200L

    @JvmStatic
    fun main(arguments: Array<String>) {
        println("one at once: ${mostAtOnce(Dispatchers.Default.view(1))}")
        println("in IO at once: ${atOnce(Dispatchers.IO, 64)}")
        println("in a view of IO at once: ${atOnce(Dispatchers.IO.view(MANY), MANY)}")
    }

    /** In later versions there is another method of that name, and this one is hidden. */
    private fun CoroutineDispatcher.view(parallelism: Int) =
        CoroutineDispatcher::class
            .java
            .getMethod("limitedParallelism", Int::class.java)
            .invoke(this, parallelism) as CoroutineDispatcher

    /** The first one waits for a second one, which must not come. */
    private fun mostAtOnce(dispatcher: CoroutineDispatcher): Int {
        val another = CountDownLatch(2)
        val now = AtomicInteger()
        val most = AtomicInteger()
        WhoRuns.inCoroutine {
            List(MANY) {
                    launch(dispatcher) {
                        most.accumulateAndGet(now.incrementAndGet(), ::maxOf)
                        another.countDown()
                        another.await(WAIT_MILLIS, MILLISECONDS)
                        now.decrementAndGet()
                    }
                }
                .joinAll()
        }
        return most.get()
    }

    /** They wait for each other: all of [count] must be at work. */
    private fun atOnce(dispatcher: CoroutineDispatcher, count: Int): Int {
        val all = CountDownLatch(count)
        val met = AtomicInteger()
        WhoRuns.inCoroutine {
            List(count) {
                    launch(dispatcher) {
                        all.countDown()
                        if (all.await(60, SECONDS)) {
                            met.incrementAndGet()
                        }
                    }
                }
                .joinAll()
        }
        return met.get()
    }
}
