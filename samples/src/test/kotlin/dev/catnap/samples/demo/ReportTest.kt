package dev.catnap.samples.demo

import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test

class ReportTest {
    private val catnap =
        RunResult(
            engine = "Catnap",
            digest = "abc",
            files = 1000,
            others = 2,
            bytes = 3_000_000,
            identifiers = 10_000,
            distinct = 500,
            problems = List(12) { Problem("broken\n$it.java", "not UTF-8 text") },
            top = listOf(Symbol("x", 10, 1234)),
            indexNanos = 2_000_000_000,
            cpuNanos = 4_000_000_000,
            queries = 2000,
            failures = 0,
            firstFailure = null,
            p50Nanos = 1_234_567,
            p99Nanos = 20_000_000,
            maxNanos = 30_000_000,
            counters = Counters(5000, 40, 30, 2),
            contextSwitches = 600,
            threads = List(20) { ThreadTally("catnap-worker-$it", 20L - it, it.toLong()) },
        )
    private val baseline = catnap.copy(engine = "Default + JDK", counters = null)

    private fun report(vararg catnap: RunResult, baseline: RunResult = this.baseline) =
        Report(Runs(catnap.asList()), Runs(listOf(baseline)), workers = 2)

    @Test
    fun sameIndexIsGood() {
        val report = report(catnap)
        assertTrue(report.isGood())
        assertTrue("Both runs computed the same index, SHA-256:\nabc" in "$report", "$report")
    }

    @Test
    fun anyDifferenceIsNamed() {
        for (other in
            listOf(
                baseline.copy(digest = "abd"),
                baseline.copy(files = 999),
                baseline.copy(problems = emptyList()),
            )) {
            val report = report(catnap, baseline = other)
            assertFalse(report.isGood())
            assertFalse("computed the same index" in "$report")
            assertTrue("the index differs: Catnap found" in report.complaints().single())
        }
    }

    @Test
    fun failedQueriesAreNamed() {
        val report =
            report(catnap.copy(failures = 3, firstFailure = "/stats was answered with 404"))
        assertEquals(
            listOf("3 queries failed on Catnap: /stats was answered with 404"),
            report.complaints(),
        )
    }

    @Test
    fun medianAndRange() {
        val runs = listOf(3L, 1L, 2L).map { catnap.copy(indexNanos = it * 1_000_000_000) }
        val text = "${report(*runs.toTypedArray())}"
        assertTrue("2.00 (1.00-3.00)" in text, text)
    }

    @Test
    fun longListsAreCut() {
        val text = "${report(catnap)}"
        assertTrue("Could not be indexed: 12 files." in text, text)
        assertTrue("broken0.java: not UTF-8 text" in text, text)
        assertTrue("... and 2 more" in text, text)
        assertTrue("... and 10 more" in text, text)
        assertTrue("19 of 20 threads ran both" in text, text)
    }

    @Test
    fun fitsIntoEightyColumns() {
        val slow = catnap.copy(indexNanos = 200_000_000_000, cpuNanos = 100_000_000_000)
        val widest = "${report(catnap, slow, slow)}".lines().maxOf { it.length }
        assertTrue(widest <= 80, "$widest columns")
    }
}
