package dev.catnap.coroutines

import dev.catnap.WorkStealingScheduler
import java.lang.ref.WeakReference
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicInteger
import kotlin.coroutines.Continuation
import kotlin.coroutines.EmptyCoroutineContext
import kotlin.coroutines.startCoroutine
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.DelicateCoroutinesApi
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.GlobalScope
import kotlinx.coroutines.Job
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.TimeoutCancellationException
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.completeWith
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.isActive
import kotlinx.coroutines.joinAll
import kotlinx.coroutines.launch
import kotlinx.coroutines.selects.onTimeout
import kotlinx.coroutines.selects.select
import kotlinx.coroutines.supervisorScope
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeout
import kotlinx.coroutines.withTimeoutOrNull
import kotlinx.coroutines.yield
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.assertThrows
import org.junit.jupiter.api.extension.RegisterExtension
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.EnumSource

/** G6, F13, F15, F20: a closed dispatcher cancels what it refuses, and nothing hangs. */
@Timeout(120)
@OptIn(DelicateCoroutinesApi::class, ExperimentalCoroutinesApi::class)
internal class CloseTest {
    @JvmField @RegisterExtension val schedulers = Schedulers()

    private val scheduler by lazy { schedulers.scheduler(4) }
    private val dispatcher by lazy { WorkStealingDispatcher.of(scheduler) }

    private fun assertElsewhere(thread: String) =
        assertTrue(thread.startsWith("DefaultDispatcher-worker"), thread)

    @ParameterizedTest
    @EnumSource
    fun launch_afterClose_isCancelledAndSaysWhy(route: Route) = runSoon {
        val d = route.of(dispatcher)
        scheduler.close()
        val ran = AtomicInteger()
        val why = CompletableDeferred<Throwable?>()
        val job = GlobalScope.launch(d) { ran.incrementAndGet() }
        job.invokeOnCompletion { why.complete(it) }
        job.join()
        assertEquals(0, ran.get())
        val message = (why.await() as CancellationException).message!!
        assertTrue(message.contains(scheduler.name()), message)
    }

    @ParameterizedTest
    @EnumSource
    fun launch_afterClose_atomicStart_runsElsewhereCancelled(route: Route) = runSoon {
        val d = route.of(dispatcher)
        dispatcher.close()
        val thread = CompletableDeferred<String>()
        val job =
            GlobalScope.launch(d, CoroutineStart.ATOMIC) {
                thread.complete(Thread.currentThread().name)
                yield()
                throw AssertionError("not cancelled")
            }
        job.join()
        assertElsewhere(thread.await())
        assertTrue(job.isCancelled)
    }

    @ParameterizedTest
    @EnumSource
    fun suspended_whenClosed_completesElsewhereWithItsCleanup(route: Route) = runSoon {
        val d = route.of(dispatcher)
        val proceed = CompletableDeferred<Unit>()
        val waits = CompletableDeferred<Unit>()
        val cleanup = CompletableDeferred<String>()
        val job =
            GlobalScope.launch(d) {
                try {
                    waits.complete(Unit)
                    proceed.await()
                    throw AssertionError("went on")
                } finally {
                    withContext(NonCancellable) { cleanup.complete(Thread.currentThread().name) }
                }
            }
        waits.await()
        scheduler.close()
        proceed.complete(Unit)
        job.join()
        assertTrue(job.isCancelled)
        assertElsewhere(cleanup.await())
    }

    @ParameterizedTest
    @EnumSource
    fun withContext_afterClose_throwsCancellation(route: Route) = runSoon {
        val d = route.of(dispatcher)
        dispatcher.close()
        assertThrows<CancellationException> { withContext(d) {} }
        assertThrows<CancellationException> { withContext(NonCancellable + d) {} }
        assertTrue(coroutineContext[Job]!!.isActive)
    }

