package dev.catnap.coroutines

import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.atomic.AtomicInteger
import kotlin.coroutines.EmptyCoroutineContext
import kotlinx.coroutines.CoroutineExceptionHandler
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.async
import kotlinx.coroutines.delay
import kotlinx.coroutines.joinAll
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext
import kotlinx.coroutines.yield
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertSame
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.extension.RegisterExtension
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.EnumSource

/** G7, F6: whatever a task throws, it is told once, to whom it may concern, and the pool serves. */
@Timeout(120)
internal class FaultsTest {
    @JvmField @RegisterExtension val schedulers = Schedulers()

    /** Real ones where the JVM throws them. */
    enum class Fault {
        EXCEPTION,
        ERROR,
        STACK_OVERFLOW,
        OUT_OF_MEMORY,
        LINKAGE,
        INTERNAL;

        fun strike() {
            when (this) {
                EXCEPTION -> throw IllegalStateException("on purpose")
                ERROR -> throw AssertionError("on purpose")
                STACK_OVERFLOW -> deeper(0)
                OUT_OF_MEMORY -> LongArray(Int.MAX_VALUE).fill(1)
                LINKAGE -> throw NoClassDefFoundError("on purpose")
                INTERNAL -> throw InternalError("on purpose")
            }
        }

        private fun deeper(n: Int): Int = deeper(n + 1) + n
    }

    private fun routesAndThread(route: Route, told: ConcurrentLinkedQueue<Throwable>) =
        WorkStealingDispatcher.of(
                schedulers.scheduler(2) { uncaughtExceptionHandler { _, e -> told += e } }
            )
            .let { it to route.of(it) }

    @ParameterizedTest
    @EnumSource
    fun coroutineThrows_itsHandlerIsToldOnce(fault: Fault) = runSoon {
        for (route in Route.entries) {
            val uncaught = ConcurrentLinkedQueue<Throwable>()
            val (dispatcher, d) = routesAndThread(route, uncaught)
            val told = ConcurrentLinkedQueue<Throwable>()
            val handler = CoroutineExceptionHandler { _, e -> told += e }
            val scope = CoroutineScope(d + SupervisorJob() + handler)
            val failed =
                listOf(
                    scope.launch { fault.strike() },
                    scope.launch {
                        yield()
                        fault.strike()
                    },
                    scope.launch {
                        delay(1)
                        fault.strike()
                    },
                    scope.launch { withContext(dispatcher.io()) { fault.strike() } },
                )
            val awaited = scope.async { fault.strike() }
            failed.joinAll()
            assertEquals(failed.size, told.size)
            assertTrue(failed.all { it.isCancelled })
            val thrown = runCatching { awaited.await() }.exceptionOrNull()!!
            told.forEach { assertSame(thrown.javaClass, it.javaClass) }
            assertEquals(0, uncaught.size) { "$route: $uncaught" }
            assertServes(dispatcher)
        }
    }

    @ParameterizedTest
    @EnumSource
    fun plainTaskThrows_theSchedulersHandlerIsToldOnce(fault: Fault) = runSoon {
        for (route in Route.entries) {
            val uncaught = ConcurrentLinkedQueue<Throwable>()
            val (dispatcher, d) = routesAndThread(route, uncaught)
            val ran = AtomicInteger()
            repeat(20) {
                d.dispatch(EmptyCoroutineContext) {
                    ran.incrementAndGet()
                    if (it % 5 == 0) fault.strike()
                }
            }
            awaitUntil("all ran, 4 are told") { ran.get() == 20 && uncaught.size == 4 }
            assertServes(dispatcher)
            assertEquals(4, uncaught.size) { "$route: $uncaught" }
        }
    }

    @ParameterizedTest
    @EnumSource
    fun handlerThrowsToo_thePoolServes(fault: Fault) = runSoon {
        // F7
        val uncaught = AtomicInteger()
        val scheduler =
            schedulers.scheduler(2) {
                uncaughtExceptionHandler { _, _ ->
                    uncaught.incrementAndGet()
                    fault.strike()
                }
            }
        val dispatcher = WorkStealingDispatcher.of(scheduler)
        for (route in Route.entries) {
            route.of(dispatcher).dispatch(EmptyCoroutineContext) { fault.strike() }
        }
        awaitUntil("all are told") { uncaught.get() == Route.entries.size }
        assertServes(dispatcher)
    }
}
