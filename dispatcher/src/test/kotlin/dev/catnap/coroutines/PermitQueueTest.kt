package dev.catnap.coroutines

import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.CyclicBarrier
import java.util.concurrent.atomic.AtomicInteger
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertSame
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.ValueSource

/** The counting of lanes: no task waits while a permit is free, and never more run than permits. */
@Timeout(120)
internal class PermitQueueTest {
    private class Task(val body: () -> Unit = {}) : Runnable {
        override fun run() = body()
    }

    @Test
    fun permits_areGivenInOrderAndComeBack() {
        val queue = PermitQueue(2, ConcurrentLinkedQueue())
        val (a, b, c, d) = List(4) { Task() }
        assertSame(a, queue.enter(a))
        assertSame(b, queue.enter(b))
        assertNull(queue.enter(c))
        assertNull(queue.enter(d))
        assertSame(c, queue.nextOrLeave())
        assertSame(d, queue.nextOrLeave())
        assertFalse(queue.hasWaiting())
        assertNull(queue.nextOrLeave())
        assertNull(queue.nextOrLeave())
        assertSame(a, queue.enter(a))
    }

    @Test
    fun addBehind_waitsForItsTurn() {
        val queue = PermitQueue(1, ConcurrentLinkedQueue())
        val (a, b, c) = List(3) { Task() }
        queue.enter(a)
        queue.enter(b)
        queue.addBehind(c)
        assertSame(b, queue.nextOrLeave())
        assertSame(c, queue.nextOrLeave())
        assertNull(queue.nextOrLeave())
    }

    /** The script at [PermitQueue.nextOrLeave], step by step. */
    @Test
    fun leave_aTaskEntersAfterTheQueueWasSeenEmpty_itIsTaken() {
        lateinit var queue: PermitQueue
        val late = Task()
        var entered = false
        val waiting =
            object : ConcurrentLinkedQueue<Runnable>() {
                override fun poll(): Runnable? {
                    val polled = super.poll()
                    if (polled == null && !entered) {
                        entered = true
                        assertNull(queue.enter(late)) // T2: no permit is free
                    }
                    return polled
                }
            }
        queue = PermitQueue(1, waiting)
        queue.enter(Task())
        assertSame(late, queue.nextOrLeave())
        assertNull(queue.nextOrLeave())
    }

    /** What three threads do at once, over and over from a standing start. */
    private fun race(rounds: Int, afterEach: () -> Unit, body: () -> Unit) {
        val barrier = CyclicBarrier(THREADS, afterEach)
        List(THREADS) {
                Thread {
                    repeat(rounds) {
                        body()
                        barrier.await()
                    }
                }
                    .apply { start() }
            }
            .forEach(Thread::join)
    }

    /** The same race with others. */
    @ParameterizedTest
    @ValueSource(ints = [1, 2])
    fun enterRacesLeave_noTaskIsLeft(permits: Int) {
        val queue = PermitQueue(permits, ConcurrentLinkedQueue())
        val inside = Concurrency()
        val ran = AtomicInteger()
        val wrong = AtomicInteger()
        val task = Task { inside.during { ran.incrementAndGet() } }
        race(
            scaled(20_000),
            { if (ran.getAndSet(0) != THREADS || queue.hasWaiting()) wrong.incrementAndGet() },
        ) {
            var next = queue.enter(task)
            while (next != null) {
                next.run()
                next = queue.nextOrLeave()
            }
        }
        assertEquals(0, wrong.get())
        assertTrue(inside.highest <= permits) { "${inside.highest}" }
    }

    /** Whoever gets a permit keeps it until all have asked: one too many is seen. */
    @ParameterizedTest
    @ValueSource(ints = [1, 2])
    fun enterRacesEnter_noMoreThanThereArePermits(permits: Int) {
        val queue = PermitQueue(permits, ConcurrentLinkedQueue())
        val inside = Concurrency()
        val asked = AtomicInteger()
        val task = Task { inside.during { while (asked.get() < THREADS) Thread.yield() } }
        race(scaled(20_000), { asked.set(0) }) {
            var next = queue.enter(task)
            asked.incrementAndGet()
            while (next != null) {
                next.run()
                next = queue.nextOrLeave()
            }
        }
        assertTrue(inside.highest <= permits) { "${inside.highest}" }
    }

    private companion object {
        const val THREADS = 3
    }
}
