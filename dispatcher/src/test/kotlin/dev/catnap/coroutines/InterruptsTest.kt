package dev.catnap.coroutines

import java.util.concurrent.CountDownLatch
import java.util.concurrent.atomic.AtomicBoolean
import java.util.concurrent.atomic.AtomicInteger
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.async
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
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.extension.RegisterExtension
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.EnumSource

/** G7, F12: an interrupt from outside ends with the task that it hits, and kills no worker. */
@Timeout(120)
internal class InterruptsTest {
    @JvmField @RegisterExtension val schedulers = Schedulers()

    @ParameterizedTest
    @EnumSource
    fun interruptedWhileItRuns_seesTheFlag_theNextDoesNot(route: Route) = runSoon {
        val dispatcher = schedulers.dispatcher(2)
        val d = route.of(dispatcher)
        repeat(20) {
            val thread = CompletableDeferred<Thread>()
            val hit =
                launch(d) {
                    thread.complete(Thread.currentThread())
                    while (!Thread.currentThread().isInterrupted) Thread.onSpinWait()
                }
            thread.await().interrupt()
            hit.join()
            assertFalse(withContext(d) { Thread.currentThread().isInterrupted })
        }
        assertServes(dispatcher)
    }

    @ParameterizedTest
    @EnumSource
    fun interruptedWhileItBlocks_failsAlone(route: Route) = runSoon {
        val dispatcher = schedulers.dispatcher(2)
        val scope = CoroutineScope(route.of(dispatcher) + SupervisorJob())
        val thread = CompletableDeferred<Thread>()
        val hit = scope.async {
            withContext(dispatcher.io()) {
                thread.complete(Thread.currentThread())
                CountDownLatch(1).await()
            }
        }
        val other = scope.launch { delay(1) }
        thread.await().interrupt()
        hit.join()
        other.join()
        val thrown = runCatching { hit.await() }.exceptionOrNull()
        assertTrue(thrown is InterruptedException, "$thrown")
        assertFalse(other.isCancelled)
        assertServes(dispatcher)
    }

    /** What an interrupt that is nobody's cancellation makes of `runInterruptible`. */
    private suspend fun outcomeOfAStrayInterrupt(io: CoroutineDispatcher): Class<*> {
        val thread = CompletableDeferred<Thread>()
        val hit =
            CoroutineScope(SupervisorJob()).async(io) {
                runInterruptible {
                    thread.complete(Thread.currentThread())
                    CountDownLatch(1).await()
                }
            }
        thread.await().interrupt()
        hit.join()
        val thrown = runCatching { hit.await() }.exceptionOrNull()!!
        return if (thrown is CancellationException) CancellationException::class.java
        else thrown.javaClass
    }

    @Test
    fun runInterruptible_strayInterrupt_isThatOfDispatchersIO() = runSoon {
        val dispatcher = schedulers.dispatcher(2)
        val expected = outcomeOfAStrayInterrupt(Dispatchers.IO)
        assertEquals(expected, outcomeOfAStrayInterrupt(dispatcher.io()))
        assertEquals(expected, outcomeOfAStrayInterrupt(dispatcher.io().limitedParallelism(1)))
        assertServes(dispatcher)
    }

    @Test
    fun everyWorkerInterruptedAllTheTime_everyCoroutineCompletes() = runSoon {
        val scheduler = schedulers.scheduler(4)
        val dispatcher = WorkStealingDispatcher.of(scheduler)
        val on = AtomicBoolean(true)
        val interrupts = AtomicInteger()
        val interrupter = Thread {
            while (on.get()) {
                for (thread in Thread.getAllStackTraces().keys) {
                    // Workers only; what a timer thread is for is not a task's business.
                    if (thread.name.startsWith(scheduler.name() + "-")) thread.interrupt()
                }
                interrupts.incrementAndGet()
            }
        }
        interrupter.start()
        try {
            val ran = AtomicInteger()
            var rounds = 0
            while (interrupts.get() < 20) {
                List(100) { i ->
                        launch(Route.entries[i % Route.entries.size].of(dispatcher)) {
                            yield()
                            delay(i % 3L)
                            withContext(dispatcher.io()) { assertTrue(isActive) }
                            ran.incrementAndGet()
                        }
                    }
                    .joinAll()
                assertEquals(100 * ++rounds, ran.get())
            }
        } finally {
            on.set(false)
            interrupter.join()
        }
        assertEquals(0, scheduler.stats().uncaughtExceptions())
        assertServes(dispatcher)
    }
}
