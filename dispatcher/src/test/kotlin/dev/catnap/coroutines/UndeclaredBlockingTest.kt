package dev.catnap.coroutines

import dev.catnap.WorkStealingScheduler
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicInteger
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.joinAll
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.extension.RegisterExtension
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.ValueSource

/** G9, F17: blocking that nobody declared neither starves nor deadlocks coroutines. */
@Timeout(120)
internal class UndeclaredBlockingTest {
    @JvmField @RegisterExtension val schedulers = Schedulers()

    /** kotlinx.coroutines #3983: on `Dispatchers.Default` this hangs. */
    @ParameterizedTest
    @ValueSource(ints = [1, 2, 8])
    fun nestedRunBlocking_fromEveryWorkerAtOnce_completes(parallelism: Int) = runSoon {
        val dispatcher = schedulers.dispatcher(parallelism) { productionSentinel() }
        val together = CountDownLatch(parallelism)
        val results =
            List(parallelism) { i ->
                    async(dispatcher) {
                        together.countDown()
                        together.await()
                        runBlocking {
                            withContext(dispatcher) {
                                runBlocking { withContext(dispatcher) { i } }
                            }
                        }
                    }
                }
                .awaitAll()
        assertEquals(List(parallelism) { it }, results)
        awaitRest(dispatcher.executor as WorkStealingScheduler)
    }

    @Test
    fun manyMoreThanWorkers_eachBlocksOnAnother() = runSoon {
        val dispatcher = schedulers.dispatcher(2) { productionSentinel() }
        val results =
            List(40) { i -> async(dispatcher) { runBlocking { async(dispatcher) { i }.await() } } }
                .awaitAll()
        assertEquals((0 until 40).toList(), results)
        awaitRest(dispatcher.executor as WorkStealingScheduler)
    }

    @Test
    fun deepNesting_asDeepAsThereAreThreads() = runSoon {
        val dispatcher = schedulers.dispatcher(2, maxThreads = 34) { productionSentinel() }
        fun nested(depth: Int): Int =
            if (depth == 0) 0 else 1 + runBlocking { withContext(dispatcher) { nested(depth - 1) } }
        assertEquals(30, withContext(dispatcher) { nested(30) })
        awaitRest(dispatcher.executor as WorkStealingScheduler)
    }

    @Test
    fun futuresLatchesAndSleeps_onEveryWorker_othersRun() = runSoon {
        val dispatcher = schedulers.dispatcher(2) { productionSentinel() }
        val future = CompletableFuture<Int>()
        val latch = CountDownLatch(1)
        val blocked = CountDownLatch(4)
        val ended = AtomicInteger()
        val blockers =
            listOf<() -> Unit>(
                { future.get(100, TimeUnit.SECONDS) },
                { latch.await(100, TimeUnit.SECONDS) },
                { while (!future.isDone) Thread.sleep(50) },
                { while (latch.count != 0L) Thread.sleep(50) },
            )
        val jobs = blockers.map {
            launch(dispatcher) {
                blocked.countDown()
                it()
                ended.incrementAndGet()
            }
        }
        awaitUntil("all four block, on two workers") { blocked.count == 0L }
        val sum =
            List(1_000) { i ->
                    async(dispatcher) {
                        delay(1)
                        i
                    }
                }
                .awaitAll()
                .sum()
        assertEquals(499_500, sum)
        assertEquals(0, ended.get())
        future.complete(1)
        latch.countDown()
        jobs.joinAll()
        awaitRest(dispatcher.executor as WorkStealingScheduler)
    }

    /**
     * A wait that is shorter than a tick costs no thread; here, unless who holds the lock loses its
     * processor. The rule itself: core's SentinelRoundsTest.
     */
    @Tag("timing")
    @Test
    fun shortWaits_needNoSpare() = runSoon {
        val scheduler = schedulers.scheduler(2) { productionSentinel() }
        shortWaits(scheduler)
        assertTrue(scheduler.stats().threads() <= 3) { scheduler.stats().toString() }
    }

    @Test
    fun shortWaits_withSparesOrWithout_allAreServed() = runSoon {
        shortWaits(schedulers.scheduler(2) { productionSentinel() })
    }

    private suspend fun shortWaits(scheduler: WorkStealingScheduler) = coroutineScope {
        val dispatcher = WorkStealingDispatcher.of(scheduler)
        val lock = Any()
        val sum = AtomicInteger()
        List(10_000) { launch(dispatcher) { synchronized(lock) { sum.incrementAndGet() } } }
            .joinAll()
        assertEquals(10_000, sum.get())
    }
}
