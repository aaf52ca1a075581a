package dev.catnap.coroutines

import dev.catnap.Flavor
import dev.catnap.WorkStealingScheduler
import dev.catnap.spi.MonotonicClock
import dev.catnap.spi.Parker
import dev.catnap.spi.SchedulerTuning
import java.lang.ref.WeakReference
import java.util.concurrent.TimeUnit
import kotlin.time.Duration
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeout
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Assertions.fail
import org.junit.jupiter.api.extension.AfterEachCallback
import org.junit.jupiter.api.extension.ExtensionContext

/** When what must happen has not happened by then, it is lost. Long: the machine may be busy. */
internal val DEADLINE: Duration = 30.seconds

/** Longer than any test: what ends before it has been cancelled. */
internal const val FOREVER_MILLIS: Long = 3_600_000

/**
 * How much a test repeats that could as well repeat it less: 1 is all of it, the gate runs a part.
 */
private val SCALE: Double = System.getProperty("catnap.test.scale", "1").toDouble()

internal fun scaled(times: Int): Int = (times * SCALE).toInt().coerceAtLeast(1)

/**
 * A sentinel that looks after slots, and relieves nobody before a test is over. Else a worker that
 * a test holds, or that the machine lets wait for a processor, gets a spare after some 10 ms: then
 * what "cannot run" runs, and one worker is two.
 */
private val RELIEVES_NOBODY: SchedulerTuning =
    SchedulerTuning.production().let {
        val late = it.withSentinel(it.slotTickNanos(), TimeUnit.SECONDS.toNanos(60))
        late.withClock(RestlessSentinel(it.stallTickNanos()))
    }

/**
 * The real time, by which the sentinel waits no longer than in production. Else it lingers off duty
 * for the minute as well; and a worker on standby, or a section that has kept its right, waits for
 * its next round as long.
 */
private class RestlessSentinel(private val longestNanos: Long) : MonotonicClock {
    override fun nanoTime(): Long = System.nanoTime()

    override fun parkNanos(blocker: Any, nanos: Long) {
        val isSentinel = Thread.currentThread().name.endsWith("-sentinel")
        val wait = if (isSentinel) minOf(nanos, longestNanos) else nanos
        Parker.LOCK_SUPPORT.parkNanos(blocker, wait)
    }
}

/** For tests of G9, and for loads: a worker that does not come back gets a spare. */
internal fun WorkStealingScheduler.Builder.productionSentinel() {
    tuning(SchedulerTuning.production())
}

/**
 * For tests that count tasks: without a sentinel turns are counted in tasks alone. Else they are
 * counted in time too, and a worker that waits for a processor gives others a longer one.
 */
internal fun WorkStealingScheduler.Builder.countedTurns() {
    tuning(SchedulerTuning.production().withSentinel(0, 0))
}

/** Runs on the test's own thread, so that a scheduler that hangs fails the test. */
internal fun <T> runSoon(block: suspend CoroutineScope.() -> T): T = runBlocking {
    withTimeout(DEADLINE, block)
}

internal fun awaitUntil(what: String, condition: () -> Boolean) {
    val deadline = TimeSource.Monotonic.markNow() + DEADLINE
    while (!condition()) {
        if (deadline.hasPassedNow()) {
            fail<Unit>("not within $DEADLINE: $what")
        }
        Thread.sleep(1)
    }
}

/** By collections that the test asks for. */
internal fun awaitCollected(what: String, reference: WeakReference<*>) =
    awaitUntil("collected: $what") {
        System.gc()
        reference.get() == null
    }

/**
 * A coroutine in a `delay` that does not end by itself, and what it holds for the time after that.
 */
internal fun CoroutineDispatcher.delayHolding(): Pair<Job, WeakReference<ByteArray>> {
    val held = ByteArray(1_000)
    val job =
        CoroutineScope(this).launch {
            delay(FOREVER_MILLIS)
            held.fill(1)
        }
    return Pair(job, WeakReference(held))
}

/** A latch to block threads with; opened after the test whatever happens. */
internal class Gate {
    private val latch = java.util.concurrent.CountDownLatch(1)

    fun open() = latch.countDown()

    /**
     * Longer than a test waits: a task began to wait first, and with the same deadline it would
     * give up first, its worker would be free, and what the test waits for would come after all.
     */
    fun await() =
        assertTrue(latch.await(HELD.inWholeSeconds, TimeUnit.SECONDS), "the gate stays shut")

    private companion object {
        val HELD = DEADLINE * 3 / 2
    }
}

/** Highest number of calls of [during] that were under way at once. */
internal class Concurrency {
    private val now = java.util.concurrent.atomic.AtomicInteger()
    private val most = java.util.concurrent.atomic.AtomicInteger()
    val highest: Int
        get() = most.get()

    val current: Int
        get() = now.get()

    inline fun <T> during(block: () -> T): T {
        most.accumulateAndGet(now.incrementAndGet(), ::maxOf)
        try {
            return block()
        } finally {
            now.decrementAndGet()
        }
    }
}

/**
 * Makes the schedulers of a test; after it closes them, and checks the accounting and that no
 * thread is left behind (G6). Spares come for declared blocking alone, unless the test asks for the
 * [productionSentinel].
 */
internal class Schedulers : AfterEachCallback {
    private val made = mutableListOf<WorkStealingScheduler>()
    private val gates = mutableListOf<Gate>()

