package dev.catnap.coroutines

import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.atomic.AtomicBoolean
import java.util.concurrent.atomic.AtomicInteger
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.DelicateCoroutinesApi
import kotlinx.coroutines.GlobalScope
import kotlinx.coroutines.joinAll
import kotlinx.coroutines.launch
import kotlinx.coroutines.yield
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.extension.RegisterExtension

/** F9, G2: a view for whose queue there is no memory loses neither a coroutine nor a permit. */
@OptIn(DelicateCoroutinesApi::class)
@Timeout(120)
internal class NoMemoryTest {
    @JvmField @RegisterExtension val schedulers = Schedulers()

    private val noMemory = AtomicBoolean()

    private val queue =
        object : ConcurrentLinkedQueue<Runnable>() {
            override fun add(element: Runnable): Boolean {
                if (noMemory.get()) throw OutOfMemoryError("the test wants it so")
                return super.add(element)
            }
        }

    @Test
    fun whatCannotBeQueuedIsCancelledAndCompletes_andTheViewGoesOn() = runSoon {
        val view = Lane.view(schedulers.dispatcher(2), 1, queue)
        noMemory.set(true)
        val ended = AtomicInteger()
        val refused =
            List(3) {
                GlobalScope.launch(view, CoroutineStart.ATOMIC) {
                    try {
                        yield()
                    } finally {
                        ended.incrementAndGet()
                    }
                }
            }
        refused.joinAll()
        assertTrue(refused.all { it.isCancelled })
        assertEquals(3, ended.get())
        noMemory.set(false)
        val ran = AtomicInteger()
        List(100) { launch(view) { ran.incrementAndGet() } }.joinAll()
        assertEquals(100, ran.get())
    }

    /** Its turn is over, and there is no place for it behind the others of the view below. */
    @Test
    fun aRunnerThatCannotBeQueuedGoesOn() = runSoon {
        val wide = Lane.view(schedulers.dispatcher(2), 2, queue)
        val narrow = wide.limitedParallelism(1)
        val gate = schedulers.gate()
        val ran = AtomicInteger()
        val first =
            launch(narrow) {
                gate.await()
                noMemory.set(true)
            }
        val others = List(100) { launch(narrow) { ran.incrementAndGet() } }
        gate.open()
        first.join()
        others.joinAll()
        assertEquals(100, ran.get())
    }
}
