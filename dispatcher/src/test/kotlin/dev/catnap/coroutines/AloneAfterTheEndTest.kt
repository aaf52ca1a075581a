package dev.catnap.coroutines

import dev.catnap.Flavor
import java.util.concurrent.CountDownLatch
import java.util.concurrent.atomic.AtomicInteger
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Job
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.joinAll
import kotlinx.coroutines.launch
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.extension.RegisterExtension
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.CsvSource

/**
 * G6, F13, F14: coroutines that need no lock because of the worker that they stay on need none when
 * the scheduler ends, and they end elsewhere.
 */
@Timeout(120)
internal class AloneAfterTheEndTest {
    @JvmField @RegisterExtension val schedulers = Schedulers()

    private val coroutines = 50

    /** Of these the worker runs so many, if it is let. */
    private val accepted = 20

    /** Interrupted by `shutdownNow`, it goes on all the same. */
    private fun Gate.awaitDespiteInterrupt() =
        try {
            await()
        } catch (e: InterruptedException) {
            await()
        }

    @ParameterizedTest
    @CsvSource(
        "WORK_STEALING, false",
        "WORK_STEALING, true",
        "THREAD_PER_CORE, false",
        "THREAD_PER_CORE, true",
    )
    fun whatAWorkerIsRefused_runsBehindWhatItRuns_oneByOne_inOrder(flavor: Flavor, now: Boolean) =
        runSoon {
            val scheduler = schedulers.scheduler(2, 2) { flavor(flavor) }
            val dispatcher = WorkStealingDispatcher.of(scheduler)
            val place: CoroutineDispatcher =
                if (flavor == Flavor.WORK_STEALING) dispatcher.confinedTo(1) else dispatcher
            val scope = CoroutineScope(place + SupervisorJob())
            val inside = Concurrency()
            val order = mutableListOf<Int>() // by one at a time
            val waiting = AtomicInteger()
            val goOn = List(coroutines) { CompletableDeferred<Unit>() }
            val hold = CompletableDeferred<Unit>()
            val held = CountDownLatch(1)
            val gate = schedulers.gate()
            val jobs = mutableListOf<Job>()
            // From one of the worker: on a thread per core they live where it does.
            scope
                .launch {
                    jobs += scope.launch {
                        hold.await()
                        inside.during {
                            held.countDown()
                            gate.awaitDespiteInterrupt()
                        }
                    }
                    jobs +=
                        List(coroutines) { number ->
                            scope.launch {
                                try {
                                    waiting.incrementAndGet()
                                    goOn[number].await()
                                } finally {
                                    inside.during {
                                        order += number
                                        Thread.sleep(1) // so that two of them would meet
                                    }
                                }
                            }
                        }
                }
                .join()
            awaitUntil("all wait") { waiting.get() == coroutines }
            hold.complete(Unit)
            awaitUntil("the worker is held") { held.count == 0L }
            if (now) {
                goOn.forEach { it.complete(Unit) } // queued
                assertEquals(emptyList<Runnable>(), scheduler.shutdownNow())
            } else {
                goOn.take(accepted).forEach { it.complete(Unit) }
                scheduler.shutdown()
                goOn.drop(accepted).forEach { it.complete(Unit) } // refused
            }
            val refused = jobs.drop(if (now) 1 else 1 + accepted)
            awaitUntil("told at once") { refused.all { it.isCancelled } }
            assertEquals(emptyList<Int>(), order, "while the worker is held")
            gate.open()
            jobs.joinAll()
            assertEquals(1, inside.highest, "at once")
            assertEquals(List(coroutines) { it }, order)
            assertTrue(refused.all { it.isCancelled })
            awaitUntil("the scheduler ends") { scheduler.isTerminated() }
        }

    /** What is cancelled and takes no notice goes on elsewhere: the worker comes to its end. */
    @ParameterizedTest
    @CsvSource("WORK_STEALING", "THREAD_PER_CORE")
    fun oneThatNeverEnds_doesNotKeepTheSchedulerFromItsEnd(flavor: Flavor) = runSoon {
        val scheduler = schedulers.scheduler(2, 2) { flavor(flavor) }
        val dispatcher = WorkStealingDispatcher.of(scheduler)
        val place: CoroutineDispatcher =
            if (flavor == Flavor.WORK_STEALING) dispatcher.confinedTo(1) else dispatcher
        val turns = AtomicInteger()
        val enough = AtomicInteger(Int.MAX_VALUE)
        val stubborn =
            CoroutineScope(place).launch {
                while (turns.incrementAndGet() < enough.get()) {
                    place.dispatchedAgain()
                }
            }
        awaitUntil("it runs") { turns.get() > 100 }
        scheduler.shutdown()
        awaitUntil("the scheduler ends") { scheduler.isTerminated() }
        val after = turns.get()
        awaitUntil("it goes on elsewhere") { turns.get() > after + 100 }
        enough.set(0)
        stubborn.join()
    }

    /** As `yield`, which would notice that the coroutine is cancelled. */
    private suspend fun CoroutineDispatcher.dispatchedAgain() =
        kotlin.coroutines.suspendCoroutine<Unit> { continuation ->
            dispatch(continuation.context) {
                continuation.resumeWith(Result.success(Unit))
            }
        }
}
