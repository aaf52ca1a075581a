package dev.catnap.loom

import dev.catnap.coroutines.WorkStealingDispatcher
import dev.catnap.loom.testing.Deadline
import dev.catnap.loom.testing.Modes
import dev.catnap.loom.testing.NoThreadLeft
import dev.catnap.spi.SchedulerTuning
import java.util.concurrent.SynchronousQueue
import java.util.concurrent.atomic.AtomicLong
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Job
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.delay
import kotlinx.coroutines.isActive
import kotlinx.coroutines.job
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeout
import kotlinx.coroutines.yield
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.extension.ExtendWith
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.Arguments
import org.junit.jupiter.params.provider.Arguments.arguments
import org.junit.jupiter.params.provider.MethodSource

/** G5: neither face of a pool starves the other, whatever the two do without end. */
@Timeout(120)
@ExtendWith(NoThreadLeft::class)
internal class FacesFairnessTest {
    /** What the tasks of a load do, each kind of task in its own way. */
    enum class Habit {
        /** Go behind all that is ready. */
        YIELD,
        /**
         * Hand over in pairs: the worst that coroutines can do, for it is done in the LIFO slot.
         */
        PING_PONG,
    }

    /** Tasks of one kind, and their steps so far. They go on until [stop]. */
    private class Load(private val steps: AtomicLong, val stop: () -> Unit) {
        fun steps() = steps.get()

        fun awaitSteps(more: Long) {
            val enough = steps() + more
            Deadline.until("$more more steps") { steps() >= enough }
        }
    }

    private fun coroutines(pool: CarrierPool, habit: Habit): Load {
        val scope = CoroutineScope(WorkStealingDispatcher.of(pool.scheduler()) + Job())
        val steps = AtomicLong()
        when (habit) {
            Habit.YIELD ->
                repeat(TASKS) {
                    scope.launch { while (isActive) yield().also { steps.incrementAndGet() } }
                }
            Habit.PING_PONG ->
                repeat(TASKS / 2) {
                    val ball = Channel<Unit>()
                    scope.launch { while (true) ball.send(Unit).also { steps.incrementAndGet() } }
                    scope.launch { while (true) ball.receive().also { steps.incrementAndGet() } }
                }
        }
        return Load(steps) {
            scope.coroutineContext.job.cancel()
            soon { scope.coroutineContext.job.join() }
        }
    }

    private fun threads(pool: CarrierPool, habit: Habit): Load {
        val steps = AtomicLong()
        fun start(step: () -> Unit) =
            pool.ofVirtual().start {
                try {
                    while (!Thread.currentThread().isInterrupted) {
                        step()
                        steps.incrementAndGet()
                    }
                } catch (_: InterruptedException) {
                    // told to stop while it waited
                }
            }
        val all =
            when (habit) {
                Habit.YIELD -> List(TASKS) { start { Thread.yield() } }
                Habit.PING_PONG ->
                    List(TASKS / 2) { SynchronousQueue<Int>() }
                        .flatMap { ball -> listOf(start { ball.put(1) }, start { ball.take() }) }
            }
        return Load(steps) {
            all.forEach { it.interrupt() }
            Deadline.join(*all.toTypedArray())
        }
    }

    private fun <T> soon(block: suspend CoroutineScope.() -> T): T = runBlocking {
        withTimeout(Deadline.SECONDS.seconds, block)
    }

    /** Runs the body beside a load that is under way, and stops the load. */
    private fun beside(load: Load, body: () -> Unit) {
        try {
            load.awaitSteps(10_000)
            body()
        } finally {
            load.stop()
        }
    }

    // ---- one side is endless, the other asks
    // -----------------------------------------------------

    @ParameterizedTest
    @MethodSource("modesAndHabits")
    fun besideEndlessCoroutines_aVirtualThreadWaitsForABoundedNumberOfSteps(
        mode: CarrierPool.Mode,
        habit: Habit,
    ) {
        // One that no spare ever relieves: else, when the operating system takes the processor from
        // it for long, the load goes on beside the task that measures.
        Modes.pool(mode, 1).use { pool ->
            val load = coroutines(pool, habit)
            beside(load) {
                var afterYield = 0L
                var untilStart = 0L
                Deadline.join(
                    pool.ofVirtual().start {
                        repeat(500) {
                            val before = load.steps()
                            Thread.yield()
                            afterYield = maxOf(afterYield, load.steps() - before)
                            val published = load.steps()
                            Thread.startVirtualThread {
                                    untilStart = maxOf(untilStart, load.steps() - published)
                                }
                                .join()
                        }
                    }
                )
                assertBounded("after a yield", afterYield)
                assertBounded("until a start", untilStart)
            }
        }
    }

    @ParameterizedTest
    @MethodSource("modesAndHabits")
    fun besideEndlessVirtualThreads_aCoroutineWaitsForABoundedNumberOfSteps(
        mode: CarrierPool.Mode,
        habit: Habit,
    ) {
        Modes.pool(mode, 1).use { pool ->
            val load = threads(pool, habit)
            beside(load) {
                var afterYield = 0L
                var untilLaunch = 0L
                val scope = CoroutineScope(WorkStealingDispatcher.of(pool.scheduler()))
                val asks = scope.launch {
                    repeat(500) {
                        val before = load.steps()
                        yield()
                        afterYield = maxOf(afterYield, load.steps() - before)
                        val published = load.steps()
                        launch { untilLaunch = maxOf(untilLaunch, load.steps() - published) }.join()
                    }
                }
                soon { asks.join() }
                assertBounded("after a yield", afterYield)
                assertBounded("until a launch", untilLaunch)
            }
        }
    }

