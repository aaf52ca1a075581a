package dev.catnap.coroutines

import java.util.concurrent.atomic.AtomicInteger
import kotlin.coroutines.EmptyCoroutineContext
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.DelicateCoroutinesApi
import kotlinx.coroutines.GlobalScope
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.delay
import kotlinx.coroutines.joinAll
import kotlinx.coroutines.launch
import kotlinx.coroutines.yield
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertSame
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.extension.RegisterExtension
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.EnumSource

/** F14: what `shutdownNow` takes back completes elsewhere. */
@Timeout(120)
@OptIn(DelicateCoroutinesApi::class)
internal class ShutdownNowTest {
    @JvmField @RegisterExtension val schedulers = Schedulers()

    /** `shutdownNow` interrupts; whoever holds a worker here goes on holding it. */
    private fun awaitDespiteInterrupt(gate: Gate) {
        try {
            gate.await()
        } catch (e: InterruptedException) {
            gate.await()
        }
    }

    @ParameterizedTest
    @EnumSource
    fun underLoad_everyCoroutineCompletes(route: Route) = runSoon {
        repeat(10) {
            val scheduler = schedulers.scheduler(4) { productionSentinel() }
            val d = route.of(WorkStealingDispatcher.of(scheduler))
            val scope = CoroutineScope(d + SupervisorJob())
            val turns = AtomicInteger()
            val jobs =
                List(300) {
                    scope.launch(start = CoroutineStart.ATOMIC) {
                        while (true) {
                            turns.incrementAndGet()
                            if (it % 3 == 0) delay(1) else yield()
                        }
                    }
                }
            awaitUntil("under way") { turns.get() > 500 }
            assertEquals(emptyList<Runnable>(), scheduler.shutdownNow())
            jobs.joinAll()
            assertTrue(jobs.all { it.isCancelled })
            scheduler.close()
        }
    }

    /**
     * Also those of a lane whose runners are all on workers, so that no queue of the scheduler has
     * one.
     */
    @ParameterizedTest
    @EnumSource
    fun queuedCoroutines_areCancelledNotRun(route: Route) = runSoon {
        val workers = 4
        val scheduler = schedulers.scheduler(workers, maxThreads = workers + 1)
        val dispatcher = WorkStealingDispatcher.of(scheduler)
        val d = route.of(dispatcher)
        val gate = schedulers.gate()
        val begun = AtomicInteger()
        val hold: suspend CoroutineScope.() -> Unit = {
            begun.incrementAndGet()
            awaitDespiteInterrupt(gate)
        }
        // One keeps the lane busy, the others the workers.
        val holders = listOf(GlobalScope.launch(d, block = hold)).toMutableList()
        awaitUntil("the lane is held") { begun.get() == 1 }
        val blocking = route.name.startsWith("IO")
        repeat(if (blocking) workers else workers - 1) {
            holders += GlobalScope.launch(dispatcher, block = hold)
        }
        awaitUntil("every worker is held") { begun.get() == holders.size }
        val ran = AtomicInteger()
        val queued = List(100) { GlobalScope.launch(d) { ran.incrementAndGet() } }
        val left = scheduler.shutdownNow()
        gate.open()
        (queued + holders).joinAll()
        assertEquals(0, ran.get())
        assertTrue(queued.all { it.isCancelled })
        assertEquals(emptyList<Runnable>(), left)
    }

    @ParameterizedTest
    @EnumSource
    fun queuedPlainBlocks_runElsewhere_othersAreHandedBack(route: Route) = runSoon {
        val workers = 4
        val scheduler = schedulers.scheduler(workers)
        val d = route.of(WorkStealingDispatcher.of(scheduler))
        val gate = schedulers.gate()
        val held = AtomicInteger()
        repeat(workers) {
            scheduler.execute {
                held.incrementAndGet()
                awaitDespiteInterrupt(gate)
            }
        }
        awaitUntil("every worker is held") { held.get() == workers }
        val ran = AtomicInteger()
        repeat(50) { d.dispatch(EmptyCoroutineContext) { ran.incrementAndGet() } }
        val plain = Runnable { throw AssertionError("handed back, and run") }
        scheduler.execute(plain)
        val left = scheduler.shutdownNow()
        assertSame(plain, left.single())
        awaitUntil("all ran") { ran.get() == 50 }
        gate.open()
    }

    @Test
    fun delays_areCancelled() = runSoon {
        val scheduler = schedulers.scheduler(2)
        val d = WorkStealingDispatcher.of(scheduler)
        val jobs = List(100) { GlobalScope.launch(d) { delay(FOREVER_MILLIS) } }
        awaitUntil("armed") { scheduler.stats().armedTimers() == 100 }
        assertEquals(emptyList<Runnable>(), scheduler.shutdownNow())
        jobs.joinAll()
        assertTrue(jobs.all { it.isCancelled })
    }
}
