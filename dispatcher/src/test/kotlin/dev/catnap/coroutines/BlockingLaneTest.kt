package dev.catnap.coroutines

import dev.catnap.spi.SchedulerTuning
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.TimeUnit
import kotlin.coroutines.EmptyCoroutineContext
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.IO_PARALLELISM_PROPERTY_NAME
import kotlinx.coroutines.joinAll
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertSame
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.assertThrows
import org.junit.jupiter.api.extension.RegisterExtension

/** G9, F17: blocking tasks leave the workers to the others, and keep to their limits. */
@Timeout(120)
internal class BlockingLaneTest {
    @JvmField @RegisterExtension val schedulers = Schedulers()

    private fun withIoProperty(value: String, block: () -> Unit) {
        Dispatchers.IO.toString() // has read the property for itself before we change it
        System.setProperty(IO_PARALLELISM_PROPERTY_NAME, value)
        try {
            block()
        } finally {
            System.clearProperty(IO_PARALLELISM_PROPERTY_NAME)
        }
    }

    @Test
    fun everyWorkerBlocksInIo_othersRun() = runSoon {
        val scheduler = schedulers.scheduler(2)
        val dispatcher = WorkStealingDispatcher.of(scheduler)
        val inside = Concurrency()
        val gate = schedulers.gate()
        val blocked = List(10) { launch(dispatcher.io()) { inside.during { gate.await() } } }
        awaitUntil("all block") { inside.current == 10 }
        assertEquals(10, scheduler.stats().blockedWorkers())
        repeat(10) { withContext(dispatcher) {} }
        // As many as ever: two that need each other.
        val both = Concurrency()
        List(2) { launch(dispatcher) { both.during { awaitUntil("2") { both.highest == 2 } } } }
            .joinAll()
        gate.open()
        blocked.joinAll()
    }

    @Test
    fun fromACoroutine_blockingDoesNotHoldUpWhatItsWorkerHasQueued() = runSoon {
        val dispatcher = schedulers.dispatcher(1)
        val gate = schedulers.gate()
        withContext(dispatcher) {
            val waits = launch { withContext(dispatcher.io()) { gate.await() } }
            launch { gate.open() }
            waits.join()
        }
    }

    /**
     * The sentinel, which could take a hop for a task that waits, comes too late for this. Until it
     * is on duty each hop is told to all, and a spare may come for it; a hop that takes a thread
     * each time changes a hundred times.
     */
    @Test
    fun hopsToIoAndBack_besideNothingElse_stayOnTheirThread() = runSoon {
        val never = TimeUnit.MINUTES.toNanos(1)
        val scheduler =
            schedulers.scheduler(1) {
                tuning(SchedulerTuning.production().withSentinel(never, never).withClock { 0 })
            }
        val dispatcher = WorkStealingDispatcher.of(scheduler)
        val visited = mutableListOf<Thread>()
        withContext(dispatcher) {
            while (scheduler.stats().sentinelRounds() == 0L) withContext(dispatcher.io()) {}
            repeat(1_000) {
                withContext(dispatcher.io()) {}
            } // all of them short: it relies on that
            repeat(100) {
                visited += Thread.currentThread()
                withContext(dispatcher.io()) { visited += Thread.currentThread() }
            }
        }
        val changes = visited.zipWithNext().count { (before, after) -> before != after }
        assertTrue(changes <= 4, "$changes changes of thread")
    }

    @Test
    fun defaultLimit_is64OrTheProcessors() = runSoon {
        val limit = maxOf(64, Runtime.getRuntime().availableProcessors())
        val dispatcher = schedulers.dispatcher(1, maxThreads = limit + 10)
        val inside = Concurrency()
        val gate = schedulers.gate()
        val jobs = List(limit + 20) { launch(dispatcher.io()) { inside.during { gate.await() } } }
        awaitUntil("the lane is full") { inside.current == limit }
        // One more would have had every chance by the time these are through.
        repeat(20) { withContext(dispatcher) {} }
        gate.open()
        jobs.joinAll()
        assertEquals(limit, inside.highest)
    }

