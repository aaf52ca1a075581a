package dev.catnap.coroutines

import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicInteger
import kotlin.coroutines.ContinuationInterceptor
import kotlin.coroutines.coroutineContext
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.CoroutineExceptionHandler
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.Deferred
import kotlinx.coroutines.DelicateCoroutinesApi
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.Job
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.TimeoutCancellationException
import kotlinx.coroutines.asContextElement
import kotlinx.coroutines.asExecutor
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.channels.consumeEach
import kotlinx.coroutines.channels.produce
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.MutableStateFlow
import kotlinx.coroutines.flow.asFlow
import kotlinx.coroutines.flow.buffer
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.flow.flatMapMerge
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.flowOf
import kotlinx.coroutines.flow.flowOn
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.flow.update
import kotlinx.coroutines.isActive
import kotlinx.coroutines.joinAll
import kotlinx.coroutines.launch
import kotlinx.coroutines.runInterruptible
import kotlinx.coroutines.selects.onTimeout
import kotlinx.coroutines.selects.select
import kotlinx.coroutines.supervisorScope
import kotlinx.coroutines.sync.Mutex
import kotlinx.coroutines.sync.Semaphore
import kotlinx.coroutines.sync.withLock
import kotlinx.coroutines.sync.withPermit
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeout
import kotlinx.coroutines.withTimeoutOrNull
import kotlinx.coroutines.yield
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertNotEquals
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertSame
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Tag
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.assertThrows
import org.junit.jupiter.api.extension.RegisterExtension
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.EnumSource

/** G12: ordinary programs do on Catnap what they do on kotlinx.coroutines' own dispatchers. */
@Timeout(120)
@OptIn(DelicateCoroutinesApi::class, ExperimentalCoroutinesApi::class)
internal class CoroutineSemanticsTest {
    @JvmField @RegisterExtension val schedulers = Schedulers()

    private class Failure : RuntimeException("on purpose")

    @ParameterizedTest
    @EnumSource
    fun launch_runsOnAThreadOfTheDispatcher(face: Face) = runSoon {
        var thread = ""
        launch(face.open(schedulers)) { thread = Thread.currentThread().name }.join()
        assertTrue(thread.startsWith(face.threadPrefix), thread)
    }

    @ParameterizedTest
    @EnumSource
    fun async_tree(face: Face) = runSoon {
        suspend fun fib(n: Int): Int =
            if (n < 2) n
            else
                coroutineScope {
                    val a = async { fib(n - 1) }
                    val b = async { fib(n - 2) }
                    a.await() + b.await()
                }
        assertEquals(144, withContext(face.open(schedulers)) { fib(12) })
    }

    @ParameterizedTest
    @EnumSource
    fun withContext_backAndForth(face: Face) = runSoon {
        val dispatcher = face.open(schedulers)
        val here = Thread.currentThread()
        repeat(100) {
            assertEquals(it, withContext(dispatcher) { it })
            assertSame(here, Thread.currentThread())
        }
    }

