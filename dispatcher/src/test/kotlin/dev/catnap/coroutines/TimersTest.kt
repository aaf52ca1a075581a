package dev.catnap.coroutines

import java.lang.ref.WeakReference
import java.util.concurrent.atomic.AtomicInteger
import java.util.concurrent.atomic.AtomicIntegerArray
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Delay
import kotlinx.coroutines.InternalCoroutinesApi
import kotlinx.coroutines.Job
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.joinAll
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeout
import kotlinx.coroutines.withTimeoutOrNull
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.extension.RegisterExtension
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.EnumSource

/** G11, F24: timers are not early, and leave nothing behind. */
@Timeout(120)
@OptIn(InternalCoroutinesApi::class)
internal class TimersTest {
    @JvmField @RegisterExtension val schedulers = Schedulers()

    private val scheduler by lazy { schedulers.scheduler(2) }
    private val dispatcher by lazy { WorkStealingDispatcher.of(scheduler) }

    private fun armed() = scheduler.stats().armedTimers()

    @ParameterizedTest
    @EnumSource
    fun delay_isNotEarly(face: Face) = runSoon {
        val d = face.open(schedulers)
        List(100) {
                async(d) {
                    val millis = 1L + it % 10
                    val start = System.nanoTime()
                    delay(millis)
                    System.nanoTime() - start - millis * 1_000_000
                }
            }
            .awaitAll()
            .forEach { assertTrue(it >= 0, "$it ns early") }
    }

    private class Armed(val millis: Long, val from: Long) {
        /** Bounds of its deadline. */
        val earliest = from + millis * 1_000_000
        var latest = 0L
    }

    /** CoroutineSemanticsTest.delay_keepsOrder, judged only if the deadlines are in that order. */
    @Test
    fun delays_onOneWorker_passInTheOrderOfTheirDeadlines() = runSoon {
        val one = schedulers.dispatcher(1, maxThreads = 1)
        withContext(one) {
            do {
                val order = mutableListOf<Long>() // guarded by there being one thread
                val waits = mutableListOf<Armed>()
                coroutineScope {
                    for (millis in listOf(6L, 2L, 4L)) {
                        waits += Armed(millis, System.nanoTime())
                        launch(start = CoroutineStart.UNDISPATCHED) {
                            delay(millis)
                            order += millis
                        }
                        waits.last().run { latest = System.nanoTime() + millis * 1_000_000 }
                    }
                }
                val sorted = waits.sortedBy { it.millis }
                val judged = sorted.zipWithNext().all { (a, b) -> a.latest < b.earliest }
                if (judged) assertEquals(listOf(2L, 4L, 6L), order)
            } while (!judged)
        }
    }

    @Test
    fun timeout_isNotEarly() = runSoon {
        repeat(20) {
            val start = System.nanoTime()
            withContext(dispatcher) { withTimeoutOrNull(3) { delay(FOREVER_MILLIS) } }
            assertTrue(System.nanoTime() - start >= 3_000_000)
        }
        assertEquals(0, armed()) // of the delays
    }

    @ParameterizedTest
    @EnumSource(Route::class)
    fun cancelledDelay_leavesNoTimer(route: Route) = runSoon {
        val scope = CoroutineScope(route.of(dispatcher) + Job())
        val jobs = List(500) { scope.launch { delay(FOREVER_MILLIS) } }
        awaitUntil("armed") { armed() == 500 }
        jobs.take(250).forEach { it.cancelAndJoin() }
        assertEquals(250, armed())
        jobs.forEach { it.cancel() }
        jobs.joinAll()
        assertEquals(0, armed())
    }

    @Test
    fun delay_isResumedWhereItsTimerFires() = runSoon {
        // One task each: the timer's, and no dispatch after it. NAMED is what CatnapDispatchers
        // are, on a scheduler where nothing is left of other tests.
        for (route in listOf(Route.DIRECT, Route.NAMED)) {
            val published =
                publishedBy(scheduler) {
                    withContext(route.of(dispatcher)) { repeat(50) { delay(1) } }
                }
            assertEquals(1L + 50, published)
        }
    }

