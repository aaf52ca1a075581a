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

    /** The same race with others, over and over from a standing start. */
    @ParameterizedTest
    @ValueSource(ints = [1, 2])
    fun enterRacesLeave_noTaskIsLeft(permits: Int) {
        val rounds = scaled(20_000)
        val threads = 3
        val queue = PermitQueue(permits, ConcurrentLinkedQueue())
        val inside = Concurrency()
        val ran = AtomicInteger()
        val wrong = AtomicInteger()
        val barrier =
            CyclicBarrier(threads) {
                if (ran.getAndSet(0) != threads || queue.hasWaiting()) wrong.incrementAndGet()
            }
        // Now and then one stays for a while, so that one too many would meet it.
        val task = Task { inside.during { if (ran.incrementAndGet() == 1) Thread.yield() } }
        List(threads) {
                Thread {
                    repeat(rounds) {
                        var next = queue.enter(task)
                        while (next != null) {
                            next.run()
                            next = queue.nextOrLeave()
                        }
                        barrier.await()
                    }
                }
                    .apply { start() }
            }
            .forEach(Thread::join)
        assertEquals(0, wrong.get())
        assertTrue(inside.highest <= permits) { "${inside.highest}" }
    }
}
