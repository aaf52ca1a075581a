package dev.catnap.coroutines

import kotlin.time.Duration.Companion.hours
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.TimeSource
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.test.StandardTestDispatcher
import kotlinx.coroutines.test.advanceUntilIdle
import kotlinx.coroutines.test.currentTime
import kotlinx.coroutines.test.resetMain
import kotlinx.coroutines.test.runTest
import kotlinx.coroutines.test.setMain
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeout
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.assertThrows
import org.junit.jupiter.api.extension.RegisterExtension
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.EnumSource

/** G12: with kotlinx-coroutines-test, Catnap is like any dispatcher that is not a test's. */
@Timeout(120)
@OptIn(ExperimentalCoroutinesApi::class)
internal class VirtualTimeTest {
    @JvmField @RegisterExtension val schedulers = Schedulers()

    @ParameterizedTest
    @EnumSource
    fun runTest_codeOnTheDispatcher_leavesVirtualTimeAlone(face: Face) = runTest {
        val d = face.open(schedulers)
        delay(1.hours)
        assertEquals(3_600_000, currentTime)
        val start = TimeSource.Monotonic.markNow()
        withContext(d) {
            assertTrue(Thread.currentThread().name.startsWith(face.threadPrefix))
            delay(20)
        }
        assertTrue(start.elapsedNow() >= 20.milliseconds, "real time, in there")
        assertEquals(3_600_000, currentTime)
        assertEquals("ok", withTimeout(1.hours) { delay(1).let { "ok" } })
        assertEquals(3_600_001, currentTime)
    }

    @Test
    fun runTest_waitsForCoroutinesOnTheDispatcher() {
        var ran = false
        val dispatcher = schedulers.dispatcher()
        runTest {
            launch(dispatcher) {
                delay(20)
                ran = true
            }
            advanceUntilIdle() // what is on real threads is not the test scheduler's to run
            assertEquals(0, currentTime)
        }
        assertTrue(ran)
    }

    @Test
    fun runTest_whatFailsOnTheDispatcher_failsTheTest() {
        val dispatcher = schedulers.dispatcher()
        assertThrows<IllegalStateException> {
            runTest { launch(dispatcher) { error("on purpose") } }
        }
    }

    @Test
    fun setMain_runsMainOnTheDispatcher_andResets() {
        val scheduler = schedulers.scheduler()
        Dispatchers.setMain(WorkStealingDispatcher.of(scheduler))
        try {
            runSoon {
                withContext(Dispatchers.Main) {
                    assertTrue(scheduler.adapter().isWorker)
                    delay(1)
                    assertTrue(scheduler.adapter().isWorker)
                }
                withContext(Dispatchers.Main.immediate) { assertTrue(scheduler.adapter().isWorker) }
                val waits = launch(Dispatchers.Main) { delay(FOREVER_MILLIS) }
                awaitUntil("on our timers") { scheduler.stats().armedTimers() == 1 }
                waits.cancelAndJoin()
            }
        } finally {
            Dispatchers.resetMain()
        }
        awaitRest(scheduler) // when the counters are exact
        val published = scheduler.stats().published()
        runTest {
            Dispatchers.setMain(StandardTestDispatcher(testScheduler))
            try {
                withContext(Dispatchers.Main) { assertFalse(scheduler.adapter().isWorker) }
            } finally {
                Dispatchers.resetMain()
            }
        }
        awaitRest(scheduler)
        assertEquals(published, scheduler.stats().published())
    }
}
