package dev.catnap.coroutines

import dev.catnap.WorkStealingScheduler
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.CountDownLatch
import java.util.concurrent.atomic.AtomicInteger
import kotlin.coroutines.ContinuationInterceptor
import kotlin.coroutines.EmptyCoroutineContext
import kotlinx.coroutines.Delay
import kotlinx.coroutines.InternalCoroutinesApi
import kotlinx.coroutines.asExecutor
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.delay
import kotlinx.coroutines.joinAll
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext
import kotlinx.coroutines.yield
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNotSame
import org.junit.jupiter.api.Assertions.assertSame
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.assertThrows
import org.junit.jupiter.api.extension.RegisterExtension
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.CsvSource
import org.junit.jupiter.params.provider.EnumSource
import org.junit.jupiter.params.provider.ValueSource

/** G12: views bound what runs at once, and keep the order. */
@Timeout(120)
internal class LimitedParallelismTest {
    @JvmField @RegisterExtension val schedulers = Schedulers()

    @ParameterizedTest
    @ValueSource(ints = [0, -1, Int.MIN_VALUE])
    fun limit_notAboveZero_isRefusedByName(limit: Int) {
        // F10
        val dispatcher = schedulers.dispatcher()
        for (d in
            listOf(
                dispatcher,
                dispatcher.io(),
                dispatcher.limitedParallelism(1),
                CatnapDispatchers.Default,
                CatnapDispatchers.IO,
            )) {
            val e = assertThrows<IllegalArgumentException> { d.limitedParallelism(limit) }
            assertTrue(e.message!!.contains("$limit"), e.message)
        }
    }

    @Test
    fun limit_notBelowTheParallelism_isTheDispatcherItself() {
        val dispatcher = schedulers.dispatcher(3)
        assertSame(dispatcher, dispatcher.limitedParallelism(3))
        assertSame(dispatcher, dispatcher.limitedParallelism(Int.MAX_VALUE))
        assertNotSame(dispatcher, dispatcher.limitedParallelism(2))
        val view = dispatcher.limitedParallelism(2)
        assertSame(view, view.limitedParallelism(2))
        assertNotSame(view, view.limitedParallelism(1))
    }

    @Test
    fun one_onOneWorker_excludesWhenThatBlocks() = runSoon {
        // A spare lets another task run, but not another one of this view.
        val scheduler = schedulers.scheduler(1)
        val dispatcher = WorkStealingDispatcher.of(scheduler)
        val view = dispatcher.limitedParallelism(1)
        val inside = Concurrency()
        val gate = schedulers.gate()
        val jobs =
            List(10) {
                launch(view) { inside.during { scheduler.blocking<Unit> { gate.await() } } }
            }
        awaitUntil("the view is full") { inside.current == 1 }
        repeat(20) { withContext(dispatcher) {} } // the others had every chance meanwhile
        gate.open()
        jobs.joinAll()
        assertEquals(1, inside.highest)
    }

    @Test
    fun one_onOneWorker_excludesAfterClose() = runSoon {
        // F15: on Dispatchers.IO there is no worker that would serialise them.
        val dispatcher = schedulers.dispatcher(1)
        val view = dispatcher.limitedParallelism(1)
        dispatcher.close()
        val inside = Concurrency()
        val ran = CountDownLatch(100)
        repeat(100) {
            view.dispatch(EmptyCoroutineContext) {
                inside.during { Thread.sleep(0, 100_000) }
                ran.countDown()
            }
        }
        awaitUntil("all ran") { ran.count == 0L }
        assertEquals(1, inside.highest)
    }

    @Test
    fun names_areShown() {
        val dispatcher = schedulers.dispatcher(3)
        assertEquals("db", dispatcher.limitedParallelism(2, "db").toString())
        assertEquals("db", dispatcher.limitedParallelism(9, "db").toString())
        assertEquals("db", dispatcher.io().limitedParallelism(2, "db").toString())
        assertEquals("db", dispatcher.limitedParallelism(2).limitedParallelism(2, "db").toString())
        awaitRest(dispatcher.executor as WorkStealingScheduler) // which names tell of
        assertEquals(
            "$dispatcher.limitedParallelism(2)",
            dispatcher.limitedParallelism(2).toString(),
        )
        assertEquals(
            "$dispatcher.io().limitedParallelism(2)",
            dispatcher.io().limitedParallelism(2).toString(),
        )
    }

    @ParameterizedTest
    @CsvSource("1", "2", "3")
    fun view_runsAtMostSoManyAtOnce(limit: Int) = runSoon {
        val dispatcher = schedulers.dispatcher(4)
        for (view in
            listOf(
                dispatcher.limitedParallelism(limit),
                dispatcher.io().limitedParallelism(limit),
                dispatcher.limitedParallelism(3).limitedParallelism(limit),
            )) {
            val inside = Concurrency()
            List(300) {
                    launch(view) {
                        inside.during { Thread.yield() } // who is one too many may come in
                        if (it % 3 == 0) delay(1) else yield()
                        inside.during { Thread.yield() }
                    }
                }
                .joinAll()
            assertTrue(inside.highest <= limit, "${inside.highest}")
        }
    }

