package dev.catnap.coroutines

import dev.catnap.WorkStealingScheduler
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.AtomicInteger
import kotlin.coroutines.coroutineContext
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.isActive
import kotlinx.coroutines.joinAll
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.sync.Mutex
import kotlinx.coroutines.sync.withLock
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeout
import kotlinx.coroutines.yield
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertSame
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.extension.RegisterExtension

/** Thread per core: a coroutine goes on where it was launched, whoever resumes it (G2, G12). */
internal class PerCoreTest {
    @JvmField @RegisterExtension val schedulers = Schedulers()

    /** Unsynchronised: exact only if each has its own thread. */
    private class PerThread {
        private val counts = ConcurrentHashMap<Thread, IntArray>()

        fun mine(): IntArray = counts.computeIfAbsent(Thread.currentThread()) { IntArray(1) }

        val total: Int
            get() = counts.values.sumOf { it[0] }

        val threads: Int
            get() = counts.size
    }

    /** Suspends in every way, each of which resumes it from another thread. */
    private suspend fun suspendSomehow(step: Int, channel: Channel<Int>, mutex: Mutex) {
        when (step % 8) {
            0 -> yield()
            1 -> delay(step % 2L)
            2 -> channel.send(step)
            3 -> channel.receive()
            4 -> withContext(Dispatchers.Default) { yield() }
            5 -> coroutineScope { async { yield() }.await() }
            6 -> withTimeout(DEADLINE) { mutex.withLock { yield() } }
            7 -> withContext(Dispatchers.IO) { delay(0) }
        }
    }

    private fun neverMoves(dispatcher: CoroutineDispatcher, workers: Int) {
        val coroutines = 64
        val steps = 8 * scaled(50) // whole rounds, so that what is sent is received
        val perThread = PerThread()
        val moved = AtomicInteger()
        runSoon {
            val channel = Channel<Int>(4)
            val mutex = Mutex()
            List(coroutines) {
                    launch(dispatcher) {
                        val home = Thread.currentThread()
                        val mine = perThread.mine()
                        for (step in 0 until steps) {
                            suspendSomehow(step, channel, mutex)
                            if (Thread.currentThread() !== home) moved.incrementAndGet()
                            mine[0]++
                        }
                    }
                }
                .joinAll()
        }
        assertEquals(0, moved.get(), "steps on another thread than the first")
        assertEquals(coroutines * steps, perThread.total)
        assertTrue(perThread.threads in 1..workers, "${perThread.threads} threads")
    }

    @Test
    fun `a coroutine never moves - resumed by workers, timers, other threads`() {
        val dispatcher = schedulers.perCore(4)
        neverMoves(dispatcher, 4)
        awaitUntil("homes are forgotten") { dispatcher.coroutinesAtHome() == 0 }
    }

    @Test
    fun `nor does one in a view`() {
        neverMoves(schedulers.perCore(4).limitedParallelism(2), 2)
        neverMoves(schedulers.perCore(4).limitedParallelism(3).limitedParallelism(2), 2)
        neverMoves(schedulers.perCore(2).limitedParallelism(1), 1)
        neverMoves(schedulers.perCore(2).limitedParallelism(100, "named"), 2)
        neverMoves(schedulers.perCore(2).withPriority(Priority.LOW), 2)
    }

    @Test
    fun `a child lives where it was launched, and a scope where its coroutine does`() {
        val dispatcher = schedulers.perCore(3)
        val scheduler = dispatcher.executor as WorkStealingScheduler
        runSoon {
            repeat(100) { round ->
                val other = Channel<Unit>()
                withContext(dispatcher) {
                    val home = Thread.currentThread()
                    launch { assertSame(home, Thread.currentThread()) }
                    // Resumed by a thread that is none of them, inside a scope inside a scope.
                    val resumer = launch(Dispatchers.Default) { other.send(Unit) }
                    coroutineScope {
                        withTimeout(DEADLINE) {
                            other.receive()
                            assertSame(home, Thread.currentThread())
                        }
                    }
                    resumer.join()
                    assertSame(home, Thread.currentThread())
                    // With a job that has no parent.
                    for (job in listOf(NonCancellable, Job())) {
                        val again = launch(Dispatchers.Default) { other.send(Unit) }
                        withContext(job) {
                            other.receive()
                            assertSame(home, Thread.currentThread())
                        }
                        again.join()
                    }
                    // Launched on another worker, in this scope: lives over there.
                    val there = round % 3
                    val scope = this
                    val launched = Channel<Unit>()
                    scheduler.confinedTo(there).execute {
                        val here = Thread.currentThread()
                        scope.launch {
                            yield()
                            assertSame(here, Thread.currentThread())
                            launched.send(Unit)
                        }
                    }
                    launched.receive()
                    assertSame(home, Thread.currentThread())
                }
            }
        }
    }