    @Test
    fun cancelledDelay_releasesItsCoroutine() {
        fun startAndCancel(): WeakReference<ByteArray> {
            val (job, held) = dispatcher.delayHolding()
            awaitUntil("armed") { armed() == 1 }
            runSoon { job.cancelAndJoin() }
            return held
        }
        val held = startAndCancel()
        // Other tasks, for what the workers may still have on their stacks.
        runSoon { List(100) { launch(dispatcher) { delay(1) } }.joinAll() }
        awaitCollected("what it held", held)
    }

    @Test
    fun infiniteWaits_needNoTimer() = runSoon {
        val slept = CompletableDeferred<Unit>()
        val job =
            launch(dispatcher) {
                withTimeout(Long.MAX_VALUE) {
                    launch(start = CoroutineStart.UNDISPATCHED) { delay(Long.MAX_VALUE) }
                    launch(start = CoroutineStart.UNDISPATCHED) { delay(Long.MAX_VALUE - 1) }
                    delay(10)
                    slept.complete(Unit)
                }
            }
        slept.await()
        assertEquals(0, armed()) // only waits without a timer are left
        assertTrue(job.isActive)
        job.cancelAndJoin()
    }

    @Test
    fun negativeAndZeroDelays_passAtOnce() = runSoon {
        withContext(dispatcher) {
            delay(0)
            delay(-1)
            assertNull(withTimeoutOrNull(0) { 1 })
            val fired = CompletableDeferred<Unit>()
            (dispatcher as Delay).invokeOnTimeout(-5, { fired.complete(Unit) }, coroutineContext)
            fired.await()
        }
    }

    @Test
    fun disposedTwice_andAfterItFired_isHarmless() = runSoon {
        val fired = AtomicInteger()
        val context = coroutineContext
        val late = dispatcher.invokeOnTimeout(FOREVER_MILLIS, { fired.incrementAndGet() }, context)
        late.dispose()
        late.dispose()
        val soon = dispatcher.invokeOnTimeout(1, { fired.incrementAndGet() }, context)
        awaitUntil("fired") { fired.get() == 1 }
        soon.dispose()
        assertEquals(0, armed())
        assertEquals(1, fired.get())
    }

    @Test
    fun delaysByTheThousand_areArmedAndCancelled_othersFire() = runSoon {
        val n = scaled(200_000)
        val scope = CoroutineScope(dispatcher + Job())
        repeat(n) { scope.launch { delay(FOREVER_MILLIS) } }
        awaitUntil("armed") { armed() == n }
        withContext(dispatcher) { delay(1) } // and the others still fire
        scope.coroutineContext[Job]!!.cancelAndJoin()
        assertEquals(0, armed())
    }

    @Test
    fun delaysRaceWithCancellation_everyCoroutineEndsOnce() = runSoon {
        val n = 2_000
        val begun = AtomicIntegerArray(n)
        val ended = AtomicIntegerArray(n)
        val jobs =
            List(n) {
                launch(dispatcher) {
                    begun.incrementAndGet(it)
                    try {
                        delay(1L + it % 3)
                    } finally {
                        ended.incrementAndGet(it)
                    }
                }
            }
        delay(2)
        jobs.forEach { it.cancel() }
        jobs.joinAll()
        jobs.forEachIndexed { i, job ->
            // It may have been cancelled before it began.
            val times = if (job.isCancelled) begun.get(i) else 1
            assertTrue(times <= 1) { "coroutine $i began $times times" }
            assertEquals(times, begun.get(i)) { "coroutine $i" }
            assertEquals(times, ended.get(i)) { "coroutine $i" }
        }
        assertEquals(0, armed())
    }
}
