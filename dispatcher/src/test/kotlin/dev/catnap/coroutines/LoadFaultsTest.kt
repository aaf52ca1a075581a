package dev.catnap.coroutines

import dev.catnap.spi.WorkerBody
import dev.catnap.spi.WorkerThread
import dev.catnap.spi.WorkerThreadFactory
import java.time.Duration
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicBoolean
import java.util.concurrent.atomic.AtomicInteger
import java.util.concurrent.atomic.AtomicIntegerArray
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.delay
import kotlinx.coroutines.joinAll
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext
import kotlinx.coroutines.yield
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNotNull
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.extension.RegisterExtension
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.EnumSource

/** Faults of the pool itself in the middle of a load of coroutines of every kind. */
@Timeout(120)
internal class LoadFaultsTest {
    @JvmField @RegisterExtension val schedulers = Schedulers()

    /** A bit of everything that suspends. */
    private suspend fun turn(kind: Int, dispatcher: WorkStealingDispatcher, mailbox: Channel<Int>) {
        yield() // or some would never be dispatched again, and nobody could cancel them
        when (kind % 6) {
            0 -> {}
            1 -> delay(1)
            2 -> withContext(dispatcher.io()) { Thread.yield() }
            3 -> mailbox.send(kind)
            4 -> mailbox.receive()
            else -> withContext(dispatcher.limitedParallelism(1)) { delay(1) }
        }
    }

    @ParameterizedTest
    @EnumSource
    fun closedUnderLoad_everyCoroutineEndsOnce(route: Route) = runSoon {
        // G6, F13
        val scheduler = schedulers.scheduler(4) { productionSentinel() }
        val dispatcher = WorkStealingDispatcher.of(scheduler)
        val scope = CoroutineScope(route.of(dispatcher) + SupervisorJob())
        val n = 600
        val mailbox = Channel<Int>()
        val ended = AtomicIntegerArray(n)
        val turns = AtomicInteger()
        val jobs =
            List(n) { i ->
                scope
                    .launch {
                        while (true) {
                            turns.incrementAndGet()
                            turn(i, dispatcher, mailbox)
                        }
                    }
                    .also { it.invokeOnCompletion { ended.incrementAndGet(i) } }
            }
        awaitUntil("under way") { turns.get() > 5_000 }
        dispatcher.close()
        // Those that wait for each other are dispatched no more: nobody comes, nobody cancels.
        mailbox.cancel()
        jobs.joinAll()
        assertTrue(jobs.all { it.isCancelled })
        awaitUntil("all are told") { // a join may return while another thread tells the handlers
            (0 until n).all { ended.get(it) != 0 }
        }
        for (i in 0 until n) assertEquals(1, ended.get(i))
        assertTrue(scheduler.awaitTermination(DEADLINE.inWholeSeconds, TimeUnit.SECONDS))
        awaitUntil("accounted for") { // who published from outside may be about to count it
            scheduler.stats().published() == scheduler.stats().executed()
        }
        assertServes(schedulers.dispatcher(4)) // the end of one pool is not that of another
    }

    /** What can go wrong with a thread. */
    enum class ThreadFault {
        THROWS {
            override fun newThread(body: WorkerBody) = error("no thread today")
        },
        IS_NULL {
            override fun newThread(body: WorkerBody): Thread = nothing<Thread>()
        },
        DOES_NOT_START {
            override fun newThread(body: WorkerBody): Thread = Unstartable(body)
        },
        IS_NO_WORKER {
            override fun newThread(body: WorkerBody): Thread = Thread(body)
        };

        abstract fun newThread(body: WorkerBody): Thread

        @Suppress("UNCHECKED_CAST") fun <T> nothing(): T = null as T

        class Unstartable(private val body: WorkerBody) : Thread(), WorkerThread {
            override fun worker() = body

            override fun start() = throw OutOfMemoryError("unable to create native thread")
        }
    }

    @ParameterizedTest
    @EnumSource
    fun noThreadsForSpares_theLoadRunsOnTheWorkersThereAre(fault: ThreadFault) = runSoon {
        // G9, F8
        val parallelism = 2
        val failing = AtomicBoolean(true)
        val failed = AtomicInteger()
        val told = ConcurrentLinkedQueue<Throwable>()
        val threads = WorkerThreadFactory.platform(true)
        val scheduler =
            schedulers.scheduler(parallelism) {
                keepAlive(Duration.ofMillis(50))
                uncaughtExceptionHandler { _, e -> told += e }
                workerThreadFactory { body ->
                    if (body.index() >= parallelism && failing.get()) {
                        failed.incrementAndGet()
                        fault.newThread(body)
                    } else {
                        threads.newThread(body)
                    }
                }
            }
        val dispatcher = WorkStealingDispatcher.of(scheduler)
        suspend fun load() {
            val mailbox = Channel<Int>(Channel.UNLIMITED)
            List(600) { i ->
                    launch(dispatcher) {
                        repeat(5) {
                            turn(i, dispatcher, mailbox)
                            withContext(dispatcher.io()) { if (i % 60 == 0) Thread.sleep(1) }
                        }
                    }
                }
                .joinAll()
        }
        load()
        assertTrue(failed.get() > 0)
        assertEquals(1, told.size) { "one report of a row of failures: $told" }
        assertNotNull(told.peek().cause)
        assertEquals(parallelism, scheduler.stats().threads())
        assertServes(dispatcher)

        failing.set(false)
        load()
        val gate = schedulers.gate()
        val inside = Concurrency()
        val blocked =
            List(parallelism) { launch(dispatcher.io()) { inside.during { gate.await() } } }
        awaitUntil("every worker there was is in a section") { inside.current == parallelism }
        repeat(10) { withContext(dispatcher) { delay(1) } } // by spares, at last
        gate.open()
        blocked.joinAll()
        assertServes(dispatcher)
        assertEquals(1, told.size) { "$told" }
    }

    @ParameterizedTest
    @EnumSource
    fun noMemoryInTheMiddleOfALoad_theLoadCompletes(route: Route) = runSoon {
        // F6
        val scheduler = schedulers.scheduler(2) { productionSentinel() }
        val dispatcher = WorkStealingDispatcher.of(scheduler)
        val mailbox = Channel<Int>(Channel.UNLIMITED)
        val scope = CoroutineScope(route.of(dispatcher) + SupervisorJob())
        val caught = AtomicInteger()
        val jobs =
            List(600) { i ->
                scope.launch {
                    repeat(3) { turn(i, dispatcher, mailbox) }
                    try {
                        if (i % 20 == 0) LongArray(Int.MAX_VALUE).fill(1)
                    } catch (e: OutOfMemoryError) {
                        caught.incrementAndGet()
                    }
                    yield()
                }
            }
        repeat(300) { mailbox.send(it) } // as much as is received
        jobs.joinAll()
        assertTrue(jobs.none { it.isCancelled })
        assertEquals(30, caught.get())
        assertServes(dispatcher)
    }
}