    /**
     * The same step by step: a worker is free, and runs what was dispatched after those of the
     * view, so it would have run one too many before.
     */
    @ParameterizedTest
    @CsvSource("1", "2", "3")
    fun view_runsAsManyAtOnceAsItMayAndNoMore(limit: Int) = runSoon {
        val dispatcher = schedulers.dispatcher(4)
        for (view in
            listOf(
                dispatcher.limitedParallelism(limit),
                dispatcher.io().limitedParallelism(limit),
                dispatcher.limitedParallelism(3).limitedParallelism(limit),
            )) {
            val inside = Concurrency()
            val gate = schedulers.gate()
            val jobs = List(10) { launch(view) { inside.during { gate.await() } } }
            awaitUntil("the view is full") { inside.current == limit }
            repeat(20) { withContext(dispatcher) {} }
            gate.open()
            jobs.joinAll()
            assertEquals(limit, inside.highest)
        }
    }

    @ParameterizedTest
    @EnumSource(Route::class, names = ["VIEW", "VIEW_OF_VIEW", "IO_VIEW", "IO_VIEW_OF_VIEW"])
    fun viewOfOne_keepsTheOrderOfDispatch(route: Route) = runSoon {
        val view = route.of(schedulers.dispatcher(4))
        val order = ConcurrentLinkedQueue<Int>()
        List(2_000) { launch(view) { order += it } }.joinAll()
        assertEquals((0 until 2_000).toList(), order.toList())
    }

    @ParameterizedTest
    @EnumSource(Route::class, names = ["VIEW", "VIEW_OF_VIEW", "IO_VIEW", "IO_VIEW_OF_VIEW"])
    fun viewOfOne_isAMonitor(route: Route) = runSoon {
        // G10: plain field, no lock.
        val view = route.of(schedulers.dispatcher(4))
        var counter = 0
        List(100) {
                launch {
                    repeat(20) {
                        withContext(view) {
                            counter++
                            if (it % 5 == 0) delay(1)
                            counter++
                        }
                    }
                }
            }
            .joinAll()
        assertEquals(4_000, counter)
    }

    @Test
    fun views_areStableElementsWithTheirOwnDelay() = runSoon {
        val view = schedulers.dispatcher(4).limitedParallelism(1)
        @OptIn(InternalCoroutinesApi::class) assertTrue(view is Delay)
        withContext(view) {
            delay(1)
            assertSame(view, currentCoroutineContext()[ContinuationInterceptor])
        }
    }

    @ParameterizedTest
    @EnumSource(Route::class)
    fun plainTask_throws_theOthersRun(route: Route) {
        // G7, F6
        val thrown = ConcurrentLinkedQueue<Throwable>()
        val scheduler = schedulers.scheduler(4) { uncaughtExceptionHandler { _, e -> thrown += e } }
        val dispatcher = route.of(WorkStealingDispatcher.of(scheduler))
        val ran = ConcurrentLinkedQueue<Int>()
        repeat(100) {
            dispatcher.dispatch(EmptyCoroutineContext) {
                ran += it
                if (it % 10 == 0) throw IllegalStateException("on purpose")
            }
        }
        awaitUntil("all ran") { ran.size == 100 && thrown.size == 10 }
        assertTrue(thrown.all { it is IllegalStateException })
        assertEquals((0 until 100).toSet(), ran.toSet())
        runSoon { withContext(dispatcher) {} }
    }

    @Test
    fun asExecutor_ofAView_keepsItsLimit() {
        val executor = schedulers.dispatcher(4).limitedParallelism(1).asExecutor()
        val inside = Concurrency()
        val ran = ConcurrentLinkedQueue<Int>()
        repeat(100) { executor.execute { inside.during { ran += it } } }
        awaitUntil("all ran") { ran.size == 100 }
        assertEquals(1, inside.highest)
        assertEquals((0 until 100).toList(), ran.toList())
    }

    /** With a free permit the rest of the coroutine is a task of its own. */
    @Test
    fun yield_givesWayToWhatIsNotOfTheView() = runSoon {
        val dispatcher = schedulers.dispatcher(3)
        val gate = schedulers.gate()
        val busy = AtomicInteger()
        val holders =
            List(2) {
                launch(dispatcher) {
                    busy.incrementAndGet()
                    gate.await()
                }
            }
        awaitUntil("one worker is left") { busy.get() == 2 }
        val order = ConcurrentLinkedQueue<String>()
        launch(dispatcher.limitedParallelism(2)) {
                launch(dispatcher) { order += "other" }
                yield()
                order += "after the yield"
            }
            .join()
        assertEquals(listOf("other", "after the yield"), order.toList())
        gate.open()
        holders.joinAll()
    }
}
