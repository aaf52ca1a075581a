package dev.catnap.coroutines

import java.net.URLClassLoader
import kotlin.coroutines.EmptyCoroutineContext
import kotlinx.coroutines.joinAll
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertSame
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.extension.RegisterExtension
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.EnumSource

/** G7, F11: what a coroutine leaves behind on its thread, the next one does not see. */
@Timeout(120)
internal class ContainmentTest {
    @JvmField @RegisterExtension val schedulers = Schedulers()

    @ParameterizedTest
    @EnumSource
    fun nextTask_seesNothingOfTheOneBefore(route: Route) = runSoon {
        val scheduler = schedulers.scheduler(if (route == Route.DIRECT) 1 else 4)
        val d = route.of(WorkStealingDispatcher.of(scheduler))
        val loader = Thread.currentThread().contextClassLoader
        val foreign = URLClassLoader(arrayOf())
        val gate = schedulers.gate()
        val first = launch(d) { gate.await() } // so that the others run back to back
        val others =
            List(50) {
                launch(d) {
                    val thread = Thread.currentThread()
                    assertFalse(thread.isInterrupted)
                    assertTrue(thread.name.startsWith(scheduler.name()), thread.name)
                    assertEquals(Thread.NORM_PRIORITY, thread.priority)
                    assertSame(loader, thread.contextClassLoader)
                    thread.interrupt()
                    thread.name = "left behind"
                    thread.priority = Thread.MIN_PRIORITY
                    thread.contextClassLoader = foreign
                }
            }
        gate.open()
        (others + first).joinAll()
    }

    @ParameterizedTest
    @EnumSource
    fun threadLocals_stay(route: Route) = runSoon {
        // They are how libraries cache.
        val dispatcher = schedulers.dispatcher(1, maxThreads = 1)
        val d = route.of(dispatcher)
        val local = ThreadLocal<String?>()
        d.dispatch(EmptyCoroutineContext) { local.set("cached") }
        withContext(d) { assertEquals("cached", local.get()) }
    }
}
