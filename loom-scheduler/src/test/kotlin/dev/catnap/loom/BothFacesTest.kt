package dev.catnap.loom

import dev.catnap.coroutines.WorkStealingDispatcher
import dev.catnap.loom.testing.Deadline
import dev.catnap.loom.testing.Modes
import dev.catnap.loom.testing.NoThreadLeft
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.atomic.AtomicInteger
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Duration.Companion.seconds
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.delay
import kotlinx.coroutines.joinAll
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeout
import kotlinx.coroutines.yield
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.extension.ExtendWith
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.MethodSource

/**
 * G12: coroutines and virtual threads at the same time, on the same workers, under one set of
 * counters.
 */
@ExtendWith(NoThreadLeft::class)
internal class BothFacesTest {
    @ParameterizedTest
    @MethodSource("dev.catnap.loom.testing.Modes#available")
    fun workersRunBothKinds(mode: CarrierPool.Mode) {
        Modes.pool(mode, 2).use { pool ->
            val dispatcher = WorkStealingDispatcher.of(pool.scheduler())
            val ofCoroutines = ConcurrentHashMap.newKeySet<String>()
            val ofVirtual = ConcurrentHashMap.newKeySet<String>()
            val steps = AtomicInteger()
            runBlocking {
                withTimeout(Deadline.SECONDS.seconds) {
                    do {
                        val coroutines =
                            List(100) {
                                launch(dispatcher) {
                                    ofCoroutines +=
                                        Thread.currentThread().name.substringBefore(" @")
                                    yield()
                                    delay(1.milliseconds)
                                    steps.incrementAndGet()
                                }
                            }
                        val threads =
                            Array(100) {
                                pool.ofVirtual().start {
                                    ofVirtual +=
                                        Thread.currentThread().toString().substringAfter('@')
                                    Thread.yield()
                                    Thread.sleep(1)
                                    steps.incrementAndGet()
                                }
                            }
                        coroutines.joinAll()
                        Deadline.join(*threads)
                        assertEquals(0, steps.get() % 200)
                    } while (ofCoroutines.none(ofVirtual::contains))
                }
            }
            Deadline.until("every worker is parked") {
                pool.scheduler().stats().parkedWorkers() == 2
            }
            Deadline.untilBalanced(pool)
            assertEquals(0, pool.scheduler().stats().uncaughtExceptions())
        }
    }

    /** A coroutine waits for a virtual thread, and the other way round, on one worker. */
    @ParameterizedTest
    @MethodSource("dev.catnap.loom.testing.Modes#available")
    fun theyWaitForEachOther(mode: CarrierPool.Mode) {
        Modes.pool(mode, 1).use { pool ->
            val dispatcher = WorkStealingDispatcher.of(pool.scheduler())
            runBlocking(dispatcher) {
                withTimeout(Deadline.SECONDS.seconds) {
                    repeat(1_000) { round ->
                        val answer = CompletableDeferred<Int>()
                        pool.ofVirtual().start { answer.complete(round) }
                        assertEquals(round, answer.await())
                    }
                }
            }
            val inVirtualThread = AtomicInteger()
            val thread =
                pool.ofVirtual().start {
                    repeat(1_000) {
                        runBlocking { launch(dispatcher) { inVirtualThread.incrementAndGet() } }
                    }
                }
            Deadline.join(thread)
            assertEquals(1_000, inVirtualThread.get())
        }
    }
}
