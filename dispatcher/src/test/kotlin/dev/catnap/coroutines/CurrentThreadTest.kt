package dev.catnap.coroutines

import dev.catnap.CurrentThreadScheduler
import java.util.concurrent.Callable
import java.util.concurrent.CancellationException
import kotlin.coroutines.EmptyCoroutineContext
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.delay
import kotlinx.coroutines.future.future
import kotlinx.coroutines.joinAll
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeout
import kotlinx.coroutines.yield
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertSame
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test

/** Coroutines on the thread that runs them: they never leave it, so plain state is safe. */
internal class CurrentThreadTest {

    private fun <T> CurrentThreadScheduler.runBlocking(block: suspend CoroutineScope.() -> T): T =
        runUntil(CoroutineScope(WorkStealingDispatcher.of(scheduler())).future(block = block))

    /** Resumed by delays, yields, channels and threads of other dispatchers, 50 at a time. */
    @Test
    fun coroutinesShareStateWithoutALock_andNeverChangeTheirThread() {
        CurrentThreadScheduler.create().use { current ->
            val self = Thread.currentThread()
            var count = 0
            val elsewhere = mutableSetOf<Thread>()
            fun step() {
                count++
                if (Thread.currentThread() !== self) elsewhere += Thread.currentThread()
            }
            current.runBlocking {
                val channel = Channel<Int>()
                val jobs =
                    List(50) {
                        launch {
                            repeat(100) { i ->
                                step()
                                when (i % 4) {
                                    0 -> yield()
                                    1 -> withContext(Dispatchers.Default) {}
                                    2 -> delay(1)
                                    else -> channel.send(i)
                                }
                                step()
                            }
                        }
                    }
                val receiver = launch { for (ignored in channel) step() }
                jobs.joinAll()
                channel.close()
                receiver.join()
            }
            assertEquals(50 * 100 * 2 + 50 * 25, count)
            assertEquals(emptySet<Thread>(), elsewhere)
        }
    }

    @Test
    fun aTimeoutAndACancellationWakeTheThread() {
        CurrentThreadScheduler.create().use { current ->
            // A timeout that nobody catches is a cancellation, also of what the run waits for.
            assertThrows(CancellationException::class.java) {
                current.runBlocking { withTimeout(5) { awaitCancellation() } }
            }
            val self = Thread.currentThread()
            current.runBlocking {
                val job = launch {
                    try {
                        delay(FOREVER_MILLIS)
                    } finally {
                        assertSame(self, Thread.currentThread())
                    }
                }
                yield()
                launch(Dispatchers.Default) { job.cancel() }
                job.join()
                assertTrue(job.isCancelled)
            }
            assertEquals(0, current.scheduler().stats().armedTimers())
        }
    }

    /** G6: what a run leaves suspended goes on in the next, and is cancelled after the close. */
    @Test
    fun aCoroutineGoesOnInTheNextRun_andIsCancelledAfterTheClose() {
        val current = CurrentThreadScheduler.create()
        val scope = CoroutineScope(WorkStealingDispatcher.of(current.scheduler()))
        val steps = Channel<Int>(Channel.UNLIMITED)
        val gate = Channel<Unit>()
        val job = scope.launch {
            steps.send(1)
            gate.receive()
            steps.send(2)
            gate.receive()
        }
        assertEquals(1, current.runBlocking { steps.receive() })
        assertEquals(
            2,
            current.runBlocking {
                gate.send(Unit)
                steps.receive()
            },
        )
        assertTrue(job.isActive)
        current.close()
        assertTrue(gate.trySend(Unit).isSuccess, "it is resumed, and cannot be dispatched")
        awaitUntil("it ends elsewhere") { job.isCompleted }
        assertTrue(job.isCancelled)
    }

    @Test
    fun closedWhileItRuns_theRunEnds() {
        val current = CurrentThreadScheduler.create()
        assertThrows(CancellationException::class.java) {
            current.runBlocking {
                current.scheduler().shutdown()
                awaitCancellation()
            }
        }
        assertTrue(current.scheduler().isTerminated)
    }

    /**
     * G7: a view runs several tasks as one of the scheduler's, and an interrupt ends the run
     * between them.
     */
    @Test
    fun anInterruptIsForTheRun_alsoBetweenTwoTasksOfAView() {
        CurrentThreadScheduler.create().use { current ->
            val dispatcher = WorkStealingDispatcher.of(current.scheduler())
            val nothing = Callable { 0 }
            for (view in
                listOf(
                    dispatcher.limitedParallelism(1),
                    dispatcher.io(),
                    dispatcher.io().limitedParallelism(2).limitedParallelism(1),
                )) {
                val ran = mutableListOf<String>()
                fun give(name: String, block: () -> Unit = {}) =
                    view.dispatch(EmptyCoroutineContext) {
                        ran += name
                        block()
                    }
                give("first")
                give("interrupted") { Thread.currentThread().interrupt() }
                give("third") { ran += "interrupted: ${Thread.currentThread().isInterrupted}" }
                assertThrows(InterruptedException::class.java) { current.run(nothing) }
                assertEquals(listOf("first", "interrupted"), ran)
                current.run(nothing)
                current.run(nothing) // behind the view, which had gone behind the first one
                assertEquals(
                    listOf("first", "interrupted", "third", "interrupted: false"),
                    ran,
                )
            }
        }
    }

    /** G6: its `close` runs on the caller what a view has accepted, and cancels none of it. */
    @Test
    fun whatViewsHaveAcceptedRunsOnWhoCloses() {
        val current = CurrentThreadScheduler.create()
        val dispatcher = WorkStealingDispatcher.of(current.scheduler())
        val self = Thread.currentThread()
        val ran = mutableListOf<Thread>()
        val views =
            listOf(
                dispatcher.limitedParallelism(1),
                dispatcher.io(),
                dispatcher.confinedTo(0),
            )
        val jobs = views.flatMap { view ->
            List(40) { CoroutineScope(view).launch { ran += Thread.currentThread() } }
        }
        current.close()
        assertEquals(List(jobs.size) { self }, ran)
        assertTrue(jobs.none { it.isCancelled })
    }

    /** G6: nobody is the worker any more, and what comes completes elsewhere. */
    @Test
    fun afterTheClose_aConfinedCoroutineIsCancelledAndCompletes() {
        val current = CurrentThreadScheduler.create()
        val dispatcher = WorkStealingDispatcher.of(current.scheduler())
        val goOn = Channel<Unit>()
        val jobs =
            listOf(dispatcher, dispatcher.confinedTo(0), dispatcher.limitedParallelism(1)).map {
                view ->
                CoroutineScope(view).launch { goOn.receive() }
            }
        current.close()
        repeat(jobs.size) { assertTrue(goOn.trySend(Unit).isSuccess) }
        runSoon { jobs.joinAll() }
        assertTrue(jobs.all { it.isCancelled })
    }
}
