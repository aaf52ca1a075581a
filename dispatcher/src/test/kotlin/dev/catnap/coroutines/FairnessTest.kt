package dev.catnap.coroutines

import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.atomic.AtomicBoolean
import java.util.concurrent.atomic.AtomicInteger
import kotlin.coroutines.EmptyCoroutineContext
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Job
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.delay
import kotlinx.coroutines.isActive
import kotlinx.coroutines.job
import kotlinx.coroutines.joinAll
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext
import kotlinx.coroutines.yield
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.extension.RegisterExtension
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.EnumSource

/** G5, F19: nothing starves, and a yield goes behind all that waits. */
@Timeout(120)
internal class FairnessTest {
    @JvmField @RegisterExtension val schedulers = Schedulers()

    @Test
    fun yield_oneWorker_theOtherRuns() = runSoon {
        val log = ConcurrentLinkedQueue<String>()
        withContext(schedulers.dispatcher(1)) {
            val other = launch {
                log += "other"
            }
            log += "before"
            yield()
            log += "after"
            other.join()
        }
        assertEquals(listOf("before", "other", "after"), log.toList())
    }

    /** Between two turns of one yielder, every other one has exactly one. */
    @ParameterizedTest
    @EnumSource(Route::class, names = ["DIRECT", "VIEW", "VIEW_OF_VIEW", "IO_VIEW"])
    fun yielders_takeTurns(route: Route) = runSoon {
        val yielders = 7
        val rounds = 50
        val dispatcher = schedulers.dispatcher(if (route == Route.DIRECT) 1 else 4)
        val log = ConcurrentLinkedQueue<Int>()
        withContext(route.of(dispatcher)) {
            val started = AtomicInteger()
            repeat(yielders) { i ->
                launch {
                    started.incrementAndGet()
                    while (started.get() < yielders) yield()
                    repeat(rounds) {
                        log += i
                        yield()
                    }
                }
            }
        }
        val turns = log.toList()
        assertEquals(yielders * rounds, turns.size)
        val order = turns.take(yielders)
        assertEquals((0 until yielders).toSet(), order.toSet())
        turns.chunked(yielders).forEach { assertEquals(order, it) }
    }

    @Test
    fun launches_fromOneCoroutine_allRunWhileTwoPlayPingPong() = runSoon {
        // The LIFO slot is refilled all the time: the queue gets its turn nevertheless.
        val dispatcher = schedulers.dispatcher(1)
        val ping = Channel<Unit>()
        val pong = Channel<Unit>()
        val players = CoroutineScope(dispatcher + Job())
        withContext(dispatcher) {
            players.launch {
                while (true) {
                    ping.send(Unit)
                    pong.receive()
                }
            }
            players.launch {
                while (true) {
                    ping.receive()
                    pong.send(Unit)
                }
            }
            List(100) { launch { yield() } }.joinAll()
        }
        withContext(dispatcher) { delay(1) } // from outside, and by a timer
        players.coroutineContext.job.cancelAndJoin()
    }

    @ParameterizedTest
    @EnumSource(Route::class)
    fun selfResubmission_everyWorkerBusy_ordinaryWorkStarts(route: Route) = runSoon {
        val dispatcher = schedulers.dispatcher(2)
        val on = AtomicBoolean(true)
        repeat(2) {
            val greedy = route.of(dispatcher) // a view each: between them they hold both workers
            fun again() {
                if (on.get()) greedy.dispatch(EmptyCoroutineContext) { again() }
            }
            repeat(2) { again() }
        }
        repeat(20) { withContext(dispatcher) { delay(1) } }
        on.set(false)
    }

    @ParameterizedTest
    @EnumSource(Route::class)
    fun endlessYields_everyWorkerBusy_ordinaryWorkStarts(route: Route) = runSoon {
        val dispatcher = schedulers.dispatcher(2)
        val busy =
            List(2) { route.of(dispatcher) }
                .flatMap { d -> List(3) { launch(d) { while (isActive) yield() } } }
        repeat(20) { withContext(dispatcher) { delay(1) } }
        busy.forEach { it.cancel() }
        busy.joinAll()
        assertTrue(busy.all { it.isCancelled })
    }
}
