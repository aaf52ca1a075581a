package dev.catnap.coroutines

import dev.catnap.WorkStealingScheduler
import dev.catnap.spi.Parker
import dev.catnap.spi.SchedulerTuning
import dev.catnap.spi.Timer
import java.io.File
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.LongAdder
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.TimeSource
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.FlowPreview
import kotlinx.coroutines.Job
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.consumeAsFlow
import kotlinx.coroutines.flow.debounce
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.flowOn
import kotlinx.coroutines.flow.take
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.job
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeoutOrNull
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.extension.RegisterExtension
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.EnumSource

/** G4, G11, F24: timers as programs use them, as many as they like, and none that wakes in vain. */
@Timeout(120)
@OptIn(FlowPreview::class)
internal class ManyTimersTest {
    @JvmField @RegisterExtension val schedulers = Schedulers()

    @ParameterizedTest
    @EnumSource
    fun ticker_noTickIsEarly(face: Face) = runSoon {
        val period = 2
        val start = TimeSource.Monotonic.markNow()
        val ticks = flow {
            while (true) {
                delay(period.milliseconds)
                emit(start.elapsedNow())
            }
        }
            .flowOn(face.open(schedulers))
            .take(50)
            .toList()
        ticks.forEachIndexed { i, at -> assertTrue(at >= (period * (i + 1)).milliseconds) }
    }

    /** Whatever else passes: who sends may lose its processor in the middle of a burst. */
    @ParameterizedTest
    @EnumSource
    fun debounce_theLastOfABurstPasses_noneIsEarly(face: Face) = runSoon {
        val source = Channel<Int>(Channel.UNLIMITED)
        val out = Channel<Int>(Channel.UNLIMITED)
        val collector =
            launch(face.open(schedulers)) {
                source.consumeAsFlow().debounce(20).collect { out.send(it) }
            }
        for (burst in 0..1) {
            val sent =
                List(5) { i -> TimeSource.Monotonic.markNow().also { source.send(5 * burst + i) } }
            var last = 5 * burst - 1
            do {
                val passed = out.receive()
                assertTrue(sent[passed - 5 * burst].elapsedNow() >= 20.milliseconds)
                assertTrue(passed > last) { "$passed after $last" }
                last = passed
            } while (passed != 5 * burst + 4)
        }
        assertTrue(out.tryReceive().isFailure)
        collector.cancelAndJoin()
    }

    /** Its twin is the one above. */
    @Tag("timing")
    @ParameterizedTest
    @EnumSource
    fun debounce_letsTheLastOfABurstPass(face: Face) = runSoon {
        val d = face.open(schedulers)
        // A sender that loses its processor in the middle of a burst makes two of it: hence tries.
        val passed =
            (1..10).firstNotNullOfOrNull {
                val source = Channel<Int>(Channel.UNLIMITED)
                val out = Channel<Int>(Channel.UNLIMITED)
                val collector =
                    launch(d) { source.consumeAsFlow().debounce(50).collect { out.send(it) } }
                val got =
                    List(2) { burst ->
                        repeat(5) { source.send(10 * burst + it) }
                        out.receive()
                    }
                collector.cancelAndJoin()
                got.takeIf { it == listOf(4, 14) }
            }
        assertEquals(listOf(4, 14), passed)
    }

    @ParameterizedTest
    @EnumSource(Route::class)
    fun timeouts_thatDoNotFire_leaveNothingArmed(route: Route) = runSoon {
        val scheduler = schedulers.scheduler(2)
        withContext(route.of(WorkStealingDispatcher.of(scheduler))) {
            repeat(1_000) { withTimeoutOrNull(FOREVER_MILLIS) { Thread.yield() } }
            repeat(100) { withTimeoutOrNull(FOREVER_MILLIS) { delay(1) } }
        }
        assertEquals(0, scheduler.stats().armedTimers())
    }

    @Test
    fun nothingDue_everyWorkerParksForGood() = runSoon {
        val timed = LongAdder()
        val parker =
            object : Parker by Parker.LOCK_SUPPORT {
                override fun parkNanos(blocker: Any, nanos: Long) {
                    timed.increment()
                    Parker.LOCK_SUPPORT.parkNanos(blocker, nanos)
                }
            }
        val scheduler =
            schedulers.scheduler(4) {
                // Without a sentinel: a spare would park for the time of its keep-alive.
                tuning(SchedulerTuning.production().withParker(parker).withSentinel(0, 0))
            }
        val scope = CoroutineScope(WorkStealingDispatcher.of(scheduler) + Job())
        repeat(10_000) { scope.launch { delay(FOREVER_MILLIS) } }
        awaitUntil("armed, and at rest") {
            val stats = scheduler.stats()
            stats.armedTimers() == 10_000 && stats.parkedWorkers() == 4
        }
        assertEquals(0, timed.sum())
        scope.coroutineContext.job.cancelAndJoin()
        awaitRest(scheduler)
        assertEquals(0, timed.sum())
    }

