package dev.catnap.coroutines

import dev.catnap.WorkStealingScheduler
import dev.catnap.spi.SchedulerTuning
import java.time.Duration
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicBoolean
import java.util.concurrent.atomic.AtomicInteger
import java.util.concurrent.atomic.LongAdder
import kotlin.coroutines.EmptyCoroutineContext
import kotlin.random.Random
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.CoroutineExceptionHandler
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Job
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.cancel
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.delay
import kotlinx.coroutines.joinAll
import kotlinx.coroutines.launch
import kotlinx.coroutines.runInterruptible
import kotlinx.coroutines.sync.Mutex
import kotlinx.coroutines.sync.withLock
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeoutOrNull
import kotlinx.coroutines.yield
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue

/** How many coroutines there were, and how they ended. */
internal class Books {
    val started = LongAdder()
    val completed = LongAdder()
    val cancelled = LongAdder()
    val failed = LongAdder()

    operator fun plusAssign(other: Books) {
        started.add(other.started.sum())
        completed.add(other.completed.sum())
        cancelled.add(other.cancelled.sum())
        failed.add(other.failed.sum())
    }

    override fun toString() =
        "$started started = $completed completed + $cancelled cancelled + $failed failed"
}

private class OnPurpose : RuntimeException("on purpose")

/** One round of [SoakTest]. */
internal class SoakRound(schedulers: Schedulers, private val random: Random) {
    val books = Books()

    private val uncaught = ConcurrentLinkedQueue<Throwable>()
    private val scheduler: WorkStealingScheduler
    private val dispatcher: WorkStealingDispatcher
    private val limited: List<Limited>

    private class Limited(val dispatcher: CoroutineDispatcher, val limit: Int) {
        val inside = Concurrency()
    }

    init {
        val parallelism = random.nextInt(1, 5)
        val threads = parallelism + random.nextInt(1, 12)
        scheduler =
            schedulers.scheduler(parallelism, threads) {
                keepAlive(Duration.ofMillis(random.nextLong(30))) // threads come and go
                uncaughtExceptionHandler { _, e -> uncaught += e }
                productionSentinel()
                if (random.nextBoolean()) {
                    // Queues that overflow, and a counter that wraps.
                    tuning(SchedulerTuning.production().withQueues(4, -3, 2).withJec(3, 5))
                }
            }
        dispatcher = WorkStealingDispatcher.of(scheduler)
        val io = dispatcher.io()
        val view = random.nextInt(1, 4)
        limited =
            listOf(
                Limited(dispatcher.limitedParallelism(1), 1),
                // Not below the parallelism it is the dispatcher itself, and no limit on what
                // blocks.
                Limited(
                    dispatcher.limitedParallelism(view),
                    if (view == 1 || view < parallelism) view else threads,
                ),
                Limited(io.limitedParallelism(view), view),
                Limited(io.limitedParallelism(view).limitedParallelism(1), 1),
                Limited(io, threads - parallelism),
            )
    }

    // ---- the coroutines ------------------------------------------------------------------------

    /** One coroutine: how often its body began and was over, and what its job came to. */
    private class Entry {
        val begun = AtomicInteger()
        val over = AtomicInteger()
        val outcomes = ConcurrentLinkedQueue<String>()
    }

    private val entries = ConcurrentLinkedQueue<Entry>()
    private val jobs = ConcurrentLinkedQueue<Job>()
    private val told = LongAdder()
    private val unexpected = ConcurrentLinkedQueue<Throwable>()
    private val wentOnOutside = ConcurrentLinkedQueue<String>()

    private val scope =
        CoroutineScope(
            SupervisorJob() +
                CoroutineExceptionHandler { _, e ->
                    told.increment()
                    if (e !is OnPurpose && e !is InterruptedException && e !is StackOverflowError) {
                        unexpected += e
                    }
                }
        )

    private fun start(on: CoroutineDispatcher, body: suspend CoroutineScope.() -> Unit): Job {
        val entry = Entry()
        entries += entry
        books.started.increment()
        val job =
            scope.launch(on) {
                entry.begun.incrementAndGet()
                try {
                    body()
                } finally {
                    entry.over.incrementAndGet()
                }
            }
        jobs += job
        job.invokeOnCompletion { e ->
            when (e) {
                null -> books.completed.increment().also { entry.outcomes += "completed" }
                is CancellationException ->
                    books.cancelled.increment().also { entry.outcomes += "cancelled" }
                else -> books.failed.increment().also { entry.outcomes += "failed" }
            }
        }
        return job
    }

    private val mailbox = Channel<Int>()
    private val mutex = Mutex()
    private var guarded = 0
    private val inMutex = AtomicInteger()

