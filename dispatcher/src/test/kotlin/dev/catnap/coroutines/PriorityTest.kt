package dev.catnap.coroutines

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

    /** A normal coroutine that never stops yielding, on the only worker. */
    @Test
    fun low_besideEndlessWork_goesOn() = runSoon {
        val dispatcher = schedulers.dispatcher(1)
        val low = dispatcher.withPriority(Priority.LOW)
        val turns = AtomicInteger()
        val endless =
            launch(dispatcher) {
                while (true) {
                    turns.incrementAndGet()
                    yield()
                }
            }
        awaitUntil("it runs") { turns.get() > 0 }
        val begun = turns.get()
        // About one task in 500; a resumption is a task, and there may be some of the test's own.
        repeat(20) { withContext(low) {} }
        assertTrue(turns.get() - begun < 20 * 2_000) { "${turns.get() - begun} turns" }
        endless.cancel()
        endless.join()
    }

    @Test
    fun low_delays_timeouts_andViews() = runSoon {
        val dispatcher = schedulers.dispatcher(2)
        val low = dispatcher.withPriority(Priority.LOW)
        val view = low.limitedParallelism(1)
        val inside = Concurrency()
        List(50) {
                launch(view) {
                    inside.during { Thread.onSpinWait() }
                    delay(1)
                    withTimeout(10_000) { yield() }
                }
            }
            .joinAll()
        assertEquals(1, inside.highest)
        // Until the workers sleep, what their names tell changes from one to the other.
        awaitUntil("its name") { "$dispatcher.withPriority(LOW)" == low.toString() }
        awaitUntil("the name of its view") { "$low.limitedParallelism(1)" == view.toString() }
        assertEquals("crawler", low.limitedParallelism(1, "crawler").toString())
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
}
