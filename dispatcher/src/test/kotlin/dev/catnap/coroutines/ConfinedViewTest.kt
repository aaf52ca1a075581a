package dev.catnap.coroutines

import java.util.concurrent.CancellationException
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.joinAll
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext
import kotlinx.coroutines.yield
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertInstanceOf
import org.junit.jupiter.api.Assertions.assertNotEquals
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.extension.RegisterExtension

/** Coroutines that are confined to a worker run there, however they are resumed. */
@Timeout(120)
internal class ConfinedViewTest {
    @JvmField @RegisterExtension val schedulers = Schedulers()

    /** What coroutines of one worker share without synchronisation. */
    private class State {
        var steps = 0
        val threads = mutableSetOf<Thread>()

        fun step() {
            steps++
            threads += Thread.currentThread()
        }
    }

    @Test
    fun coroutines_neverMove_resumedByOthersByTimersAndFromOutside() = runSoon {
        val dispatcher = schedulers.dispatcher(3)
        val states = List(3) { State() }
        val fromOthers = Channel<Int>()
        val senders = List(30) { launch(dispatcher) { repeat(100) { fromOthers.send(it) } } }
        List(30) { number ->
                val state = states[number % 3]
                launch(dispatcher.confinedTo(number % 3)) {
                    repeat(100) { round ->
                        state.step()
                        when (round % 10) {
                            0 -> yield()
                            1 -> withContext(dispatcher.io()) { Thread.yield() }
                            2 -> withContext(Dispatchers.Default) { Thread.yield() }
                            3 -> delay(1)
                            4 -> coroutineScope { launch { state.step() } }
                        }
                        fromOthers.receive()
                    }
                }
            }
            .joinAll()
        senders.joinAll()
        states.forEach { state ->
            assertEquals(10 * (100 + 10), state.steps)
            assertEquals(1, state.threads.size, "threads: ${state.threads}")
        }
        assertEquals(3, states.flatMap { it.threads }.toSet().size)
    }

    @Test
    fun viewsOfOneWorker_areEqual_andAWorkerThatDoesNotExistIsNamed() {
        val dispatcher = schedulers.dispatcher(2)
        assertEquals(dispatcher.confinedTo(1), dispatcher.confinedTo(1))
        assertEquals(dispatcher.confinedTo(1).hashCode(), dispatcher.confinedTo(1).hashCode())
        assertNotEquals(dispatcher.confinedTo(0), dispatcher.confinedTo(1))
        assertTrue(dispatcher.confinedTo(1).toString().endsWith(".confinedTo(1)"))
        val e = assertThrows(IllegalArgumentException::class.java) { dispatcher.confinedTo(2) }
        assertEquals("worker must be 0 to 1: 2", e.message)
    }

    /** G6, G12: as on the dispatcher itself. */
    @Test
    fun afterTheClose_aCoroutineIsCancelledAndCompletes(): Unit = runSoon {
        val dispatcher = schedulers.dispatcher(2)
        val view = dispatcher.confinedTo(1)
        val gate = Channel<Unit>()
        var end: Throwable? = null
        val waits =
            launch(view) {
                try {
                    gate.receive()
                } catch (e: CancellationException) {
                    end = e
                    throw e
                }
            }
        withContext(view) {} // one at a time, and in order: it waits by now
        dispatcher.close()
        assertTrue(gate.trySend(Unit).isSuccess, "it is resumed, and cannot be dispatched")
        waits.join()
        assertTrue(waits.isCancelled)
        assertInstanceOf(CancellationException::class.java, end)
    }
}
