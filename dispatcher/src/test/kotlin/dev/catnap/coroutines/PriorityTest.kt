package dev.catnap.coroutines

import dev.catnap.spi.SchedulerTuning
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.atomic.AtomicBoolean
import java.util.concurrent.atomic.AtomicInteger
import kotlinx.coroutines.Job
import kotlinx.coroutines.delay
import kotlinx.coroutines.job
import kotlinx.coroutines.joinAll
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeout
import kotlinx.coroutines.yield
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNotSame
import org.junit.jupiter.api.Assertions.assertSame
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.extension.RegisterExtension

/** G5: low priority gives way, and does not starve. */
@Timeout(120)
internal class PriorityTest {
    @JvmField @RegisterExtension val schedulers = Schedulers()

    @Test
    fun low_runsWhenNothingElseIsLeft() = runSoon {
        val dispatcher = schedulers.dispatcher(1)
        val low = dispatcher.withPriority(Priority.LOW)
        val log = ConcurrentLinkedQueue<String>()
        withContext(dispatcher) {
            repeat(2) { launch(low) { log += "low" } }
            repeat(100) { launch { log += "normal" } }
        }
        assertEquals(List(100) { "normal" } + listOf("low", "low"), log.toList())
    }

    /** It gives way each time it suspends: the turns of one that yields are between the others. */
    @Test
    fun low_thatYields_letsOthersPass() = runSoon {
        val dispatcher = schedulers.dispatcher(1)
        val low = dispatcher.withPriority(Priority.LOW)
        val steps = AtomicInteger()
        val over = AtomicBoolean()
        val background =
            launch(low) {
                while (!over.get()) {
                    steps.incrementAndGet()
                    yield()
                }
            }
        awaitUntil("it runs") { steps.get() > 0 }
        withContext(dispatcher) {
            val before = steps.get()
            repeat(100) { launch { assertTrue(steps.get() <= before + 1) } }
        }
        over.set(true)
        background.join()
    }

    /**
     * A normal coroutine that never stops yielding, on the only worker. All is counted there: from
     * outside, how far it gets meanwhile depends on when a thread gets a processor.
     */
    @Test
    fun low_besideEndlessWork_goesOn() = runSoon {
        val dispatcher = schedulers.dispatcher(1, maxThreads = 1) { countedTurns() }
        val low = dispatcher.withPriority(Priority.LOW)
        withContext(dispatcher) {
            var turns = 0
            val endless = launch {
                while (true) {
                    turns++
                    yield()
                }
            }
            repeat(20) {
                val before = turns
                var waited = -1
                launch(low) { waited = turns - before }.join()
                assertTrue(waited in 0..MOST_TASKS_BETWEEN) { "$waited turns" }
            }
            // Nor more often than that: it gives way.
            assertTrue(turns > 19 * MOST_TASKS_BETWEEN - 100) { "$turns turns" }
            endless.cancel()
        }
    }

    @Test
    fun low_delays_timeouts_andViews() = runSoon {
        val dispatcher = schedulers.dispatcher(2)
        val low = dispatcher.withPriority(Priority.LOW)
        val view = low.limitedParallelism(1)
        val inside = Concurrency()
        val jobs =
            List(50) {
                launch(view) {
                    inside.during { Thread.onSpinWait() }
                    delay(1)
                    withTimeout(FOREVER_MILLIS) { yield() }
                }
            }
        jobs.joinAll()
        assertTrue(jobs.none { it.isCancelled })
        assertEquals(1, inside.highest)
        // Until the workers sleep, what their names tell changes from one to the other.
        awaitUntil("its name") { "$dispatcher.withPriority(LOW)" == low.toString() }
        awaitUntil("the name of its view") { "$low.limitedParallelism(1)" == view.toString() }
        assertEquals("crawler", low.limitedParallelism(1, "crawler").toString())
    }

    /** A view as well: what is dispatched after it goes before it. */
    @Test
    fun low_viewsGiveWay() = runSoon {
        val dispatcher = schedulers.dispatcher(1)
        val view = dispatcher.withPriority(Priority.LOW).limitedParallelism(1)
        val gate = schedulers.gate()
        val busy = AtomicBoolean()
        val order = ConcurrentLinkedQueue<String>()
        val holder =
            launch(dispatcher) {
                busy.set(true)
                gate.await()
            }
        awaitUntil("the worker is busy") { busy.get() }
        val low = launch(view) { order += "low" }
        val other = launch(dispatcher) { order += "other" }
        gate.open()
        listOf(holder, low, other).joinAll()
        assertEquals(listOf("other", "low"), order.toList())
    }

    @Test
    fun identity_isStable() {
        val dispatcher = schedulers.dispatcher(2)
        val low = dispatcher.withPriority(Priority.LOW)
        assertSame(dispatcher, dispatcher.withPriority(Priority.NORMAL))
        assertSame(low, dispatcher.withPriority(Priority.LOW))
        assertNotSame(dispatcher, low)
        assertSame(low, low.limitedParallelism(2))
    }

    /** F15. */
    @Test
    fun low_afterClose_isCancelledAndCompletes() = runSoon {
        val dispatcher = schedulers.dispatcher(1)
        val low = dispatcher.withPriority(Priority.LOW)
        dispatcher.close()
        val after = launch(Job() + low) { delay(1) }
        after.join()
        assertTrue(after.isCancelled)
        val inView = launch(Job() + low.limitedParallelism(1)) { delay(1) }
        inView.join()
        assertTrue(inView.isCancelled)
    }

    @Test
    fun common_background() = runSoon {
        val ran = withContext(CatnapDispatchers.Background) { Thread.currentThread().name }
        assertTrue(ran.startsWith("catnap-worker-")) { ran }
        assertEquals("CatnapDispatchers.Background", CatnapDispatchers.Background.toString())
        assertTrue(coroutineContext.job.isActive)
    }

    private companion object {
        /** The background is looked at in every eighth interval of the injector. */
        val MOST_TASKS_BETWEEN = 8 * SchedulerTuning.production().injectorInterval()
    }
}
