package dev.catnap.coroutines

import dev.catnap.WorkStealingScheduler
import java.time.Duration
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.CountDownLatch
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.delay
import kotlinx.coroutines.joinAll
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import kotlinx.coroutines.yield
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.condition.EnabledForJreRange
import reactor.blockhound.BlockHound
import reactor.blockhound.BlockingOperationError

/** G9: BlockHound, which changes the classes of a whole JVM, takes workers for what they are. */
@EnabledForJreRange(
    maxVersion = 27,
    disabledReason = "BlockHound 1.0.17 does not know the class files of this JDK",
)
@Timeout(120)
internal class BlockHoundTest {
    private val options =
        arrayOf(
            "-XX:+AllowRedefinitionToAddDeleteMethods",
            "-XX:+EnableDynamicAgentLoading",
            "-Djdk.attach.allowAttachSelf=true",
        )

    @Test
    fun blockingCalls_areReportedOnWorkers_saveInDeclaredSections() {
        inAJvmOfItsOwn(DeclaredOrNotProbe::class.java, *options)
    }

    @Test
    fun idleWorkersAndTimers_areNotReported() {
        inAJvmOfItsOwn(IdleWorkersProbe::class.java, *options)
    }
}

private val reported = ConcurrentLinkedQueue<String>()

/** As `BlockHound.install()`, and remembers what was reported where nobody catches it. */
private fun installBlockHound() {
    BlockHound.builder()
        .loadIntegrations()
        .blockingMethodCallback {
            reported += "${Thread.currentThread().name}: $it"
            throw BlockingOperationError(it)
        }
        .install()
}

private suspend fun isReported(where: CoroutineDispatcher, block: () -> Unit): Boolean =
    withContext(where) {
        try {
            block()
            false
        } catch (e: BlockingOperationError) {
            true
        }
    }

internal object DeclaredOrNotProbe {
    @JvmStatic
    fun main(args: Array<String>) {
        installBlockHound()
        val scheduler = WorkStealingScheduler.builder().parallelism(2).maxThreads(8).build()
        val dispatcher = WorkStealingDispatcher.of(scheduler)
        runBlocking {
            repeat(20) { // on whichever worker, and after each other
                for (route in Route.entries) {
                    val mayBlock = route.name.startsWith("IO")
                    val reported = isReported(route.of(dispatcher)) { Thread.sleep(1) }
                    check(reported == !mayBlock) { "$route: reported is $reported" }
                }
                check(isReported(dispatcher) { CountDownLatch(1).await() }) { "a latch" }
                check(!isReported(dispatcher) { scheduler.blocking<Unit> { Thread.sleep(1) } })
            }
            check(isReported(CatnapDispatchers.Default) { Thread.sleep(1) }) { "the common one" }
            check(!isReported(CatnapDispatchers.IO) { Thread.sleep(1) }) { "the common IO" }
        }
        scheduler.close()
    }
}

internal object IdleWorkersProbe {
    @JvmStatic
    fun main(args: Array<String>) {
        // There before BlockHound is, and parked: their stacks have the methods as they were.
        val scheduler =
            WorkStealingScheduler.builder()
                .parallelism(4)
                .maxThreads(16)
                .keepAlive(Duration.ofMillis(20))
                .build()
        val dispatcher = WorkStealingDispatcher.of(scheduler)
        runBlocking { withContext(dispatcher.io()) { Thread.sleep(30) } }
        installBlockHound()
        runBlocking {
            repeat(20) {
                List(200) { i ->
                        launch(dispatcher) {
                            delay(i % 3L)
                            withContext(dispatcher.io()) { if (i % 20 == 0) Thread.sleep(1) }
                            yield()
                        }
                    }
                    .joinAll()
                delay(30) // the keep-alive of spares is over
            }
        }
        // From within: it is built, with its service loader, on a worker of another.
        runBlocking(dispatcher) { withContext(CatnapDispatchers.Default) { delay(1) } }
        runBlocking { launch(dispatcher) { scheduler.close() } }
        scheduler.close()
        check(reported.isEmpty()) { reported }
        check(scheduler.stats().uncaughtExceptions() == 0L)
    }
}
