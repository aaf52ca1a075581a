package dev.catnap.coroutines

import dev.catnap.WorkStealingScheduler
import java.lang.ref.WeakReference
import java.net.URLClassLoader
import java.time.Duration
import java.util.concurrent.atomic.AtomicInteger
import java.util.concurrent.atomic.AtomicReference
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.delay
import kotlinx.coroutines.joinAll
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import kotlinx.coroutines.yield
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertSame
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout

/**
 * F21: Catnap's core is in the class loader of a server, and in loaders below that, one after the
 * other, applications that bring coroutines along. Each is dropped, and then the server.
 */
@Timeout(120)
internal class DroppedApplicationTest {
    private fun locations(vararg types: Class<*>) =
        types.map { it.protectionDomain.codeSource.location }.toTypedArray()

    private fun loaderOfTheServer() =
        URLClassLoader(
            locations(WorkStealingScheduler::class.java),
            ClassLoader.getPlatformClassLoader(),
        )

    private fun runApplication(server: ClassLoader): WeakReference<ClassLoader> {
        val libraries =
            locations(
                WorkStealingDispatcher::class.java,
                CoroutineScope::class.java,
                Unit::class.java,
                DroppedApplicationTest::class.java,
            )
        return URLClassLoader(libraries, server).use { loader ->
            val type = loader.loadClass(CoroutineApplication::class.java.name)
            assertSame(loader, type.classLoader)
            val main = type.getDeclaredConstructor().newInstance() as Runnable
            val thrown = AtomicReference<Throwable?>()
            val thread = Thread(main, "application-main")
            thread.contextClassLoader = loader
            thread.setUncaughtExceptionHandler { _, e -> thrown.set(e) }
            thread.start()
            thread.join()
            assertNull(thrown.get())
            WeakReference(loader)
        }
    }

    private fun runServer(): WeakReference<ClassLoader> =
        loaderOfTheServer().use { server ->
            repeat(APPLICATIONS) { awaitCollected("application $it", runApplication(server)) }
            val report =
                server
                    .loadClass(WorkStealingScheduler::class.java.name)
                    .getMethod("shutdownCommon", Duration::class.java, Duration::class.java)
                    .invoke(null, Duration.ofSeconds(DEADLINE.inWholeSeconds), Duration.ZERO)
            assertTrue("drained" in report.toString()) { report.toString() }
            WeakReference(server)
        }

    @Test
    fun nothingIsKeptOfAnApplicationThatUsedTheCommonDispatchers() {
        repeat(SERVERS) { awaitCollected("server $it", runServer()) }
    }

    @Test
    fun afterTheEndOfTheCommonScheduler_coroutinesComplete() {
        inAJvmOfItsOwn(EndedCommonProbe::class.java)
    }

    @Test
    fun afterItsEndBeforeItsFirstUse_coroutinesComplete() {
        inAJvmOfItsOwn(NeverBegunCommonProbe::class.java)
    }

    private companion object {
        const val SERVERS = 2
        const val APPLICATIONS = 5
    }
}

/**
 * Without `withTimeout`, whose thread is kotlinx.coroutines' own, of the application's loader, and
 * lives for a second after its last use; and without `Dispatchers.Unconfined` and `runBlocking` on
 * a worker: each leaves an event loop there, in a thread local of kotlinx.coroutines.
 */
internal class CoroutineApplication : Runnable {
    override fun run() = runBlocking {
        val jobs =
            List(20) {
                launch(CatnapDispatchers.Default) {
                    delay(1)
                    withContext(CatnapDispatchers.IO) { Thread.sleep(1) }
                    yield()
                }
            }
        val sum = List(20) { async(CatnapDispatchers.Default) { it } }.awaitAll().sum()
        check(sum == 190)
        jobs.joinAll()
        withContext(CatnapDispatchers.IO.limitedParallelism(2)) { delay(1) }
        withContext(CatnapDispatchers.Default.limitedParallelism(1)) { delay(1) }
        withContext(CatnapDispatchers.Background) { delay(1) }
        val never = launch(CatnapDispatchers.Default) { delay(FOREVER_MILLIS) }
        delay(1)
        never.cancel()
        never.join()
    }
}

private fun endCommon() {
    val report =
        WorkStealingScheduler.shutdownCommon(
            Duration.ofSeconds(DEADLINE.inWholeSeconds),
            Duration.ofSeconds(DEADLINE.inWholeSeconds),
        )
    check("drained" in report.toString()) { report }
}

private fun checkThatCoroutinesComplete() = runSoon {
    for (d in listOf(CatnapDispatchers.Default, CatnapDispatchers.IO)) {
        val late = CoroutineScope(d).launch { error("runs") }
        late.join()
        check(late.isCancelled)
    }
    val threads = Thread.getAllStackTraces().keys.map { it.name }
    check(threads.none { it.startsWith("catnap") }) { threads }
}

internal object EndedCommonProbe {
    @JvmStatic
    fun main(args: Array<String>) {
        val cleanedUp = AtomicInteger()
        val waiting =
            listOf(CatnapDispatchers.Default, CatnapDispatchers.IO).map { d ->
                CoroutineScope(d).launch {
                    try {
                        delay(FOREVER_MILLIS)
                    } finally {
                        cleanedUp.incrementAndGet()
                    }
                }
            }
        awaitUntil("both wait") { WorkStealingScheduler.common().stats().armedTimers() == 2 }
        endCommon()
        runSoon { waiting.joinAll() }
        check(waiting.all { it.isCancelled })
        check(cleanedUp.get() == 2)
        checkThatCoroutinesComplete()
    }
}

internal object NeverBegunCommonProbe {
    @JvmStatic
    fun main(args: Array<String>) {
        endCommon()
        checkThatCoroutinesComplete()
    }
}
