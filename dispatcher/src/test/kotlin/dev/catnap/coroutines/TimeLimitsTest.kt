package dev.catnap.coroutines

import dev.catnap.spi.MonotonicClock
import dev.catnap.spi.SchedulerTuning
import java.lang.ref.WeakReference
import java.util.concurrent.CopyOnWriteArrayList
import java.util.concurrent.atomic.AtomicIntegerArray
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineExceptionHandler
import kotlinx.coroutines.DisposableHandle
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.InternalCoroutinesApi
import kotlinx.coroutines.NonDisposableHandle
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeout
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertSame
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.extension.RegisterExtension
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.ValueSource

/** G11: what ends a wait, or a loop, from outside of it. */
@Timeout(120)
@OptIn(ExperimentalCoroutinesApi::class, InternalCoroutinesApi::class)
internal class TimeLimitsTest {
    @JvmField @RegisterExtension val schedulers = Schedulers()

    /** The timer thread leaves what is due to workers for a millisecond, and none passes. */
    private class StandingClock : MonotonicClock {
        override fun nanoTime(): Long = 0
    }

    private fun standingStill() =
        schedulers.dispatcher(1, maxThreads = 1) {
            tuning(SchedulerTuning.production().withSentinel(0, 0).withClock(StandingClock()))
        }

    private val ran = CopyOnWriteArrayList<Pair<Int, String>>()
    private val thrown = CopyOnWriteArrayList<Throwable>()
    private val failure = IllegalStateException("from a block")

    /** All due at once; the second one throws. */
    private fun WorkStealingDispatcher.armThree() {
        val context = CoroutineExceptionHandler { _, it -> thrown += it }
        for (i in 1..3) {
            val block = Runnable {
                ran += i to Thread.currentThread().name
                if (i == 2) throw failure
            }
            invokeOnTimeout(0, block, context)
        }
    }

    /** G7: and what one of them throws costs no other its end. */
    private fun assertRanOnce_onThreads(prefix: String) {
        awaitUntil("all have run") { ran.size == 3 && thrown.isNotEmpty() }
        assertEquals(listOf(1, 2, 3), ran.map { it.first }.sorted())
        ran.forEach { (_, thread) -> assertTrue(thread.startsWith(prefix), thread) }
        assertEquals(listOf(failure), thrown)
    }

    @Test
    fun limitsThatAreDue_endOnTheWorkerThatIsIdle_inOrder() {
        val one = standingStill()
        runSoon { withContext(one) { one.armThree() } }
        assertRanOnce_onThreads("test-")
        assertEquals(listOf(1, 2, 3), ran.map { it.first })
    }

    /**
     * G9: no worker comes, for the only one waits for that. The order is that of
     * kotlinx.coroutines' heap, which has none for those that are due when it looks.
     */
    @Test
    fun limitsThatAreDue_everyWorkerIsHeld_endElsewhere() {
        val one = schedulers.dispatcher(1, maxThreads = 1)
        val gate = schedulers.gate()
        runSoon {
            launch(one) {
                one.armThree()
                gate.await()
            }
            assertRanOnce_onThreads("kotlinx.coroutines.DefaultExecutor")
            gate.open()
        }
    }

    @Test
    fun limit_isATimerOfTheScheduler_untilItIsOver() = runSoon {
        val scheduler = schedulers.scheduler(2)
        val dispatcher = WorkStealingDispatcher.of(scheduler)
        withContext(dispatcher) {
            withTimeout(FOREVER_MILLIS) { assertEquals(1, scheduler.stats().armedTimers()) }
            assertEquals(0, scheduler.stats().armedTimers())
        }
        val never = dispatcher.invokeOnTimeout(Long.MAX_VALUE, {}, coroutineContext)
        assertSame(NonDisposableHandle, never)
        assertEquals(0, scheduler.stats().armedTimers())
    }

    /** F21: an hour is long, and the scheduler is over. */
    @Test
    fun limit_whenClosed_disposed_isReleased() {
        val scheduler = schedulers.scheduler(1)
        val dispatcher = WorkStealingDispatcher.of(scheduler)
        fun armCloseAndDispose(): WeakReference<ByteArray> {
            val held = ByteArray(1_000)
            val block = Runnable { held.fill(1) }
            val limit: DisposableHandle = runSoon {
                dispatcher.invokeOnTimeout(FOREVER_MILLIS, block, coroutineContext)
            }
            scheduler.close()
            limit.dispose()
            return WeakReference(held)
        }
        awaitCollected("what the block holds", armCloseAndDispose())
    }

    @ParameterizedTest
    @ValueSource(booleans = [false, true])
    fun limit_thatNobodyDisposes_runsAtItsTime(isClosed: Boolean) = runSoon {
        val scheduler = schedulers.scheduler(1)
        val dispatcher = WorkStealingDispatcher.of(scheduler)
        val ran = CompletableDeferred<Long>()
        val start = System.nanoTime()
        dispatcher.invokeOnTimeout(50, { ran.complete(System.nanoTime()) }, coroutineContext)
        if (isClosed) scheduler.close()
        assertTrue(ran.await() - start >= 50_000_000)
    }

    /** The block of the first one disposes the second, which is on its way with it. */
    @Test
    fun limitDisposedBeforeItsBlockRuns_doesNothing() = runSoon {
        val one = standingStill()
        val context = coroutineContext
        val third = CompletableDeferred<Unit>()
        withContext(one) {
            val second = CompletableDeferred<DisposableHandle>()
            one.invokeOnTimeout(0, { second.getCompleted().dispose() }, context)
            second.complete(one.invokeOnTimeout(0, { ran += 2 to "disposed" }, context))
            one.invokeOnTimeout(0, { third.complete(Unit) }, context)
        }
        third.await()
        assertEquals(listOf<Any>(), ran)
    }

    /** Each block runs once, or is disposed, whoever is first. */
    @Test
    fun limitsAreDisposedWhenTheyAreDue_noneRunsTwice() = runSoon {
        val n = scaled(20_000)
        val scheduler = schedulers.scheduler(2)
        val dispatcher = WorkStealingDispatcher.of(scheduler)
        val runs = AtomicIntegerArray(n)
        val context = coroutineContext
        List(4) { part ->
                async(dispatcher) {
                    for (i in part until n step 4) {
                        val block = Runnable { runs.incrementAndGet(i) }
                        val limit = dispatcher.invokeOnTimeout(i % 2L, block, context)
                        if (i % 3 == 0) limit.dispose()
                        if (i % 7 == 0) limit.dispose()
                    }
                }
            }
            .awaitAll()
        awaitUntil("the others have run") {
            (0 until n).all { runs.get(it) == 1 || it % 3 == 0 || it % 7 == 0 }
        }
        val again = CompletableDeferred<Unit>() // due later than all of them
        dispatcher.invokeOnTimeout(5, { again.complete(Unit) }, context)
        again.await()
        (0 until n).forEach { assertTrue(runs.get(it) <= 1) { "$it ran ${runs.get(it)} times" } }
        assertEquals(0, scheduler.stats().armedTimers())
    }
}
