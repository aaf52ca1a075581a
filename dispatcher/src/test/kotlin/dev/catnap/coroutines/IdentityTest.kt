package dev.catnap.coroutines

import dev.catnap.WorkStealingScheduler
import java.lang.ref.WeakReference
import kotlinx.coroutines.delay
import kotlinx.coroutines.joinAll
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNotEquals
import org.junit.jupiter.api.Assertions.assertNotSame
import org.junit.jupiter.api.Assertions.assertSame
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.extension.RegisterExtension

/** One dispatcher per scheduler, as long as anybody holds it. */
@Timeout(120)
internal class IdentityTest {
    @JvmField @RegisterExtension val schedulers = Schedulers()

    @Test
    fun sameScheduler_sameDispatcher() {
        val scheduler = schedulers.scheduler()
        val dispatcher = WorkStealingDispatcher.of(scheduler)
        assertSame(dispatcher, WorkStealingDispatcher.of(scheduler))
        assertSame(dispatcher.io(), WorkStealingDispatcher.of(scheduler).io())
        assertEquals(dispatcher, WorkStealingDispatcher.of(scheduler))
        assertNotSame(dispatcher, schedulers.dispatcher())
        assertNotEquals(dispatcher, dispatcher.io())
    }

    @Test
    fun dispatcherThatSomebodyHolds_staysTheSame() {
        val scheduler = schedulers.scheduler()
        val held = listOf(WorkStealingDispatcher.of(scheduler).io()) // a view is enough
        val hash = System.identityHashCode(WorkStealingDispatcher.of(scheduler))
        val other = WeakReference(Any())
        awaitCollected("another object", other)
        val dispatcher = WorkStealingDispatcher.of(scheduler)
        assertEquals(hash, System.identityHashCode(dispatcher))
        assertSame(held[0], dispatcher.io())
    }

    @Test
    fun dispatcherThatNobodyHolds_isNotKeptByTheScheduler() {
        // F21: the scheduler may be that of a server, and the dispatcher of an application.
        val scheduler = schedulers.scheduler()
        val reference = WeakReference(WorkStealingDispatcher.of(scheduler))
        awaitCollected("the dispatcher", reference)
        runSoon { withContext(WorkStealingDispatcher.of(scheduler)) { delay(1) } }
    }

    @Test
    fun schedulerThatWasClosedAndDropped_isCollectedWithItsDispatcher() {
        // F21
        fun use(): WeakReference<WorkStealingScheduler> {
            val scheduler = WorkStealingScheduler.builder().parallelism(2).build()
            val dispatcher = WorkStealingDispatcher.of(scheduler)
            runSoon {
                withContext(dispatcher) { delay(1) }
                withContext(dispatcher.io()) { delay(1) }
                withContext(dispatcher.limitedParallelism(1)) { delay(1) }
            }
            scheduler.close()
            return WeakReference(scheduler)
        }
        awaitCollected("the scheduler", use())
    }

    @Test
    fun toString_tellsTheStateOfThePool() {
        val scheduler = schedulers.scheduler()
        val dispatcher = WorkStealingDispatcher.of(scheduler)
        assertTrue(dispatcher.toString().contains(scheduler.name()))
        assertTrue(dispatcher.io().toString().contains(scheduler.name()))
        val running = dispatcher.toString()
        scheduler.close()
        assertNotEquals(running, dispatcher.toString())
    }

    @Test
    fun dump_tellsWhoWaitsInIo() = runSoon {
        val dispatcher = schedulers.dispatcher(1, maxThreads = 2)
        val gate = schedulers.gate()
        val jobs = List(3) { launch(dispatcher.io()) { gate.await() } }
        awaitUntil("one blocks, two wait") {
            val dump = dispatcher.dump()
            "everything that blocks: 1 of 1 permits taken, 2 waiting" in dump &&
                "in a blocking section" in dump // whose thread may have had to be started
        }
        val dump = dispatcher.dump()
        assertTrue("io: 3 of " in dump) { dump }
        gate.open()
        jobs.joinAll()
    }
}