    /** As the kernel counts; its twins are the one above and core's DutyTest. */
    @Tag("timing")
    @Test
    fun nothingDue_nobodyWakes() = runSoon {
        assumeTrue(File("/proc/self/task").isDirectory)
        // The kernel's names have 15 characters: longer ones are cut, from JDK 26 on in the middle.
        val scheduler =
            schedulers.scheduler(4) {
                name("due")
                productionSentinel()
            }
        val dispatcher = WorkStealingDispatcher.of(scheduler)
        val scope = CoroutineScope(dispatcher + Job())
        repeat(10_000) { scope.launch { delay(FOREVER_MILLIS) } }
        awaitUntil("armed, and at rest") {
            val stats = scheduler.stats()
            stats.armedTimers() == 10_000 && stats.parkedWorkers() == 4
        }
        fun switches() =
            File("/proc/self/task")
                .listFiles()!!
                .filter { it.resolve("comm").readText().startsWith(scheduler.name() + "-") }
                .associate { it.name to it.resolve("status").readText() }
                .mapValues { (_, status) -> status.lines().filter { "ctxt_switches" in it } }
        awaitUntil("the last thread is off its processor") {
            val before = switches()
            Thread.sleep(20)
            before == switches()
        }
        val before = switches()
        val stats = scheduler.stats()
        // The sentinel was called if all workers ran at once; on a busy machine it added a spare.
        assertTrue(before.size - stats.threads() in 1..2) {
            "${stats.threads()} workers, timer thread, sentinel: $before"
        }
        Thread.sleep(1_000) // the subject
        assertEquals(before, switches())
        assertEquals(stats, scheduler.stats())
        scope.coroutineContext.job.cancelAndJoin()
        awaitRest(scheduler)
    }

    /** What it needs of memory; TimersTest.delaysByTheThousand has the rest. */
    @Tag("long")
    @Test
    fun millionDelays_fitIntoAGigabyte() {
        // Debug mode, which -ea switches on, renames threads and recovers stack traces.
        val debugOff = "-Dkotlinx.coroutines.debug=off"
        print(inAJvmOfItsOwn(MillionDelaysProbe::class.java, "-Xmx1g", debugOff))
    }
}

internal object MillionDelaysProbe {
    private class Nothing : Timer() {
        override fun run() {}

        override fun refused() {}
    }

    private const val N = 1_000_000

    private fun used(): Long {
        val runtime = Runtime.getRuntime()
        repeat(2) { System.gc() }
        return runtime.totalMemory() - runtime.freeMemory()
    }

    private fun report(what: String, before: Long, most: Int) {
        val each = (used() - before) / N
        println("$what: $each bytes each")
        check(each <= most) { "more than $most" }
    }

    @JvmStatic
    fun main(args: Array<String>) {
        val scheduler = WorkStealingScheduler.builder().parallelism(2).build()
        val dispatcher = WorkStealingDispatcher.of(scheduler)
        runBlocking(dispatcher) { delay(1) }
        val empty = used()
        val nanos = TimeUnit.HOURS.toNanos(1)
        val timers = List(N) { Nothing().also { t -> scheduler.adapter().arm(t, nanos + it) } }
        report("a million timers of the scheduler", empty, 150)
        timers.forEach { check(it.cancel()) }
        check(scheduler.stats().armedTimers() == 0)

        val scope = CoroutineScope(dispatcher + Job())
        val before = used()
        repeat(N) { i -> scope.launch { delay(FOREVER_MILLIS + i % 1_000) } }
        awaitUntil("armed") { scheduler.stats().armedTimers() == N }
        report("a million coroutines in delay, all in all", before, 700)
        runBlocking(dispatcher) { repeat(100) { delay(1) } } // others are not held up
        runBlocking { scope.coroutineContext.job.cancelAndJoin() }
        check(scheduler.stats().armedTimers() == 0)
        scheduler.close()
    }
}
