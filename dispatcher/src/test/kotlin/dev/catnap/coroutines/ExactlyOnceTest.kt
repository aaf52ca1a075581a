package dev.catnap.coroutines

import java.util.concurrent.atomic.AtomicIntegerArray
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.joinAll
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext
import kotlinx.coroutines.yield
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.extension.RegisterExtension
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.EnumSource

/** G1, G2: no coroutine is lost, none runs twice. */
@Timeout(120)
internal class ExactlyOnceTest {
    @JvmField @RegisterExtension val schedulers = Schedulers()

    private val n = scaled(100_000)

    private fun AtomicIntegerArray.assertAll(expected: Int) {
        for (i in 0 until length()) assertEquals(expected, get(i)) { "coroutine $i" }
    }

    @ParameterizedTest
    @EnumSource(Route::class, names = ["DIRECT", "VIEW", "IO"])
    fun launchedFromOutside_eachRunsOnce(route: Route) = runSoon {
        val scheduler = schedulers.scheduler(4)
        val d = route.of(WorkStealingDispatcher.of(scheduler))
        val runs = AtomicIntegerArray(n)
        withContext(d) {}
        val scope = CoroutineScope(coroutineContext + d)
        List(n) { i -> scope.launch { runs.incrementAndGet(i) } }.joinAll()
        runs.assertAll(1)
        awaitUntil("accounted for") {
            val stats = scheduler.stats()
            stats.published() == stats.executed() && stats.queued() == 0L
        }
    }

    @ParameterizedTest
    @EnumSource(Route::class, names = ["DIRECT", "VIEW", "IO"])
    fun launchedFromACoroutine_withYields_eachGoesOnOnce(route: Route) = runSoon {
        val d = route.of(schedulers.dispatcher(4))
        val runs = AtomicIntegerArray(n)
        withContext(d) {
            repeat(n) { i ->
                launch {
                    runs.incrementAndGet(i)
                    yield()
                    runs.incrementAndGet(i)
                }
            }
        }
        runs.assertAll(2)
    }

    @Test
    fun hops_betweenDefaultAndIo() = runSoon {
        val dispatcher = schedulers.dispatcher(4)
        val io = dispatcher.io()
        val runs = AtomicIntegerArray(1_000)
        List(1_000) { i ->
                launch(dispatcher) {
                    repeat(10) { withContext(io) { runs.incrementAndGet(i) } }
                }
            }
            .joinAll()
        runs.assertAll(10)
    }
}
