package dev.catnap.samples.demo

import dev.catnap.samples.web.Await
import java.io.ByteArrayOutputStream
import java.io.PrintStream
import java.nio.file.Path
import java.util.concurrent.TimeUnit
import java.util.zip.ZipEntry
import java.util.zip.ZipOutputStream
import kotlin.io.path.createDirectory
import kotlin.io.path.createSymbolicLinkPointingTo
import kotlin.io.path.outputStream
import kotlin.io.path.readBytes
import kotlin.io.path.writeBytes
import kotlin.io.path.writeText
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNotNull
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.io.TempDir

/** Whole runs on small trees, on both engines in this process. */
@Timeout(120)
class RunTest {
    @TempDir lateinit var root: Path

    private val said = ByteArrayOutputStream()
    private val progress = Progress(PrintStream(said), terminal = false, 80, "test", 1)
    private val spec =
        Spec(
            clients = 20,
            queriesPerSecond = 400,
            readers = 4,
            shortestNanos = TimeUnit.MILLISECONDS.toNanos(300),
        )

    private fun run(
        engine: Engine,
        spec: Spec = this.spec,
        path: Path = root,
        beforeClose: () -> Unit = {},
    ): RunResult = engine.use {
        SourceTree.open("$path").use { tree ->
            Run(tree, spec, engine, progress).measure().also { beforeClose() }
        }
    }

    private fun writeSmallTree() {
        root.resolve("A.java").writeText("class A { int x = b.x; /* no */ String s = \"no\"; }")
        root.resolve("b.kt").writeText("val x = A(\"\${x}\")")
        repeat(200) { i ->
            root.resolve("f$i.py").writeText("def f$i(x):\n    return x + ${"y + ".repeat(i)}z\n")
        }
    }

    @Test
    fun bothEnginesComputeTheSameIndex() {
        writeSmallTree()
        val catnap = run(CatnapEngine(2))
        val baseline = run(BaselineEngine())
        assertEquals(catnap.outcome(), baseline.outcome())
        assertEquals(202, catnap.files)
        assertEquals(Symbol("y", 199, 199L * 200 / 2), catnap.top[0])
        assertEquals(Symbol("x", 202, 404), catnap.top[1])
        for (run in listOf(catnap, baseline)) {
            assertEquals(0, run.failures, run.firstFailure)
            assertTrue(run.queries >= 100, "queries: ${run.queries}")
        }
        assertNotNull(catnap.counters)
        assertTrue(baseline.threads.none { it.slices > 0 && it.requests > 0 })
    }

    /** Who runs what is up to chance: until one was seen with both. */
    @Test
    fun aWorkerOfCatnapRunsSlicesAndRequests() {
        writeSmallTree()
        val deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30)
        do {
            val threads = run(CatnapEngine(2)).threads
            val both = threads.any { it.slices > 0 && it.requests > 0 }
            assertTrue(both || System.nanoTime() < deadline, "$threads")
        } while (!both)
    }

    @Test
    fun whatCannotBeReadIsNamedAndTheRestGoesOn() {
        writeSmallTree()
        root.resolve("Directory.java").createDirectory()
        root.resolve("Dangling.java").createSymbolicLinkPointingTo(Path.of("nowhere"))
        root.resolve("Latin1.java").writeBytes("// caf\u00e9".toByteArray(Charsets.ISO_8859_1))
        val expected =
            listOf(
                Problem("Dangling.java", "no such file, or a link that leads nowhere"),
                Problem("Latin1.java", "not UTF-8 text"),
            )
        val catnap = run(CatnapEngine(2))
        assertEquals(expected, catnap.problems)
        assertEquals(202, catnap.files)
        assertEquals(catnap.outcome(), run(BaselineEngine()).outcome())
    }

    @Test
    fun damagedZipEntryIsNamedAndTheRestGoesOn() {
        val zip = root.resolve("sources.zip")
        ZipOutputStream(zip.outputStream()).use { out ->
            for (name in listOf("A.java", "B.java", "notes.txt")) {
                out.putNextEntry(ZipEntry(name))
                out.write("class $name ".repeat(100).toByteArray())
                out.closeEntry()
            }
        }
        val bytes = zip.readBytes()
        val data = String(bytes, Charsets.ISO_8859_1).indexOf("A.java") + "A.java".length
        bytes.fill(-1, data, data + 8)
        zip.writeBytes(bytes)
        val catnap = run(CatnapEngine(2), path = zip)
        assertEquals(listOf("A.java"), catnap.problems.map { it.file })
        assertTrue(catnap.problems[0].reason.startsWith("damaged in the zip file"))
        assertEquals(1, catnap.files)
        assertEquals(1, catnap.others)
        assertEquals(catnap.outcome(), run(BaselineEngine(), path = zip).outcome())
    }

    @Test
    fun occupiedPort() {
        writeSmallTree()
        LoopbackServer.bind(0).use { taken ->
            val result = run(CatnapEngine(1), spec.copy(port = taken.localPort))
            assertEquals(0, result.failures, result.firstFailure)
            assertTrue("port ${taken.localPort} cannot be had" in "$said", "$said")
            assertTrue("instead" in "$said", "$said")
        }
    }

    @Test
    fun noThreadIsLeft() {
        writeSmallTree()
        // Other tests of this JVM may have used the common scheduler, which stays.
        val before = threadsOfCatnap()
        var during = emptySet<Thread>()
        run(CatnapEngine(2)) { during = threadsOfCatnap() - before }
        assertTrue(during.isNotEmpty())
        Await.until("no thread is left") { before.containsAll(threadsOfCatnap()) }
    }

    private fun threadsOfCatnap(): Set<Thread> {
        val all = Thread.getAllStackTraces().keys
        return all.filter { it.name.startsWith("catnap") || it.name.startsWith("demo") }.toSet()
    }

    @Test
    fun resultSurvivesItsWayFromProcessToProcess() {
        writeSmallTree()
        root.resolve("tab\tand\nline.java").createSymbolicLinkPointingTo(Path.of("nowhere"))
        val result = run(CatnapEngine(2))
        assertEquals(result, RunResult.decode(result.encode()))
    }
}