    @ParameterizedTest
    @EnumSource
    fun plainTask_afterClose_runsElsewhere(route: Route) = runSoon {
        // There is no job to cancel. A dispatcher promises to run the block.
        val d = route.of(dispatcher)
        dispatcher.close()
        val thread = CompletableDeferred<String>()
        d.dispatch(EmptyCoroutineContext) { thread.complete(Thread.currentThread().name) }
        assertElsewhere(thread.await())
        val yielded = CompletableDeferred<String>()
        d.dispatchYieldForTest { yielded.complete(Thread.currentThread().name) }
        assertElsewhere(yielded.await())
    }

    @ParameterizedTest
    @EnumSource(Route::class, names = ["VIEW", "VIEW_OF_VIEW", "IO_VIEW", "IO_VIEW_OF_VIEW"])
    fun view_afterClose_keepsItsLimit(route: Route) = runSoon {
        val view = route.of(dispatcher)
        val inside = Concurrency()
        var counter = 0
        fun start(n: Int) =
            List(n) {
                GlobalScope.launch(view, CoroutineStart.ATOMIC) {
                    inside.during {
                        counter++
                        Thread.yield()
                    }
                }
            }
        val jobs = start(200) // some of these are accepted, some run when the others come
        dispatcher.close()
        (jobs + start(200)).joinAll()
        assertEquals(400, counter)
        assertEquals(1, inside.highest)
    }

    @ParameterizedTest
    @EnumSource(Route::class, names = ["DIRECT", "VIEW", "VIEW_OF_VIEW", "IO_VIEW"])
    fun accepted_beforeClose_runsOnTheWorkers(route: Route) = runSoon {
        val d = route.of(dispatcher)
        val gate = schedulers.gate()
        val threads = ConcurrentLinkedQueue<String>()
        val jobs =
            List(100) {
                GlobalScope.launch(d) {
                    gate.await()
                    threads += Thread.currentThread().name
                }
            }
        dispatcher.close()
        assertFalse(scheduler.awaitTermination(1, TimeUnit.MILLISECONDS)) // close does not wait
        gate.open()
        scheduler.close()
        assertEquals(100, threads.size)
        assertTrue(threads.all { it.startsWith(scheduler.name()) })
        jobs.joinAll()
        assertTrue(jobs.none { it.isCancelled })
    }

    /** A coroutine that has no job, so that nobody can cancel it. */
    private fun CoroutineDispatcher.startWithoutJob(
        block: suspend () -> Unit
    ): CompletableDeferred<Unit> {
        val end = CompletableDeferred<Unit>()
        block.startCoroutine(Continuation(this) { end.completeWith(it) })
        return end
    }

    @ParameterizedTest
    @EnumSource
    fun coroutineWithoutJob_goesOnElsewhere(route: Route) = runSoon {
        val d = route.of(dispatcher)
        var on = true
        val turns = AtomicInteger()
        val end = d.startWithoutJob {
            while (on) {
                turns.incrementAndGet()
                yield()
            }
        }
        awaitUntil("under way") { turns.get() > 100 }
        scheduler.close() // though the coroutine does not end
        assertTrue(scheduler.isTerminated)
        val then = turns.get()
        awaitUntil("goes on elsewhere") { turns.get() > then + 100 }
        on = false
        end.await()
    }

    @ParameterizedTest
    @EnumSource
    fun delay_whenClosed_isCancelledAtOnce(route: Route) = runSoon {
        val d = route.of(dispatcher)
        val cleaned = AtomicInteger()
        val jobs =
            List(200) {
                GlobalScope.launch(d) {
                    try {
                        delay(FOREVER_MILLIS)
                    } finally {
                        cleaned.incrementAndGet()
                    }
                }
            }
        awaitUntil("armed") { scheduler.stats().armedTimers() == 200 }
        scheduler.close()
        jobs.joinAll()
        assertTrue(jobs.all { it.isCancelled })
        assertEquals(200, cleaned.get())
        assertEquals(0, scheduler.stats().armedTimers())
    }

    /** G11: the rest of its time is waited for nowhere. */
    @Test
    fun delay_whenClosed_releasesItsCoroutine() {
        fun startAndClose(): WeakReference<ByteArray> {
            val (job, held) = dispatcher.delayHolding()
            awaitUntil("armed") { scheduler.stats().armedTimers() == 1 }
            scheduler.close()
            runSoon { job.join() }
            return held
        }
        awaitCollected("what it held", startAndClose())
    }

