package dev.catnap.coroutines

import dev.catnap.WorkStealingScheduler
import java.io.ByteArrayOutputStream
import java.io.PrintStream
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineName
import kotlinx.coroutines.CoroutineStart
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.debug.DebugProbes
import kotlinx.coroutines.debug.State
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout

/** G12: the debugger of kotlinx.coroutines sees coroutines on Catnap. */
@Timeout(120)
internal class DebugProbesTest {
    @Test
    fun dumpCoroutinesInfo_listsThemWithTheirState() {
        // It changes a class of kotlin-stdlib: in a JVM of its own.
        val output =
            inAJvmOfItsOwn(
                DebugProbesProbe::class.java,
                "-XX:+EnableDynamicAgentLoading",
                "-Djdk.attach.allowAttachSelf=true",
            )
        val states = output.lines().filter { it.contains("-probe: ") }.sorted()
        assertEquals(
            listOf(
                "lazy-probe: CREATED",
                "running-io-probe: RUNNING",
                "running-probe: RUNNING",
                "suspended-probe: SUSPENDED",
                "suspended-view-probe: SUSPENDED",
            ),
            states,
        )
    }
}

internal object DebugProbesProbe {
    @OptIn(ExperimentalCoroutinesApi::class)
    @JvmStatic
    fun main(args: Array<String>) {
        DebugProbes.install()
        val scheduler = WorkStealingScheduler.builder().name("probed").parallelism(2).build()
        val dispatcher = WorkStealingDispatcher.of(scheduler)
        val never = CompletableDeferred<Unit>()
        val gate = Gate()
        val inside = Concurrency()
        runBlocking {
            val jobs =
                listOf(
                    launch(dispatcher + CoroutineName("suspended-probe")) { never.await() },
                    launch(
                        dispatcher.limitedParallelism(1) + CoroutineName("suspended-view-probe")
                    ) {
                        delay(FOREVER_MILLIS)
                    },
                    launch(dispatcher + CoroutineName("lazy-probe"), CoroutineStart.LAZY) {},
                    launch(dispatcher + CoroutineName("running-probe")) {
                        inside.during { gate.await() }
                    },
                    launch(dispatcher.io() + CoroutineName("running-io-probe")) {
                        inside.during { gate.await() }
                    },
                )
            fun infos() =
                DebugProbes.dumpCoroutinesInfo().mapNotNull { info ->
                    info.context[CoroutineName]?.let { it.name to info }
                }
            awaitUntil("each is where it stays") {
                inside.current == 2 && infos().count { (_, i) -> i.state == State.SUSPENDED } == 2
            }
            infos().forEach { (name, info) -> println("$name: ${info.state}") }
            awaitUntil("a dump has the stacks of the threads of those that run") {
                val dump = ByteArrayOutputStream()
                DebugProbes.dumpCoroutines(PrintStream(dump))
                Regex("Gate\\.await").findAll("$dump").count() == 2
            }
            gate.open()
            jobs.forEach { it.cancelAndJoin() }
        }
        scheduler.close()
    }
}
