package dev.catnap.coroutines

import dev.catnap.WorkStealingScheduler
import dev.catnap.spi.Placement
import dev.catnap.spi.SchedulerTuning
import java.util.concurrent.TimeUnit
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Job
import kotlinx.coroutines.async
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.extension.RegisterExtension

/**
 * G1, G9: who blocks in `io()` keeps nobody waiting behind it, and nobody who goes there waits for
 * those that compute. One worker, and no time passes for its sentinel, which gets nothing out.
 */
@Timeout(120)
internal class ClosedDoorTest {
    @JvmField @RegisterExtension val schedulers = Schedulers()

    private fun scheduler(): WorkStealingScheduler {
        val never = TimeUnit.MINUTES.toNanos(1)
        val scheduler =
            schedulers.scheduler(1) {
                tuning(SchedulerTuning.production().withSentinel(never, never).withClock { 0 })
            }
        scheduler.execute { scheduler.adapter().publish({}, Placement.NEXT) }
        awaitUntil("its sentinel is there") { scheduler.stats().sentinelRounds() != 0L }
        return scheduler
    }

    private fun dispatcher() = WorkStealingDispatcher.of(scheduler())

    @Test
    fun launchedBesideOneThatGoesOn_itBeginsAtOnce() = runSoon {
        val dispatcher = dispatcher()
        withContext(dispatcher) {
            for (start in
                listOf<(Gate) -> Unit>(
                    { launch(dispatcher.io()) { it.open() } },
                    { async(dispatcher.io()) { it.open() } },
                    { launch(dispatcher.io().limitedParallelism(1)) { it.open() } },
                )) {
                val began = schedulers.gate()
                start(began)
                began.await() // the worker is in this task; it has declared nothing
            }
        }
    }

    @Test
    fun resumedByOneThatGoesOn_itGoesOnAtOnce() = runSoon {
        val dispatcher = dispatcher()
        val requests = Channel<Gate>(Channel.UNLIMITED)
        val actor = launch(dispatcher.io()) { for (request in requests) request.open() }
        withContext(dispatcher) {
            repeat(10) {
                val answered = schedulers.gate()
                requests.trySend(answered)
                answered.await()
            }
        }
        requests.close()
        actor.join()
    }

    private val lanes =
        listOf<(WorkStealingDispatcher) -> CoroutineDispatcher>(
            { it.io() },
            { it.io().limitedParallelism(1) },
            { it.io().limitedParallelism(2).limitedParallelism(1) },
        )

    @Test
    fun resumedByOneThatBlocksOn_itGoesOnAtOnce() = runSoon {
        for (lane in lanes) {
            val dispatcher = dispatcher()
            val question = CompletableDeferred<Int>()
            val answered = schedulers.gate()
            val waits = async(dispatcher) { question.await().also { answered.open() } }
            withContext(lane(dispatcher)) {
                question.complete(42)
                answered.await()
            }
            assertEquals(42, waits.await())
        }
    }

    /** As the agent has it where an application's class loader is not the system's. */
    @Test
    fun aBlockThatSetsAClassLoader_tellsOfItsEnd() {
        val loader = ClosedDoorTest::class.java.classLoader
        val job = Job()
        val lane = schedulers.dispatcher().io() as Lane
        val runner = LaneRunner(lane, ContextTask.withLoader(job, {}, loader))
        assertFalse(runner.asBoolean)
        job.complete()
        assertTrue(runner.asBoolean)
    }

    /** A runner takes the next task on the thread that has just resumed somebody. */
    @Test
    fun backFromALaneInWhichOthersWait_itGoesOnAtOnce() = runSoon {
        for (lane in lanes.drop(1)) {
            val scheduler = scheduler()
            val dispatcher = WorkStealingDispatcher.of(scheduler)
            val io = lane(dispatcher)
            val full = schedulers.gate()
            val back = schedulers.gate()
            val first = launch(io) { full.await() }
            awaitUntil("it blocks") { scheduler.stats().blockedWorkers() == 1 }
            val queued = schedulers.gate()
            val goes =
                launch(dispatcher) {
                    launch(start = CoroutineStart.UNDISPATCHED) {
                        withContext(io) {}
                        back.open()
                    }
                    launch(io) { back.await() }
                    queued.open()
                }
            queued.await()
            awaitUntil("the worker sleeps") { scheduler.stats().parkedWorkers() == 1 }
            full.open()
            first.join()
            goes.join()
        }
    }
}
