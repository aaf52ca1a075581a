package dev.catnap.coroutines

import dev.catnap.WorkStealingScheduler
import dev.catnap.spi.SchedulerTuning
import java.time.Duration
import java.util.concurrent.atomic.AtomicLong
import kotlin.coroutines.EmptyCoroutineContext
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Job
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.delay
import kotlinx.coroutines.isActive
import kotlinx.coroutines.job
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext
import kotlinx.coroutines.yield
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.extension.RegisterExtension
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.EnumSource

/** G5, F19: none of the endless loads starves another, and waits are bounded in tasks. */
@Timeout(120)
internal class MixedLoadFairnessTest {
    @JvmField @RegisterExtension val schedulers = Schedulers()

    /** Loads that never end by themselves. */
    enum class Load {
        YIELDS,
        PING_PONG,
        OUTSIDE_FLOOD,
        IO_FLOOD,
        TIMERS;

        fun start(dispatcher: WorkStealingDispatcher, tasks: AtomicLong): () -> Unit {
            val scope = CoroutineScope(dispatcher + Job())
            fun count() = tasks.incrementAndGet()
            var outsider: Thread? = null
            when (this) {
                YIELDS ->
                    repeat(4) {
                        scope.launch { while (isActive) count().also { yield() } }
                    }
                PING_PONG -> {
                    val ball = Channel<Unit>()
                    scope.launch { while (true) ball.send(Unit).also { count() } }
                    scope.launch { while (true) ball.receive().also { count() } }
                }
                OUTSIDE_FLOOD -> {
                    val outstanding = AtomicLong()
                    outsider = Thread {
                        while (scope.isActive) {
                            // More than a batch waits at any time, and memory suffices.
                            while (outstanding.get() > 2_000) Thread.onSpinWait()
                            outstanding.incrementAndGet()
                            dispatcher.dispatch(EmptyCoroutineContext) {
                                outstanding.decrementAndGet()
                                count()
                            }
                        }
                    }
                }
                IO_FLOOD ->
                    repeat(100) {
                        scope.launch(dispatcher.io()) { while (isActive) count().also { yield() } }
                    }
                TIMERS -> repeat(500) { scope.launch { while (true) delay(1).also { count() } } }
            }
            outsider?.start()
            return {
                scope.coroutineContext.job.cancel()
                outsider?.join()
                runSoon { scope.coroutineContext.job.join() }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    fun besideAnEndlessLoad_everyOtherLoadGetsOn(load: Load) {
        // 14 may block at once: enough to be many, and not so many that the flood is all that runs.
        val scheduler =
            schedulers.scheduler(2, maxThreads = 16) {
                keepAlive(Duration.ofMillis(50))
                productionSentinel()
            }
        val dispatcher = WorkStealingDispatcher.of(scheduler)
        val stop = load.start(dispatcher, AtomicLong())
        try {
            for (other in Load.entries - load) {
                val tasks = AtomicLong()
                val stopOther = other.start(dispatcher, tasks)
                awaitUntil("$other beside $load") { tasks.get() > 1_000 }
                stopOther()
            }
            runSoon { repeat(20) { for (r in Route.entries) withContext(r.of(dispatcher)) {} } }
        } finally {
            stop()
        }
        awaitUntil("threads back to the parallelism") {
            scheduler.stats().threads() == scheduler.parallelism()
        }
        runSoon { assertServes(dispatcher) }
    }

    /** Tasks of a load that ran between a dispatch on the only worker and its turn. */
    private fun worstWait(load: Load): Long {
        // Who counts is the only one.
        val dispatcher = schedulers.dispatcher(1, maxThreads = 1) { countedTurns() }
        val tasks = AtomicLong()
        val stop = load.start(dispatcher, tasks)
        awaitUntil("under way") { tasks.get() > 10_000 }
        var worst = 0L
        try {
            runSoon {
                withContext(dispatcher) {
                    repeat(200) {
                        val before = tasks.get()
                        launch { worst = maxOf(worst, tasks.get() - before) }.join()
                        yield()
                    }
                }
            }
        } finally {
            stop()
        }
        return worst
    }

    @Test
    fun launchFromACoroutine_besideALoad_waitsForABoundedNumberOfTasks() {
        val tuning = SchedulerTuning.production()
        // At worst what the queue holds, and as often an injected task as its interval says.
        val queue = tuning.dequeCapacity() + tuning.dequeCapacity() / tuning.injectorInterval() + 1
        for (load in listOf(Load.YIELDS, Load.OUTSIDE_FLOOD)) {
            val worst = worstWait(load)
            assertTrue(worst <= queue) { "$load: $worst tasks" }
        }
    }

    @Test
    fun ioBurst_isOver_threadsRetireWhileDefaultWorks() = runSoon {
        val scheduler: WorkStealingScheduler =
            schedulers.scheduler(2) { keepAlive(Duration.ofMillis(50)) }
        val dispatcher = WorkStealingDispatcher.of(scheduler)
        val gate = schedulers.gate()
        val inside = Concurrency()
        val blocked = List(20) { launch(dispatcher.io()) { inside.during { gate.await() } } }
        awaitUntil("all block") { inside.current == 20 }
        assertTrue(scheduler.stats().threads() >= 20)
        val busy = launch(dispatcher) { while (isActive) yield() }
        gate.open()
        blocked.forEach { it.join() }
        awaitUntil("surplus threads are over, and nobody blocks") {
            scheduler.stats().threads() == 2 && scheduler.stats().blockedWorkers() == 0
        }
        busy.cancelAndJoin()
        assertServes(dispatcher)
    }
}