    @Test
    fun `one that was started undispatched goes on where its parent lives`() {
        val dispatcher = schedulers.perCore(4)
        runSoon {
            repeat(100) {
                withContext(dispatcher) {
                    val home = Thread.currentThread()
                    val channel = Channel<Unit>()
                    val child =
                        launch(start = CoroutineStart.UNDISPATCHED) {
                            channel.receive()
                            assertSame(home, Thread.currentThread())
                        }
                    launch(Dispatchers.Default) { channel.send(Unit) }
                    child.join()
                }
            }
        }
    }

    @Test
    fun `launched from outside they are spread`() {
        val dispatcher = schedulers.perCore(4)
        val threads = runSoon {
            List(400) { async(dispatcher) { Thread.currentThread() } }.awaitAll()
        }
        val counts = threads.groupingBy { it }.eachCount()
        assertEquals(4, counts.size, "$counts")
        assertTrue(counts.values.all { it > 40 }, "$counts")
    }

    /** A cancelled one too: a million that come and go must not be remembered. */
    @Test
    fun `homes are forgotten when coroutines end, however`() {
        val dispatcher = schedulers.perCore(2)
        runSoon {
            val gate = Channel<Unit>()
            val waiting = List(1_000) { launch(dispatcher) { gate.receive() } }
            awaitUntil("all have begun") { dispatcher.coroutinesAtHome() == 1_000 }
            waiting.drop(500).forEach { it.cancelAndJoin() }
            repeat(500) { gate.send(Unit) }
            waiting.joinAll()
            val failing = async(dispatcher + Job()) { error("fails") }
            assertTrue(runCatching { failing.await() }.isFailure)
        }
        awaitUntil("homes are forgotten") { dispatcher.coroutinesAtHome() == 0 }
    }

    @Test
    fun `a view lets no more run at once than it says, nested or not`() {
        val view = schedulers.perCore(4).limitedParallelism(3)
        for ((dispatcher, limit) in
            listOf(
                view to 3,
                view.limitedParallelism(2) to 2,
                view.limitedParallelism(1) to 1,
                view.limitedParallelism(1, "one") to 1,
            )) {
            val concurrency = Concurrency()
            runSoon {
                List(200) {
                        launch(dispatcher) {
                            repeat(5) {
                                concurrency.during { Thread.onSpinWait() }
                                yield()
                            }
                        }
                    }
                    .joinAll()
            }
            assertTrue(concurrency.highest <= limit, "${concurrency.highest} of $limit")
        }
    }

    @Test
    fun `io does not block a worker, and back from it a coroutine is at home`() {
        val dispatcher = schedulers.perCore(1)
        val gate = schedulers.gate()
        runSoon {
            val blocked =
                launch(dispatcher) {
                    val home = Thread.currentThread()
                    withContext(dispatcher.io()) {
                        assertFalse(Thread.currentThread() === home)
                        gate.await()
                    }
                    assertSame(home, Thread.currentThread())
                }
            withContext(dispatcher) { repeat(10) { yield() } } // the only worker goes on
            gate.open()
            blocked.join()
            // Until the workers sleep, what their names tell changes from one to the other.
            awaitUntil("its name") { "$dispatcher.io()" == dispatcher.io().toString() }
            assertTrue(dispatcher.dump().contains("Dispatchers.IO"))
        }
    }

    /** G6: as with the other flavor. */
    @Test
    fun `after the end nothing hangs - what waits is cancelled, views keep their limit`() {
        for (make in
            listOf<(WorkStealingDispatcher) -> CoroutineDispatcher>(
                { it },
                { it.limitedParallelism(1) },
                { it.limitedParallelism(2) },
                { it.io() },
            )) {
            val dispatcher = schedulers.perCore(3)
            val view = make(dispatcher)
            val channel = Channel<Unit>()
            val concurrency = Concurrency()
            val begun = AtomicInteger()
            val ended = AtomicInteger()
            runBlocking {
                withTimeout(DEADLINE) {
                    val jobs =
                        List(20) {
                            launch(view + Job()) {
                                begun.incrementAndGet()
                                try {
                                    if (it % 2 == 0) delay(3_600.seconds) else channel.receive()
                                } finally {
                                    assertFalse(coroutineContext.isActive)
                                    concurrency.during { Thread.onSpinWait() }
                                    ended.incrementAndGet()
                                }
                            }
                        }
                    awaitUntil("all have begun") { begun.get() == 20 }
                    dispatcher.close()
                    jobs.forEach { it.cancel(CancellationException("the end")) }
                    jobs.joinAll()
                }
            }
            if (view.toString().endsWith("limitedParallelism(1)")) {
                assertTrue(concurrency.highest <= 1, "${concurrency.highest}")
            }
            assertEquals(20, ended.get())
        }
    }
}
