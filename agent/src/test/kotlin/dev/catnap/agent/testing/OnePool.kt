package dev.catnap.agent.testing

import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.TimeUnit
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.delay
import kotlinx.coroutines.joinAll
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext

/** Prints whether coroutines and virtual threads are on the same workers, and on which. */
object OnePool {
    private const val MANY = 2_000

    /** Who runs what is up to chance, so both are run until a worker was seen with both. */
    @JvmStatic
    fun main(arguments: Array<String>) {
        val coroutines = ConcurrentHashMap.newKeySet<String>()
        val virtualThreads = ConcurrentHashMap.newKeySet<String>()
        val end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60)
        do {
            runBoth(coroutines, virtualThreads)
        } while (coroutines.none { it in virtualThreads } && System.nanoTime() < end)
        val workers = (coroutines + virtualThreads).map { it.replaceFirst(Regex("[0-9]+$"), "N") }
        println("workers: ${workers.distinct()}")
        println("of both: ${coroutines.any { it in virtualThreads }}")
        println("others: ${otherPools()}")
    }

    private fun runBoth(coroutines: MutableSet<String>, virtualThreads: MutableSet<String>) {
        val threads = List(MANY) { Thread.startVirtualThread { nap(virtualThreads) } }
        WhoRuns.inCoroutine {
            List(MANY) {
                    launch {
                        coroutines += Thread.currentThread().name
                        delay(1)
                        withContext(Dispatchers.IO) { coroutines += Thread.currentThread().name }
                    }
                }
                .joinAll()
        }
        threads.forEach { it.join() }
    }

    private fun nap(carriers: MutableSet<String>) {
        Thread.sleep(1)
        carriers += Thread.currentThread().toString().substringAfter('@')
    }

    private fun otherPools() =
        Thread.getAllStackTraces().keys.count {
            it.name.startsWith("DefaultDispatcher") || it.name.startsWith("ForkJoinPool")
        }
}