    @ParameterizedTest
    @EnumSource
    fun withContext_sameDispatcher_staysOnTheThread(face: Face) = runSoon {
        val dispatcher = face.open(schedulers)
        withContext(dispatcher) {
            assertSame(dispatcher, coroutineContext[ContinuationInterceptor])
            repeat(100) {
                val before = Thread.currentThread()
                withContext(dispatcher) { assertSame(before, Thread.currentThread()) }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    fun contextElements_followTheCoroutine(face: Face) = runSoon {
        val local = ThreadLocal<String?>()
        val dispatcher = face.open(schedulers)
        (1..20)
            .map { i ->
                launch(dispatcher + local.asContextElement("c$i")) {
                    repeat(20) {
                        assertEquals("c$i", local.get())
                        if (it % 2 == 0) yield() else delay(1)
                    }
                }
            }
            .joinAll()
        withContext(dispatcher) { assertNull(local.get()) }
    }

    @ParameterizedTest
    @EnumSource
    fun start_modes(face: Face) = runSoon {
        val dispatcher = face.open(schedulers)
        val ran = AtomicInteger()
        val lazy = launch(dispatcher, CoroutineStart.LAZY) { ran.incrementAndGet() }
        assertFalse(lazy.isActive)
        lazy.join()
        assertEquals(1, ran.get())

        val here = Thread.currentThread()
        val undispatched =
            launch(dispatcher, CoroutineStart.UNDISPATCHED) {
                assertSame(here, Thread.currentThread())
                yield()
                assertTrue(Thread.currentThread().name.startsWith(face.threadPrefix))
                ran.incrementAndGet()
            }
        undispatched.join()
        assertEquals(2, ran.get())

        val atomic = launch(dispatcher, CoroutineStart.ATOMIC) { ran.incrementAndGet() }
        atomic.cancelAndJoin()
        assertEquals(3, ran.get())
    }

    @ParameterizedTest
    @EnumSource
    fun channel_pingPong(face: Face) = runSoon {
        val ping = Channel<Int>()
        val pong = Channel<Int>()
        val dispatcher = face.open(schedulers)
        launch(dispatcher) { for (i in ping) pong.send(i + 1) }
        val sum =
            withContext(dispatcher) { (1..1_000).sumOf { ping.send(it).let { pong.receive() } } }
        ping.close()
        assertEquals((2..1_001).sum(), sum)
    }

    @ParameterizedTest
    @EnumSource
    fun channel_manyProducersAndConsumers(face: Face) = runSoon {
        val dispatcher = face.open(schedulers)
        val channel = Channel<Int>(16)
        val sum = AtomicInteger()
        val consumers =
            (1..8).map { launch(dispatcher) { channel.consumeEach { v -> sum.addAndGet(v) } } }
        (1..8).map { launch(dispatcher) { for (v in 1..200) channel.send(v) } }.joinAll()
        channel.close()
        consumers.joinAll()
        assertEquals(8 * (1..200).sum(), sum.get())
    }

    @ParameterizedTest
    @EnumSource
    fun channel_produceIsCancelledWithItsConsumer(face: Face) = runSoon {
        withContext(face.open(schedulers)) {
            val numbers = produce { for (i in generateSequence(1) { it + 1 }) send(i) }
            assertEquals(1, numbers.receive())
            assertEquals(2, numbers.receive())
            numbers.cancel()
        }
    }

    @ParameterizedTest
    @EnumSource
    fun flow_operators(face: Face) = runSoon {
        val dispatcher = face.open(schedulers)
        val squares =
            (1..100)
                .asFlow()
                .map { it * it }
                .flowOn(dispatcher)
                .buffer(8)
                .flatMapMerge(4) { flowOf(it).flowOn(dispatcher) }
                .toList()
        assertEquals((1..100).map { it * it }, squares.sorted())
        val where = flow { emit(Thread.currentThread().name) }.flowOn(dispatcher).first()
        assertTrue(where.startsWith(face.threadPrefix), where)
    }

    @ParameterizedTest
    @EnumSource
    fun stateFlow_lastValueArrives(face: Face) = runSoon {
        val dispatcher = face.open(schedulers)
        val state = MutableStateFlow(0)
        val seen = async(dispatcher) { state.first { it == 1_000 } }
        (1..4).map { launch(dispatcher) { repeat(250) { state.update { v -> v + 1 } } } }.joinAll()
        assertEquals(1_000, seen.await())
    }

    @ParameterizedTest
    @EnumSource
    fun select_whateverComesFirst(face: Face) = runSoon {
        withContext(face.open(schedulers)) {
            val never = Channel<String>()
            val soon = async { "deferred" }
            assertEquals(
                "deferred",
                select {
                    never.onReceive { it }
                    soon.onAwait { it }
                },
            )
            assertEquals(
                "timeout",
                select {
                    never.onReceive { it }
                    onTimeout(5) { "timeout" }
                },
            )
            val buffered = Channel<String>(1).apply { send("channel") }
            assertEquals(
                "channel",
                select {
                    onTimeout(FOREVER_MILLIS) { "timeout" }
                    buffered.onReceive { it }
                },
            )
        }
    }

    @ParameterizedTest
    @EnumSource
    fun mutexAndSemaphore_exclude(face: Face) = runSoon {
        val dispatcher = face.open(schedulers)
        val mutex = Mutex()
        val semaphore = Semaphore(2)
        val inside = Concurrency()
        var counter = 0
        (1..8)
            .map {
                launch(dispatcher) {
                    repeat(100) {
                        mutex.withLock { counter++ }
                        semaphore.withPermit { inside.during { if (it % 10 == 0) yield() } }
                    }
                }
            }
            .joinAll()
        assertEquals(800, counter)
        assertTrue(inside.highest <= 2)
    }

    @ParameterizedTest
    @EnumSource
    fun timeouts_cancelExactlyTheirBlock(face: Face) = runSoon {
        withContext(face.open(schedulers)) {
            assertThrows<TimeoutCancellationException> {
                withTimeout(5) { delay(FOREVER_MILLIS) }
            }
            assertNull(withTimeoutOrNull(5) { awaitCancellation() })
            assertEquals("ok", withTimeout(FOREVER_MILLIS) { delay(1).let { "ok" } })
            assertEquals(
                "outer",
                withTimeoutOrNull(5) { withTimeout(FOREVER_MILLIS) { delay(FOREVER_MILLIS) } }
                    ?: "outer",
            )
            assertTrue(coroutineContext.isActive)
        }
    }

    @ParameterizedTest
    @EnumSource
    fun timeouts_everyWorkerComputes_areInTime(face: Face) = runSoon {
        // Whoever fires them must not need a worker, or these loops would never end.
        val dispatcher = face.open(schedulers)
        List(5) {
                launch(dispatcher) {
                    withTimeoutOrNull(20) { while (isActive) Thread.onSpinWait() }
                }
            }
            .joinAll()
    }

    /** Its twin: TimersTest.delays_onOneWorker_passInTheOrderOfTheirDeadlines. */
    @Tag("timing")
    @ParameterizedTest
    @EnumSource
    fun delay_keepsOrder(face: Face) = runSoon {
        val order = Channel<Int>(Channel.UNLIMITED)
        withContext(face.open(schedulers)) {
            // 20 ms apart: a resumption may wait that long for a processor, hence the retry.
            for (attempt in 1..20) {
                coroutineScope {
                    for (i in listOf(3, 1, 2)) launch { delay(20L * i).also { order.send(i) } }
                }
                val got = List(3) { order.receive() }
                if (got == listOf(1, 2, 3)) return@withContext
            }
            throw AssertionError("never in order")
        }
    }

    @ParameterizedTest
    @EnumSource
    fun cancellation_reachesEveryDescendant(face: Face) = runSoon {
        val dispatcher = face.open(schedulers)
        val started = CountDownLatch(9)
        val cleaned = AtomicInteger()
        val root =
            launch(dispatcher) {
                repeat(3) {
                    launch {
                        repeat(3) {
                            launch {
                                try {
                                    started.countDown()
                                    awaitCancellation()
                                } finally {
                                    withContext(NonCancellable) {
                                        delay(1)
                                        yield()
                                        cleaned.incrementAndGet()
                                    }
                                }
                            }
                        }
                    }
                }
            }
        awaitUntil("all started") { started.count == 0L }
        root.cancelAndJoin()
        assertEquals(9, cleaned.get())
        assertTrue(root.isCancelled)
    }

    @ParameterizedTest
    @EnumSource
    fun cancelledBeforeItRuns_bodyDoesNotRun(face: Face) = runSoon {
        val dispatcher = face.open(schedulers)
        val parent = Job()
        parent.cancel()
        val ran = AtomicInteger()
        val job = CoroutineScope(dispatcher + parent).launch { ran.incrementAndGet() }
        job.join()
        assertTrue(job.isCancelled)
        assertEquals(0, ran.get())
    }

    @ParameterizedTest
    @EnumSource
    fun failure_cancelsSiblingsAndReachesTheCaller(face: Face) = runSoon {
        val dispatcher = face.open(schedulers)
        val sibling = CompletableDeferred<Throwable?>()
        val waits = CompletableDeferred<Unit>()
        assertThrows<Failure> {
            withContext(dispatcher) {
                launch {
                    try {
                        waits.complete(Unit)
                        awaitCancellation()
                    } catch (e: CancellationException) {
                        sibling.complete(e)
                        throw e
                    }
                }
                waits.await()
                async<Unit> { throw Failure() }.await()
            }
        }
        assertTrue(sibling.await() is CancellationException)
    }

    @ParameterizedTest
    @EnumSource
    fun supervisor_isolatesFailures(face: Face) = runSoon {
        withContext(face.open(schedulers)) {
            supervisorScope {
                val bad: Deferred<Int> = async { throw Failure() }
                val good = async { delay(2).let { 42 } }
                assertThrows<Failure> { bad.await() }
                assertEquals(42, good.await())
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    fun uncaughtException_goesToTheHandlerOnce(face: Face) = runSoon {
        val caught = Channel<Throwable>(Channel.UNLIMITED)
        val handler = CoroutineExceptionHandler { _, e -> caught.trySend(e) }
        val scope = CoroutineScope(face.open(schedulers) + SupervisorJob() + handler)
        scope.launch { throw Failure() }.join()
        scope.launch { throw StackOverflowError("on purpose") }.join()
        val ok = scope.async { "still works" }
        assertEquals("still works", ok.await())
        assertTrue(caught.receive() is Failure)
        assertTrue(caught.receive() is StackOverflowError)
        assertTrue(caught.tryReceive().isFailure)
    }

    @ParameterizedTest
    @EnumSource
    fun happensBefore_acrossDispatchesAndJoins(face: Face) = runSoon {
        // G10. Plain fields: a missing edge shows as a lost update.
        class Box(var value: Int = 0)
        val dispatcher = face.open(schedulers)
        val box = Box()
        repeat(500) {
            box.value++
            launch(dispatcher) { box.value++ }.join()
            withContext(dispatcher) {
                box.value++
                yield()
                box.value++
            }
        }
        assertEquals(2_000, box.value)
    }

    @ParameterizedTest
    @EnumSource
    fun runInterruptible_cancellationInterruptsAndDoesNotLeak(face: Face) = runSoon {
        // G7
        val dispatcher = face.open(schedulers)
        repeat(20) {
            val blocked = CountDownLatch(1)
            val job =
                launch(dispatcher) {
                    runInterruptible {
                        blocked.countDown()
                        CountDownLatch(1).await()
                    }
                }
            awaitUntil("blocked") { blocked.count == 0L }
            job.cancelAndJoin()
            List(4) { async(dispatcher) { Thread.currentThread().isInterrupted } }
                .awaitAll()
                .forEach(::assertFalse)
        }
    }

    @ParameterizedTest
    @EnumSource
    fun asExecutor_runsAnything(face: Face) {
        val executor = face.open(schedulers).asExecutor()
        val done = CountDownLatch(100)
        repeat(100) { executor.execute { done.countDown() } }
        assertTrue(done.await(DEADLINE.inWholeSeconds, TimeUnit.SECONDS))
    }

    @ParameterizedTest
    @EnumSource
    fun yield_endlessLoopLetsOthersRun(face: Face) = runSoon {
        // G5
        val dispatcher = face.open(schedulers)
        val loop = launch(dispatcher) { while (isActive) yield() }
        repeat(20) { withContext(dispatcher) { delay(1) } }
        assertNotEquals(true, loop.isCompleted)
        loop.cancelAndJoin()
    }

    @ParameterizedTest
    @EnumSource
    fun toString_saysSomething(face: Face) {
        val dispatcher: CoroutineDispatcher = face.open(schedulers)
        assertTrue(dispatcher.toString().isNotBlank())
        val job = CoroutineScope(dispatcher).launch { awaitCancellation() }
        assertTrue(job.toString().isNotBlank())
        runSoon { job.cancelAndJoin() }
    }
}