    private fun assertBounded(what: String, steps: Long) {
        assertTrue(steps <= BOUND) { "$steps steps of the other kind $what, $BOUND allowed" }
    }

    /** From outside, through timers, and on more than one worker, where steps do not tell time. */
    @ParameterizedTest
    @MethodSource("modesAndHabits")
    fun besideTheEndlessLoadOfOneFace_theOtherFaceIsServedFromOutsideAndByTheClock(
        mode: CarrierPool.Mode,
        habit: Habit,
    ) {
        for (parallelism in 1..2) {
            Modes.pool(mode, parallelism).use { pool ->
                val dispatcher = WorkStealingDispatcher.of(pool.scheduler())
                beside(coroutines(pool, habit)) {
                    repeat(20) { Deadline.join(pool.ofVirtual().start { Thread.sleep(1) }) }
                }
                beside(threads(pool, habit)) {
                    repeat(20) { soon { launch(dispatcher) { delay(1) }.join() } }
                }
            }
        }
    }

    // ---- both are endless
    // ------------------------------------------------------------------------

    @ParameterizedTest
    @MethodSource("modesAndHabits")
    fun bothEndless_neitherSideGetsLessThanItsShare(mode: CarrierPool.Mode, habit: Habit) {
        for (ofThreads in Habit.entries) {
            val what = "coroutines $habit, threads $ofThreads, one worker"
            Modes.pool(mode, 1).use { pool -> assertShares(what, pool, habit, ofThreads, 1) }
        }
    }

    /**
     * Which worker gets a processor is up to the operating system, and so are shares at first. One
     * worker, where they are the scheduler's alone: the test above.
     */
    @Tag("timing")
    @ParameterizedTest
    @MethodSource("modesAndHabits")
    fun bothEndlessOnTwoWorkers_neitherSideGetsLessThanItsShareForLong(
        mode: CarrierPool.Mode,
        habit: Habit,
    ) {
        for (ofThreads in Habit.entries) {
            val what = "coroutines $habit, threads $ofThreads, two workers"
            Modes.productionPool(mode, 2).use { pool ->
                assertShares(what, pool, habit, ofThreads, MOST_WINDOWS)
            }
        }
    }

    private fun assertShares(
        what: String,
        pool: CarrierPool,
        ofCoroutines: Habit,
        ofThreads: Habit,
        mostWindows: Int,
    ) {
        val coroutines = coroutines(pool, ofCoroutines)
        beside(coroutines) {
            val threads = threads(pool, ofThreads)
            beside(threads) {
                val coroutinesBefore = coroutines.steps()
                val threadsBefore = threads.steps()
                fun byCoroutines() = coroutines.steps() - coroutinesBefore
                fun byThreads() = threads.steps() - threadsBefore
                var windows = 0
                var isFair: Boolean
                do {
                    windows++
                    Deadline.until("$windows windows") {
                        byCoroutines() + byThreads() >= windows * WINDOW
                    }
                    // They go on between two looks: at the second one the coroutines had done
                    // between first and last.
                    val first = byCoroutines()
                    val ofThem = byThreads()
                    val last = byCoroutines()
                    isFair =
                        last >= (last + ofThem) / LEAST_IN && ofThem >= (first + ofThem) / LEAST_IN
                    assertTrue(isFair || windows < mostWindows) {
                        "$what: $first to $last steps of coroutines, $ofThem of threads"
                    }
                } while (!isFair)
            }
        }
        Deadline.until("every worker is parked") {
            pool.scheduler().stats().parkedWorkers() == pool.scheduler().parallelism()
        }
        Deadline.untilBalanced(pool)
        assertEquals(0, pool.scheduler().stats().uncaughtExceptions())
    }

    companion object {
        /** Of each load; even, for they play in pairs. */
        private const val TASKS = 8

        /** Long against a batch of the injector. */
        private const val WINDOW = 200_000L

        /** Until the shares are those of the scheduler, not of the operating system. */
        private const val MOST_WINDOWS = 20

        /**
         * A task takes two steps at most: a hand-over that finds its partner waiting, and one more.
         */
        private const val STEPS_PER_TASK = 2

        /**
         * A yield goes behind all tasks of the load, and in front of each of these the LIFO slot
         * may have its turns; twice that, since the load's tasks come from the injector too.
         */
        private val BOUND =
            2 * (TASKS + 2) * (1 + SchedulerTuning.production().lifoBudget()) * STEPS_PER_TASK

        /**
         * One in seven is what threads get of the worst, where the LIFO slot gives its worker three
         * of four tasks, which take two steps each; other workers, which have more or less of one
         * kind by chance, take something of that.
         */
        private const val LEAST_IN = 20

        @JvmStatic
        fun modesAndHabits(): List<Arguments> =
            Modes.available().flatMap { mode -> Habit.entries.map { arguments(mode, it) } }
    }
}