    @Test
    fun limit_fromTheSystemProperty_viewsAreElastic() =
        withIoProperty("2") {
            runSoon {
                val dispatcher = schedulers.dispatcher(2)
                val io = dispatcher.io()
                val view = io.limitedParallelism(5)
                val inIo = Concurrency()
                val inView = Concurrency()
                val gate = schedulers.gate()
                val jobs =
                    List(10) { launch(io) { inIo.during { gate.await() } } } +
                        List(10) { launch(view) { inView.during { gate.await() } } }
                awaitUntil("both are full") { inIo.current == 2 && inView.current == 5 }
                withContext(dispatcher) {}
                withContext(io.limitedParallelism(1)) {} // a third one has room too
                gate.open()
                jobs.joinAll()
                assertEquals(2, inIo.highest)
                assertEquals(5, inView.highest)
            }
        }

    @Test
    fun limit_notANumberAboveZero_isToldByName() {
        for (bad in listOf("0", "-3", "many", "")) {
            withIoProperty(bad) {
                val scheduler = schedulers.scheduler(1)
                val e = assertThrows<IllegalStateException> { WorkStealingDispatcher.of(scheduler) }
                assertTrue(e.message!!.contains("'$bad'"), e.message)
            }
        }
    }

    @Test
    fun viewsTogether_leaveTheParallelismToOthers() = runSoon {
        // 6 threads, 2 workers: 4 may block, whatever the views ask for.
        val dispatcher = schedulers.dispatcher(2, maxThreads = 6)
        val inside = Concurrency()
        val gate = schedulers.gate()
        val jobs =
            List(3) { dispatcher.io().limitedParallelism(5) }
                .flatMap { view -> List(5) { launch(view) { inside.during { gate.await() } } } }
        awaitUntil("the floor is full") { inside.current == 4 }
        val both = Concurrency()
        List(2) { launch(dispatcher) { both.during { awaitUntil("2") { both.highest == 2 } } } }
            .joinAll()
        gate.open()
        jobs.joinAll()
        assertEquals(4, inside.highest)
    }

    @Test
    fun noThreadToSpare_blockingTasksRunOneByOne() = runSoon {
        val dispatcher = schedulers.dispatcher(1, maxThreads = 1)
        val inside = Concurrency()
        List(20) { launch(dispatcher.io()) { inside.during { Thread.sleep(1) } } }.joinAll()
        assertEquals(1, inside.highest)
        withContext(dispatcher) {}
    }

    @Test
    fun beyondTheLimit_firstComeFirstServed() = runSoon {
        val io = schedulers.dispatcher(2).io().limitedParallelism(1)
        val gate = schedulers.gate()
        val order = ConcurrentLinkedQueue<Int>()
        val first = launch(io) { gate.await() }
        val others = List(100) { launch(io) { order += it } }
        gate.open()
        (others + first).joinAll()
        assertEquals((0 until 100).toList(), order.toList())
    }

    @Test
    fun aTaskThatThrows_givesItsPermitBack() {
        // F6
        val thrown = ConcurrentLinkedQueue<Throwable>()
        val scheduler = schedulers.scheduler(1) { uncaughtExceptionHandler { _, e -> thrown += e } }
        val io = WorkStealingDispatcher.of(scheduler).io().limitedParallelism(1)
        repeat(10) {
            io.dispatch(EmptyCoroutineContext) { throw IllegalStateException("on purpose") }
        }
        awaitUntil("told") { thrown.size == 10 }
        runSoon { withContext(io) {} }
        awaitUntil("nobody blocks, each is counted") {
            val stats = scheduler.stats()
            stats.blockedWorkers() == 0 && stats.uncaughtExceptions() >= 10
        }
        assertEquals(10, scheduler.stats().uncaughtExceptions())
    }

    @Test
    fun declaredSectionsNest() = runSoon {
        val scheduler = schedulers.scheduler(1)
        val dispatcher = WorkStealingDispatcher.of(scheduler)
        withContext(dispatcher.io()) {
            assertEquals(1, scheduler.stats().blockedWorkers())
            scheduler.blocking<Unit> { assertEquals(1, scheduler.stats().blockedWorkers()) }
            assertEquals(1, scheduler.stats().blockedWorkers())
        }
        awaitUntil("nobody blocks") { scheduler.stats().blockedWorkers() == 0 }
    }

    @Test
    fun threads_areThoseOfTheScheduler() = runSoon {
        val scheduler = schedulers.scheduler(1)
        val dispatcher = WorkStealingDispatcher.of(scheduler)
        assertSame(dispatcher.io(), dispatcher.io())
        val executor = dispatcher.executor
        assertSame(scheduler, executor)
        repeat(50) {
            withContext(dispatcher.io()) {
                val name = Thread.currentThread().name
                assertTrue(name.startsWith("${scheduler.name()}-worker-"), name)
            }
        }
    }
}
