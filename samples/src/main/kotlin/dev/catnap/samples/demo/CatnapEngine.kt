package dev.catnap.samples.demo

import dev.catnap.coroutines.WorkStealingDispatcher
import dev.catnap.loom.CarrierPool
import java.util.concurrent.ThreadFactory
import kotlinx.coroutines.CoroutineDispatcher

/** One pool of workers that runs coroutines and carries virtual threads. */
class CatnapEngine(workers: Int = Runtime.getRuntime().availableProcessors()) : Engine {
    private val pool = CarrierPool.builder().name("catnap").parallelism(workers).build()
    private val dispatcher = WorkStealingDispatcher.of(pool.scheduler())

    override val name = "Catnap"
    override val cpu: CoroutineDispatcher = dispatcher
    override val io: CoroutineDispatcher = dispatcher.io()
    override val virtualThreads: ThreadFactory = pool.threadFactory()

    override fun counters(): Counters {
        val stats = pool.scheduler().stats()
        return Counters(stats.executed, stats.stolen, stats.wakes, stats.futileWakes)
    }

    override fun close() = pool.close()
}
