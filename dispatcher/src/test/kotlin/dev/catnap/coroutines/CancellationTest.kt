package dev.catnap.coroutines

import java.util.concurrent.CountDownLatch
import java.util.concurrent.atomic.AtomicInteger
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Job
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.delay
import kotlinx.coroutines.isActive
import kotlinx.coroutines.joinAll
import kotlinx.coroutines.launch
import kotlinx.coroutines.runInterruptible
import kotlinx.coroutines.withContext
import kotlinx.coroutines.yield
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.extension.RegisterExtension
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.EnumSource

/** G12: a coroutine can be cancelled in every state, and ends; the pool serves on. */
@Timeout(120)
internal class CancellationTest {
    @JvmField @RegisterExtension val schedulers = Schedulers()

    /** One thread in all: whoever has it keeps everybody else in the queues. */
    private val single by lazy { schedulers.dispatcher(1, maxThreads = 1) }
    private val dispatcher by lazy { schedulers.dispatcher(2) }

    /** Without a parent, so that nothing else ends its coroutines. */
    private fun scope(route: Route, of: WorkStealingDispatcher = dispatcher) =
        CoroutineScope(route.of(of) + SupervisorJob())

    private suspend fun holdTheThread(): Pair<Gate, Job> {
        val gate = schedulers.gate()
        val held = CompletableDeferred<Unit>()
        val holder =
            CoroutineScope(single).launch {
                held.complete(Unit)
                gate.await()
            }
        held.await()
        return gate to holder
    }

    private fun assertEndedByCancellation(job: Job) {
        assertTrue(job.isCompleted)
        assertTrue(job.isCancelled)
    }

    @ParameterizedTest
    @EnumSource
    fun lazy_notStarted(route: Route) = runSoon {
        val ran = AtomicInteger()
        val job = scope(route).launch(start = CoroutineStart.LAZY) { ran.incrementAndGet() }
        job.cancelAndJoin()
        assertFalse(job.start())
        assertEndedByCancellation(job)
        assertEquals(0, ran.get())
        assertServes(dispatcher)
    }

    @ParameterizedTest
    @EnumSource
    fun dispatched_notStarted(route: Route) = runSoon {
        val (gate, holder) = holdTheThread()
        val ran = AtomicInteger()
        val jobs = List(50) { scope(route, single).launch { ran.incrementAndGet() } }
        jobs.forEach { it.cancel() }
        gate.open()
        (jobs + holder).joinAll()
        jobs.forEach(::assertEndedByCancellation)
        assertEquals(0, ran.get())
        assertServes(single)
    }

    @ParameterizedTest
    @EnumSource
    fun resumed_notContinued(route: Route) = runSoon {
        // The prompt guarantee: a result on its way to a coroutine that is cancelled is not seen.
        val result = CompletableDeferred<Int>()
        val waits = CompletableDeferred<Unit>()
        val seen = AtomicInteger()
        val job =
            scope(route, single).launch {
                waits.complete(Unit)
                seen.set(result.await())
            }
        waits.await()
        val (gate, holder) = holdTheThread()
        result.complete(1)
        job.cancel()
        gate.open()
        listOf(job, holder).joinAll()
        assertEndedByCancellation(job)
        assertEquals(0, seen.get())
        assertServes(single)
    }

    @ParameterizedTest
    @EnumSource
    fun running(route: Route) = runSoon {
        val running = Concurrency()
        val scope = scope(route)
        val jobs =
            listOf(
                scope.launch { running.during { while (isActive) yield() } },
                scope.launch { running.during { while (isActive) Thread.onSpinWait() } },
            )
        awaitUntil("it runs") { running.highest >= 1 }
        jobs.forEach { it.cancel() }
        jobs.joinAll()
        jobs.forEach(::assertEndedByCancellation)
        assertEquals(0, running.current)
        assertServes(dispatcher)
    }

    @ParameterizedTest
    @EnumSource
    fun suspended_inDelay(route: Route) = runSoon {
        val cleaned = AtomicInteger()
        val jobs =
            List(50) {
                scope(route).launch {
                    try {
                        delay(FOREVER_MILLIS)
                    } finally {
                        cleaned.incrementAndGet()
                    }
                }
            }
        val scheduler = dispatcher.executor as dev.catnap.WorkStealingScheduler
        awaitUntil("armed") { scheduler.stats().armedTimers() == 50 }
        jobs.forEach { it.cancel() }
        jobs.joinAll()
        jobs.forEach(::assertEndedByCancellation)
        assertEquals(50, cleaned.get())
        assertServes(dispatcher)
    }

