package dev.catnap.coroutines

import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.CyclicBarrier
import java.util.concurrent.TimeUnit
import kotlin.concurrent.thread
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.EmptyCoroutineContext
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.Runnable
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout

/** G12: a dispatcher that has a name before it has threads is one dispatcher all the same. */
@Timeout(120)
internal class DelegatingDispatcherTest {
    private class Recorded : CoroutineDispatcher() {
        val blocks = ConcurrentLinkedQueue<Runnable>()

        override fun dispatch(context: CoroutineContext, block: Runnable) {
            blocks += block
        }
    }

    /** Two views of one task at a time would run two. */
    @Test
    fun firstDispatches_ofTwoThreads_goToTheSameView() {
        val bothLook = CyclicBarrier(2)
        val made = ConcurrentLinkedQueue<Recorded>()
        val dispatcher =
            DelegatingDispatcher("view") {
                bothLook.await(DEADLINE.inWholeSeconds, TimeUnit.SECONDS)
                Recorded().also(made::add)
            }
        val other = thread { dispatcher.dispatch(EmptyCoroutineContext) {} }
        dispatcher.dispatch(EmptyCoroutineContext) {}
        other.join()
        dispatcher.dispatch(EmptyCoroutineContext) {}
        assertEquals(listOf(0, 3), made.map { it.blocks.size }.sorted())
    }
}