    /** A scheduler that is closed while something waits for so long. */
    private class ClosedMeanwhile(val scheduler: WorkStealingScheduler, val millis: Long) {
        private val start = System.nanoTime()
        private val nanos
            get() = System.nanoTime() - start

        val dispatcher = WorkStealingDispatcher.of(scheduler)
        var inTime = false

        fun close() {
            scheduler.close()
            inTime = nanos < millis * 1_000_000
        }

        fun assertNotEarly() = assertTrue(nanos >= millis * 1_000_000)
    }

    /**
     * A machine that stands still may be too late with the close: then once more, with more time.
     */
    private suspend fun closedMeanwhile(round: suspend ClosedMeanwhile.() -> Unit) {
        var millis = 20L
        do {
            val it = ClosedMeanwhile(schedulers.scheduler(4), millis)
            it.round()
            millis *= 2
        } while (!it.inTime)
    }

    @ParameterizedTest
    @EnumSource
    fun delay_whenClosed_withoutJob_lastsItsTime(route: Route) = runSoon {
        // G11 beyond the end of the scheduler
        closedMeanwhile {
            val thread = CompletableDeferred<String>()
            val end =
                route.of(dispatcher).startWithoutJob {
                    delay(millis)
                    thread.complete(Thread.currentThread().name)
                }
            awaitUntil("armed") { scheduler.stats().armedTimers() == 1 || thread.isCompleted }
            close()
            end.await()
            assertNotEarly()
            if (inTime) assertElsewhere(thread.await())
        }
    }

    @Test
    fun delay_afterClose_isCancelled() = runSoon {
        val reached = CompletableDeferred<Unit>()
        val job =
            GlobalScope.launch(dispatcher) {
                scheduler.shutdown()
                reached.complete(Unit)
                delay(FOREVER_MILLIS)
            }
        reached.await()
        job.join()
        assertTrue(job.isCancelled)
    }

    @ParameterizedTest
    @EnumSource
    fun timeout_whenClosed_endsItsCoroutineElsewhere(route: Route) = runSoon {
        closedMeanwhile {
            val waits = CompletableDeferred<Unit>()
            val caught = CompletableDeferred<Pair<Throwable, String>>()
            val job =
                GlobalScope.launch(route.of(dispatcher)) {
                    try {
                        withTimeout(millis) {
                            waits.complete(Unit)
                            awaitCancellation()
                        }
                    } catch (e: Throwable) {
                        caught.complete(e to Thread.currentThread().name)
                        throw e
                    }
                }
            waits.await()
            close()
            job.join()
            val (thrown, thread) = caught.await()
            assertTrue(thrown is CancellationException, "$thrown")
            assertTrue(job.isCancelled)
            assertNotEarly()
            if (inTime) assertElsewhere(thread)
        }
    }

    /**
     * F13: what is refused belongs to the timeout, whose job has ended; the one that polls would go
     * on for ever on the thread where that was told.
     */
    @ParameterizedTest
    @EnumSource
    fun pollingWithTimeouts_whenClosed_ends(route: Route) = runSoon {
        val polls = AtomicInteger()
        val job =
            GlobalScope.launch(route.of(dispatcher)) {
                while (true) {
                    polls.incrementAndGet()
                    withTimeoutOrNull(1) { awaitCancellation() }
                }
            }
        try {
            awaitUntil("polls") { polls.get() > 2 }
            scheduler.close()
            job.join()
        } finally {
            job.cancel()
        }
    }

    @ParameterizedTest
    @EnumSource
    fun scopesInACoroutine_whenClosed_areCancelledWithIt(route: Route) = runSoon {
        val waits = CompletableDeferred<Unit>()
        val goOn = CompletableDeferred<Unit>()
        val wasActive = CompletableDeferred<Boolean>()
        val job =
            GlobalScope.launch(route.of(dispatcher)) {
                runCatching {
                    supervisorScope {
                        coroutineScope {
                            waits.complete(Unit)
                            goOn.await()
                        }
                    }
                }
                wasActive.complete(isActive)
            }
        waits.await()
        scheduler.close()
        goOn.complete(Unit)
        job.join()
        assertFalse(wasActive.await())
    }

