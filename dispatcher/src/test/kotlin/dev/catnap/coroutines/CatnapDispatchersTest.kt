package dev.catnap.coroutines

import dev.catnap.WorkStealingScheduler
import dev.catnap.internal.sentinel.Watched
import dev.catnap.spi.WorkerThread
import kotlin.coroutines.ContinuationInterceptor
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.Delay
import kotlinx.coroutines.ExecutorCoroutineDispatcher
import kotlinx.coroutines.InternalCoroutinesApi
import kotlinx.coroutines.asExecutor
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertSame
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.assertThrows

@Timeout(120)
@OptIn(InternalCoroutinesApi::class)
internal class CatnapDispatchersTest {
    private val both = listOf(CatnapDispatchers.Default, CatnapDispatchers.IO)

    @Test
    fun names() {
        assertEquals("CatnapDispatchers.Default", CatnapDispatchers.Default.toString())
        assertEquals("CatnapDispatchers.IO", CatnapDispatchers.IO.toString())
        assertEquals(
            "CatnapDispatchers.IO.limitedParallelism(3)",
            CatnapDispatchers.IO.limitedParallelism(3).toString(),
        )
        assertEquals("db", CatnapDispatchers.IO.limitedParallelism(3, "db").toString())
    }

    @Test
    fun close_isRefused_alsoBehindTheirBack() = runSoon {
        for (d in both) {
            assertThrows<UnsupportedOperationException> {
                (d as ExecutorCoroutineDispatcher).close()
            }
        }
        assertThrows<UnsupportedOperationException> {
            WorkStealingDispatcher.of(WorkStealingScheduler.common()).close()
        }
        for (d in both) withContext(d) { delay(1) }
    }

    @Test
    fun identity_isStableAndTheyAreContextElements() = runSoon {
        for (d: CoroutineDispatcher in both) {
            assertTrue(d is Delay)
            launch(d) {
                    assertSame(d, coroutineContext[ContinuationInterceptor])
                    val thread = Thread.currentThread()
                    withContext(d) { assertSame(thread, Thread.currentThread()) }
                }
                .join()
        }
    }

    @Test
    fun both_runOnTheCommonScheduler() = runSoon {
        for (d in both) {
            withContext(d) {
                assertTrue(WorkStealingScheduler.common().adapter().isWorker)
            }
        }
        assertSame(WorkStealingScheduler.common(), CatnapDispatchers.Default.asExecutor())
        // Its worker keeps its right, and does not count as blocked, if enough of its sections were
        // short: that depends on which tests ran before this one.
        repeat(2) {
            withContext(CatnapDispatchers.IO) {
                val self = (Thread.currentThread() as WorkerThread).worker() as Watched
                // A section of the loop above may not be quite over.
                awaitUntil("only this one blocks") {
                    val blocked = WorkStealingScheduler.common().stats().blockedWorkers()
                    blocked == if (self.keepsRight()) 0 else 1
                }
            }
            repeat(500) { withContext(CatnapDispatchers.IO) {} }
        }
        val view = CatnapDispatchers.Default.limitedParallelism(1)
        withContext(view) { assertTrue(WorkStealingScheduler.common().adapter().isWorker) }
    }

    @Test
    fun classInitialiser_startsNoThread() {
        inAJvmOfItsOwn(ClassInitialiserProbe::class.java) // where nothing has used Catnap before
    }
}

/** Ends with 0 if all is well, though the workers of the common scheduler are still there. */
internal object ClassInitialiserProbe {
    private fun threads() =
        Thread.getAllStackTraces().keys.map { it.name }.filter { it.startsWith("catnap") }

    @JvmStatic
    fun main(args: Array<String>) {
        val views =
            listOf(
                CatnapDispatchers.Default,
                CatnapDispatchers.IO,
                CatnapDispatchers.Default.limitedParallelism(1),
                CatnapDispatchers.Default.limitedParallelism(1_000),
                CatnapDispatchers.IO.limitedParallelism(100, "db"),
                CatnapDispatchers.IO.limitedParallelism(3).limitedParallelism(2),
            )
        views.forEach { check(it.toString().isNotBlank()) }
        check(threads().isEmpty()) { "started too early: ${threads()}" }
        runBlocking { views.forEach { withContext(it) { delay(1) } } }
        check(threads().isNotEmpty()) { "not started" }
    }
}