    /** What one coroutine does, one thing after the other. */
    private suspend fun act(random: Random) {
        repeat(random.nextInt(1, 6)) {
            when (random.nextInt(16)) {
                0 -> yield()
                1 -> repeat(random.nextInt(20)) { yield() }
                2 -> delay(random.nextLong(4))
                3 -> withTimeoutOrNull(random.nextLong(3)) { delay(random.nextLong(4)) }
                4 -> withTimeoutOrNull(2) { mailbox.receive() }
                5 -> withTimeoutOrNull(2) { mailbox.send(1) }
                6 ->
                    mutex.withLock {
                        guarded++
                        inMutex.incrementAndGet()
                        if (random.nextInt(8) == 0) yield()
                    }
                7 -> withContext(dispatcher.io()) { block(random) }
                8 -> withTimeoutOrNull(1) { runInterruptible(dispatcher.io()) { block(random) } }
                9,
                10 ->
                    limited.random(random).let { withContext(it.dispatcher) { visit(it, random) } }
                11 -> withContext(Route.entries.random(random).of(dispatcher)) { yield() }
                12 -> Thread.currentThread().interrupt() // for nobody
                13 -> currentCoroutineContext()[Job]!!.children.forEach { it.cancel() }
                14 -> if (random.nextInt(20) == 0) fail(random)
                else -> if (random.nextInt(20) == 0) currentCoroutineContext().cancel()
            }
        }
    }

    private fun block(random: Random) {
        if (random.nextInt(4) == 0) Thread.sleep(1)
    }

    private suspend fun visit(where: Limited, random: Random) {
        checkThread()
        where.inside.during { if (random.nextInt(4) == 0) Thread.yield() }
        if (random.nextBoolean()) yield() else delay(1)
        checkThread()
        where.inside.during { Thread.onSpinWait() }
    }

    /** Outside, a coroutine that the closed scheduler refused ends; it does not go on. */
    private fun checkThread() {
        val name = Thread.currentThread().name
        if (!name.startsWith(scheduler.name() + "-worker-")) wentOnOutside += name
    }

    private fun fail(random: Random): Nothing =
        if (random.nextInt(10) == 0) throw StackOverflowError("on purpose") else throw OnPurpose()

    private fun startOne(random: Random) {
        val seed = random.nextLong()
        val on = Route.entries.random(random).of(dispatcher)
        start(on) {
            val own = Random(seed)
            // Some start others: those are published by a worker.
            repeat(if (own.nextInt(4) == 0) 2 else 0) {
                val childs = Random(own.nextLong())
                start(dispatcher) { act(childs) }
            }
            act(own)
        }
    }

    // ---- the round -----------------------------------------------------------------------------

    private val plainDone = LongAdder()
    private val on = AtomicBoolean(true)

    fun run(closeUnderLoad: Boolean) {
        val seeds = List(3) { random.nextLong() }
        val plain = LongAdder()
        val outsiders = seeds.map { seed ->
            Thread {
                val own = Random(seed)
                repeat(300) {
                    startOne(own)
                    plain.increment()
                    dispatcher.dispatch(EmptyCoroutineContext) { plainDone.increment() }
                    if (own.nextInt(10) == 0) jobs.elementAtOrNull(own.nextInt(50))?.cancel()
                    if (own.nextInt(50) == 0) Thread.sleep(1) // bursts
                }
            }
        }
        val interrupter = Thread {
            while (on.get()) {
                Thread.getAllStackTraces()
                    .keys
                    .filter { it.name.startsWith(scheduler.name() + "-worker-") }
                    .randomOrNull()
                    ?.interrupt()
                Thread.sleep(2)
            }
        }
        (outsiders + interrupter).forEach(Thread::start)
        try {
            outsiders.drop(1).forEach(Thread::join)
            if (closeUnderLoad) dispatcher.close()
            outsiders.forEach(Thread::join)
            runSoon { while (jobs.any { !it.isCompleted }) jobs.toList().joinAll() }
        } finally {
            on.set(false)
            interrupter.join()
        }
        awaitUntil("plain tasks") { plainDone.sum() == plain.sum() }
        balance()
        if (closeUnderLoad) {
            assertTrue(scheduler.awaitTermination(DEADLINE.inWholeSeconds, TimeUnit.SECONDS))
        } else {
            runSoon { assertServes(dispatcher) }
            scheduler.close()
        }
        awaitUntil("tasks are accounted for") { // who published may be about to count it
            scheduler.stats().published() == scheduler.stats().executed()
        }
        val stats = scheduler.stats()
        assertEquals(0, stats.armedTimers())
        assertEquals(0, stats.threads())
    }

    private fun balance() {
        awaitUntil("the outcome of each is noted") { // handlers run after a join may have returned
            entries.all { it.outcomes.isNotEmpty() }
        }
        for (entry in entries) {
            val outcome = entry.outcomes.single()
            assertTrue(entry.begun.get() <= 1, "ran twice")
            assertEquals(entry.begun.get(), entry.over.get(), "began, and is not over")
            // Cancelled ones may not have begun.
            if (outcome != "cancelled") assertEquals(1, entry.begun.get(), outcome)
        }
        assertEquals(
            books.started.sum(),
            books.completed.sum() + books.cancelled.sum() + books.failed.sum(),
        )
        assertEquals(books.failed.sum(), told.sum(), "failures are told once")
        assertEquals(emptyList<Throwable>(), unexpected.toList())
        assertEquals(emptyList<Throwable>(), uncaught.toList())
        assertEquals(emptyList<String>(), wentOnOutside.toList())
        assertEquals(inMutex.get(), guarded)
        for (l in limited) {
            assertTrue(l.inside.highest <= l.limit) { "${l.inside.highest} in ${l.dispatcher}" }
            assertEquals(0, l.inside.current)
        }
    }
}