    @ParameterizedTest
    @EnumSource
    fun suspended_inAChannel(route: Route) = runSoon {
        val channel = Channel<Int>()
        val waiting = Concurrency()
        val scope = scope(route)
        suspend fun cancelled(n: Int, block: suspend () -> Unit) {
            val jobs = List(n) { scope.launch { waiting.during { block() } } }
            awaitUntil("all have begun") { waiting.current == n }
            jobs.forEach { it.cancel() }
            jobs.joinAll()
            jobs.forEach(::assertEndedByCancellation)
        }
        cancelled(20) { channel.send(1) }
        cancelled(20) { channel.receive() }
        assertTrue(channel.tryReceive().isFailure, "an element of a sender that was cancelled")
        scope.launch { channel.send(42) }
        assertEquals(42, channel.receive())
        assertServes(dispatcher)
    }

    @ParameterizedTest
    @EnumSource
    fun inWithContextIo_queued(route: Route) = runSoon {
        val view = dispatcher.io().limitedParallelism(1)
        val gate = schedulers.gate()
        val held = CompletableDeferred<Unit>()
        val holder =
            launch(view) {
                held.complete(Unit)
                gate.await()
            }
        held.await()
        val ran = AtomicInteger()
        val begun = AtomicInteger()
        val jobs =
            List(20) {
                scope(route).launch {
                    begun.incrementAndGet()
                    withContext(view) { ran.incrementAndGet() }
                }
            }
        awaitUntil("all have begun") { begun.get() == 20 }
        jobs.forEach { it.cancel() }
        gate.open()
        (jobs + holder).joinAll()
        jobs.forEach(::assertEndedByCancellation)
        assertEquals(0, ran.get())
        assertServes(dispatcher)
    }

    @ParameterizedTest
    @EnumSource
    fun inWithContextIo_blocked_endsWhenItsCallReturns(route: Route) = runSoon {
        val gate = schedulers.gate()
        val blocked = CompletableDeferred<Unit>()
        val after = AtomicInteger()
        val job =
            scope(route).launch {
                withContext(dispatcher.io()) {
                    blocked.complete(Unit)
                    gate.await() // does not care
                }
                after.incrementAndGet()
            }
        blocked.await()
        job.cancel()
        withContext(dispatcher) {} // the others go on meanwhile
        assertFalse(job.isCompleted)
        gate.open()
        job.join()
        assertEndedByCancellation(job)
        assertEquals(0, after.get())
        assertServes(dispatcher)
    }

    @ParameterizedTest
    @EnumSource
    fun inWithContextIo_blockedInterruptibly_endsAtOnce(route: Route) = runSoon {
        val blocked = CompletableDeferred<Unit>()
        val job =
            scope(route).launch {
                runInterruptible(dispatcher.io()) {
                    blocked.complete(Unit)
                    CountDownLatch(1).await()
                }
            }
        blocked.await()
        job.cancelAndJoin()
        assertEndedByCancellation(job)
        assertServes(dispatcher)
    }

    @ParameterizedTest
    @EnumSource
    fun cancelling_again(route: Route) = runSoon {
        val started = CompletableDeferred<Unit>()
        val cleaning = CompletableDeferred<Unit>()
        val goOn = CompletableDeferred<Unit>()
        val cleaned = AtomicInteger()
        val job =
            scope(route).launch {
                try {
                    started.complete(Unit)
                    delay(FOREVER_MILLIS)
                } finally {
                    withContext(NonCancellable) {
                        cleaning.complete(Unit)
                        goOn.await()
                        delay(1)
                        withContext(dispatcher.io()) { yield() }
                        cleaned.incrementAndGet()
                    }
                }
            }
        started.await()
        job.cancel()
        cleaning.await()
        job.cancel() // in the middle of its cleanup, which goes on
        goOn.complete(Unit)
        job.join()
        assertEndedByCancellation(job)
        assertEquals(1, cleaned.get())
        assertServes(dispatcher)
    }

    @ParameterizedTest
    @EnumSource
    fun completing_waitingForItsChildren(route: Route) = runSoon {
        val child = CompletableDeferred<Job>()
        val job =
            scope(route).launch {
                child.complete(launch { delay(FOREVER_MILLIS) })
            }
        val waiting = child.await()
        awaitUntil("its body is over") { job.toString().contains("Completing") }
        job.cancelAndJoin()
        assertEndedByCancellation(job)
        assertEndedByCancellation(waiting)
        assertServes(dispatcher)
    }

    @ParameterizedTest
    @EnumSource
    fun completed(route: Route) = runSoon {
        val job = scope(route).launch { yield() }
        job.join()
        job.cancelAndJoin()
        assertFalse(job.isCancelled)
        assertServes(dispatcher)
    }
}
