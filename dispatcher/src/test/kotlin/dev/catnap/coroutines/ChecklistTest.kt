package dev.catnap.coroutines

import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.asCoroutineDispatcher
import kotlinx.coroutines.asExecutor
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.flowOn
import kotlinx.coroutines.flow.single
import kotlinx.coroutines.joinAll
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNotSame
import org.junit.jupiter.api.Assertions.assertSame
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.extension.RegisterExtension
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.EnumSource

/**
 * G12: what a dispatcher must get right and no other test shows; the list is docs/coroutines.md.
 */
@Timeout(120)
@OptIn(ExperimentalCoroutinesApi::class)
internal class ChecklistTest {
    @JvmField @RegisterExtension val schedulers = Schedulers()

    @ParameterizedTest
    @EnumSource
    fun isDispatchNeeded_always(face: Face) = runSoon {
        val d = face.open(schedulers)
        assertTrue(d.isDispatchNeeded(coroutineContext))
        withContext(d) { assertTrue(d.isDispatchNeeded(coroutineContext)) }
    }

    @Test
    fun flowOn_sameDispatcher_needsNoDispatch() = runSoon {
        val scheduler = schedulers.scheduler(2)
        val dispatcher = WorkStealingDispatcher.of(scheduler)
        val published =
            publishedBy(scheduler) {
                withContext(dispatcher) {
                    val here = Thread.currentThread()
                    repeat(10) {
                        val there = flow {
                            emit(Thread.currentThread())
                        }
                            .flowOn(WorkStealingDispatcher.of(scheduler))
                            .single()
                        assertSame(here, there)
                    }
                }
            }
        assertEquals(1, published) // withContext's
    }

    @Test
    fun io_noOtherWorkerFree_needsNoSwitchOfThreads() = runSoon {
        val dispatcher = schedulers.dispatcher(1, maxThreads = 1)
        withContext(dispatcher) {
            repeat(100) {
                val here = Thread.currentThread()
                withContext(dispatcher.io()) { assertSame(here, Thread.currentThread()) }
                assertSame(here, Thread.currentThread())
            }
        }
    }

    @Test
    fun asExecutor_roundTrip_isTheGeneralWrapper() = runSoon {
        val scheduler = schedulers.scheduler(2)
        val dispatcher = WorkStealingDispatcher.of(scheduler)
        assertSame(scheduler, dispatcher.asExecutor())
        val wrapper = scheduler.asCoroutineDispatcher()
        assertNotSame(dispatcher, wrapper)
        withContext(wrapper) { assertTrue(scheduler.adapter().isWorker) }
        assertSame(dispatcher, WorkStealingDispatcher.of(scheduler))
    }

    @Test
    fun runBlocking_onEveryWorkerInDeclaredSections_doesNotDeadlock() = runSoon {
        // G9: kotlinx.coroutines #3983, where the inner coroutines find no worker.
        val parallelism = 2
        val scheduler = schedulers.scheduler(parallelism) { productionSentinel() }
        val dispatcher = WorkStealingDispatcher.of(scheduler)
        val inside = Concurrency()
        suspend fun nested() {
            inside.during {
                awaitUntil("every worker is in one") { inside.highest >= parallelism }
                runBlocking { withContext(dispatcher) {} }
            }
        }
        List(parallelism) { launch(dispatcher.io()) { nested() } }.joinAll()
        val again = Concurrency()
        List(parallelism) {
                launch(dispatcher) {
                    again.during {
                        scheduler.blocking<Unit> {
                            awaitUntil("every worker") { again.highest == parallelism }
                            runBlocking { withContext(dispatcher) {} }
                        }
                    }
                }
            }
            .joinAll()
        assertServes(dispatcher)
    }
}