    fun scheduler(
        parallelism: Int = 2,
        maxThreads: Int = 64,
        configure: WorkStealingScheduler.Builder.() -> Unit = {},
    ): WorkStealingScheduler =
        WorkStealingScheduler.builder()
            .name("test-${number.incrementAndGet()}")
            .parallelism(parallelism)
            .maxThreads(maxThreads)
            .tuning(RELIEVES_NOBODY)
            .apply(configure)
            .build()
            .also(made::add)

    fun perCore(parallelism: Int): WorkStealingDispatcher =
        WorkStealingDispatcher.of(
            scheduler(parallelism, parallelism) { flavor(Flavor.THREAD_PER_CORE) }
        )

    fun dispatcher(
        parallelism: Int = 2,
        maxThreads: Int = 64,
        configure: WorkStealingScheduler.Builder.() -> Unit = {},
    ): WorkStealingDispatcher =
        WorkStealingDispatcher.of(scheduler(parallelism, maxThreads, configure))

    fun gate(): Gate = Gate().also(gates::add)

    override fun afterEach(context: ExtensionContext) {
        gates.forEach(Gate::open)
        for (scheduler in made) {
            scheduler.shutdown()
            assertTrue(
                scheduler.awaitTermination(DEADLINE.inWholeSeconds, TimeUnit.SECONDS),
                "not terminated: $scheduler",
            )
            awaitUntil("all threads of $scheduler end") { threadsOf(scheduler).isEmpty() }
            val stats = scheduler.stats()
            assertEquals(0, stats.armedTimers(), "armed timers")
            assertEquals(0, stats.blockedWorkers(), "blocked workers")
            assertEquals(0, stats.queued(), "queued tasks")
        }
    }

    private fun threadsOf(scheduler: WorkStealingScheduler): List<Thread> =
        Thread.getAllStackTraces().keys.filter { it.name.startsWith(scheduler.name() + "-") }

    private companion object {
        val number = java.util.concurrent.atomic.AtomicInteger()
    }
}

/** The dispatchers whose behaviour must be the same (G12). */
internal enum class Face(val threadPrefix: String) {
    KOTLINX_DEFAULT("DefaultDispatcher-worker-"),
    KOTLINX_IO("DefaultDispatcher-worker-"),
    KOTLINX_VIEW("DefaultDispatcher-worker-"),
    COMMON_DEFAULT("catnap-worker-"),
    COMMON_IO("catnap-worker-"),
    COMMON_VIEW("catnap-worker-"),
    OWN("test-"),
    OWN_ONE_WORKER("test-"),
    OWN_VIEW("test-"),
    PER_CORE("test-"),
    PER_CORE_VIEW("test-"),
    OWN_IO("test-"),
    OWN_IO_VIEW("test-");

    fun open(schedulers: Schedulers): CoroutineDispatcher =
        when (this) {
            KOTLINX_DEFAULT -> Dispatchers.Default
            KOTLINX_IO -> Dispatchers.IO
            KOTLINX_VIEW -> Dispatchers.Default.limitedParallelism(1)
            COMMON_DEFAULT -> CatnapDispatchers.Default
            COMMON_IO -> CatnapDispatchers.IO
            COMMON_VIEW -> CatnapDispatchers.IO.limitedParallelism(2)
            OWN -> schedulers.dispatcher(4)
            OWN_ONE_WORKER -> schedulers.dispatcher(1)
            OWN_VIEW -> schedulers.dispatcher(4).limitedParallelism(2)
            PER_CORE -> schedulers.perCore(4)
            PER_CORE_VIEW -> schedulers.perCore(4).limitedParallelism(2)
            OWN_IO -> schedulers.dispatcher(2).io()
            OWN_IO_VIEW -> schedulers.dispatcher(2).io().limitedParallelism(1)
        }
}

/** Ways to reach the workers of one scheduler. */
internal enum class Route {
    DIRECT,
    VIEW,
    VIEW_OF_VIEW,
    NAMED,
    IO,
    IO_VIEW,
    IO_VIEW_OF_VIEW;

    fun of(dispatcher: WorkStealingDispatcher): CoroutineDispatcher =
        when (this) {
            DIRECT -> dispatcher
            VIEW -> dispatcher.limitedParallelism(1)
            VIEW_OF_VIEW -> dispatcher.limitedParallelism(2).limitedParallelism(1)
            NAMED -> dispatcher.limitedParallelism(1_000, "named")
            IO -> dispatcher.io()
            IO_VIEW -> dispatcher.io().limitedParallelism(1)
            IO_VIEW_OF_VIEW -> dispatcher.io().limitedParallelism(5).limitedParallelism(1)
        }

    /** Tasks that may run at once, if that is less than what the scheduler does. */
    val limit: Int
        get() =
            when (this) {
                VIEW,
                VIEW_OF_VIEW,
                IO_VIEW,
                IO_VIEW_OF_VIEW -> 1
                else -> Int.MAX_VALUE
            }
}

/** What `yield()` calls. */
@OptIn(kotlinx.coroutines.InternalCoroutinesApi::class)
internal fun CoroutineDispatcher.dispatchYieldForTest(block: Runnable) =
    dispatchYield(kotlin.coroutines.EmptyCoroutineContext, block)