    @ParameterizedTest
    @EnumSource
    fun withContext_whenClosed_whoWaitsOnAnotherDispatcherGoesOn(route: Route) = runSoon {
        val waits = CompletableDeferred<Unit>()
        val goOn = CompletableDeferred<Unit>()
        val closing = GlobalScope.launch {
            waits.await()
            scheduler.close()
            goOn.complete(Unit)
        }
        assertThrows<CancellationException> {
            withContext(route.of(dispatcher)) {
                coroutineScope {
                    waits.complete(Unit)
                    goOn.await()
                }
            }
        }
        assertTrue(coroutineContext[Job]!!.isActive)
        closing.join()
    }

    @Test
    fun delayInATimeout_whenClosed_isNotTakenForATimeout() = runSoon {
        val caught = CompletableDeferred<Throwable>()
        val job =
            GlobalScope.launch(dispatcher) {
                try {
                    withTimeout(FOREVER_MILLIS) { delay(FOREVER_MILLIS) }
                } catch (e: Throwable) {
                    caught.complete(e)
                    throw e
                }
            }
        awaitUntil("armed") { scheduler.stats().armedTimers() == 2 }
        scheduler.close()
        job.join()
        val e = caught.await()
        assertTrue(e is CancellationException && e !is TimeoutCancellationException, "$e")
    }

    @Test
    fun onTimeout_whenClosed_withoutJob_firesAtItsTime() = runSoon {
        closedMeanwhile {
            val result = CompletableDeferred<String>()
            val waits = CompletableDeferred<Unit>()
            dispatcher.startWithoutJob {
                waits.complete(Unit)
                result.complete(select { onTimeout(millis) { "timeout" } })
            }
            waits.await()
            close()
            assertEquals("timeout", result.await())
            assertNotEarly()
        }
    }

    @Test
    fun close_fromACoroutine_twice_doesNotDeadlock() = runSoon {
        val closed = CompletableDeferred<Unit>()
        GlobalScope.launch(dispatcher) {
                dispatcher.close()
                scheduler.close() // on a worker it does not wait
                dispatcher.close()
                closed.complete(Unit)
            }
            .join()
        closed.await()
        assertTrue(scheduler.awaitTermination(DEADLINE.inWholeSeconds, TimeUnit.SECONDS))
    }

    @Test
    fun close_fromTwoThreadsAndALane() = runSoon {
        val closers =
            List(2) { Thread { scheduler.close() } } + List(2) { Thread { dispatcher.close() } }
        val inLane = GlobalScope.launch(dispatcher.io()) { scheduler.close() }
        closers.forEach(Thread::start)
        closers.forEach(Thread::join)
        inLane.join()
        scheduler.close()
        assertTrue(scheduler.isTerminated)
    }

    @ParameterizedTest
    @EnumSource
    fun close_racingDispatches_eachRunsOrIsCancelled(route: Route) = runSoon {
        // F13
        repeat(20) {
            val racing = schedulers.scheduler(4)
            val d = route.of(WorkStealingDispatcher.of(racing))
            val scope = CoroutineScope(d + Job())
            val ran = AtomicInteger()
            val jobs = ConcurrentLinkedQueue<Job>()
            val threads = ConcurrentLinkedQueue<String>()
            val submitters =
                List(2) {
                    Thread {
                        repeat(200) {
                            jobs += scope.launch {
                                threads += Thread.currentThread().name
                                yield()
                                ran.incrementAndGet()
                            }
                        }
                    }
                }
            submitters.forEach(Thread::start)
            awaitUntil("under way") { ran.get() > 0 }
            racing.close()
            submitters.forEach(Thread::join)
            jobs.joinAll()
            assertEquals(400, jobs.size)
            assertEquals(400, ran.get() + jobs.count { it.isCancelled })
            // What is refused is cancelled before it begins.
            assertEquals(emptyList<String>(), threads.filter { !it.startsWith(racing.name()) })
            assertTrue(threads.size in ran.get()..400)
        }
    }
}
