package dev.catnap.samples.demo

/** The runs of one engine. */
class Runs(val all: List<RunResult>) {
    val name = all.first().engine

    /** The one in the middle; of two, the larger. */
    fun median(value: (RunResult) -> Long): Long = all.map(value).sorted()[all.size / 2]

    fun range(value: (RunResult) -> Long): Pair<Long, Long> = all.minOf(value) to all.maxOf(value)
}

/** What the demo prints at its end. */
class Report(
    private val catnap: Runs,
    private val baseline: Runs,
    private val workers: Int,
) {
    private val all = catnap.all + baseline.all

    /**
     * Whether every run computed the same, and every query was answered; else [complaints] says
     * what is wrong.
     */
    fun isGood() = complaints().isEmpty()

    fun complaints(): List<String> {
        val expected = all.first()
        val different = all.filter { it.outcome() != expected.outcome() }
        val failed = all.filter { it.failures > 0 }
        return different.map {
            "the index differs: ${outcome(expected)}, but ${outcome(it)}"
        } +
            failed.map {
                "${count(it.failures)} queries failed on ${it.engine}: ${it.firstFailure}"
            }
    }

    private fun outcome(run: RunResult) =
        with(run) {
            "$engine found ${count(identifiers)} identifiers in ${files(files)} " +
                "(${count(problems.size)} unreadable), SHA-256 ${digest.take(12)}"
        }

    override fun toString() =
        listOf(found(), comparison(), threads(), verdict()).joinToString("\n\n") + "\n"

    private fun found(): String {
        val run = all.first()
        val lines = ArrayList<String>()
        lines +=
            "Found ${count(run.identifiers)} identifiers, ${count(run.distinct)} different ones, " +
                "in ${files(run.files)} (${size(run.bytes)})."
        lines +=
            "The most frequent: " + run.top.joinToString { "${it.name} ${count(it.occurrences)}" }
        if (run.others > 0) {
            lines += "Left out: ${files(run.others)} in none of the languages known here."
        }
        if (run.problems.isNotEmpty()) {
            lines += "Could not be indexed: ${files(run.problems.size)}."
            run.problems.take(SHOWN).forEach {
                lines += "  ${it.file}: ${it.reason}".filterNot(Char::isISOControl)
            }
            if (run.problems.size > SHOWN) {
                lines += "  ... and ${count(run.problems.size - SHOWN)} more"
            }
        }
        return lines.joinToString("\n")
    }

    private fun comparison(): String {
        val rows = ArrayList<List<String>>()
        rows += listOf("", catnap.name, baseline.name, "ratio")
        rows += row("indexing, s", ::seconds, range = true) { it.indexNanos }
        rows += row("CPU time, s", ::seconds, range = true) { it.cpuNanos }
        rows += row("files per second", ::count) { perSecond(it, it.files) }
        rows += row("identifiers per second", ::count) { perSecond(it, it.identifiers) }
        rows += row("queries answered", ::count) { it.queries }
        rows += row("latency p50, ms", ::millis, range = true) { it.p50Nanos }
        rows += row("latency p99, ms", ::millis, range = true) { it.p99Nanos }
        rows += row("latency max, ms", ::millis, range = true) { it.maxNanos }
        if (all.all { it.contextSwitches != null }) {
            rows += row("context switches", ::count) { it.contextSwitches ?: 0 }
        }
        rows += row("threads that ran tasks", ::count) { it.threads.size.toLong() }
        rows += counter("tasks") { it.tasks }
        rows += counter("  of these stolen") { it.stolen }
        rows += counter("wakes") { it.wakes }
        rows += counter("  of these for nothing") { it.futileWakes }
        val notes = ArrayList<String>()
        if (catnap.all.size > 1) {
            notes += "Medians of ${catnap.all.size} runs, in brackets the lowest and the highest."
        }
        notes += "The ratio is ${catnap.name} to ${baseline.name}. A latency counts from when the"
        notes += "query was due, so that a client that is held up does not hide it."
        if (catnap.median { it.indexNanos } < SHORT) {
            notes += "So few files say little about speed; take a larger PATH for that."
        }
        return table(rows) + "\n\n" + notes.joinToString("\n")
    }

    private fun perSecond(run: RunResult, n: Long) = (n * 1e9 / run.indexNanos).toLong()

    private fun row(
        label: String,
        format: (Number) -> String,
        range: Boolean = false,
        value: (RunResult) -> Long,
    ): List<String> {
        val ratio = catnap.median(value).toDouble() / baseline.median(value)
        return listOf(
            label,
            cell(catnap, format, range, value),
            cell(baseline, format, range, value),
            if (ratio.isFinite()) fixed(ratio) else "",
        )
    }

    /** A row that only Catnap can fill. */
    private fun counter(label: String, value: (Counters) -> Long) =
        listOf(label, count(catnap.median { value(checkNotNull(it.counters)) }), "not counted", "")

    private fun cell(
        runs: Runs,
        format: (Number) -> String,
        range: Boolean,
        value: (RunResult) -> Long,
    ): String {
        val median = format(runs.median(value))
        if (!range || runs.all.size == 1) {
            return median
        }
        val (low, high) = runs.range(value)
        return "$median (${format(low)}-${format(high)})"
    }

    private fun threads(): String =
        "${threads(catnap)}\n  (at most $workers at a time, besides those that are reading a file)" +
            "\n\n${threads(baseline)}"

    private fun threads(runs: Runs): String {
        val threads = runs.all.last().threads
        val busiest = threads.sortedByDescending { it.slices + it.requests }.take(SHOWN)
        val head = listOf("${runs.name}, last run", "slices of coroutines", "requests")
        val rows =
            threads
                .filter { it in busiest }
                .map { listOf("  ${it.name}", count(it.slices), count(it.requests)) }
        val more = threads.size - busiest.size
        val both = threads.count { it.slices > 0 && it.requests > 0 }
        return table(listOf(head) + rows) +
            (if (more > 0) "\n  ... and $more more" else "") +
            "\n  $both of ${threads.size} threads ran both kinds of task"
    }

    private fun verdict() =
        if (isGood()) {
            "${if (all.size == 2) "Both" else "All ${all.size}"} runs computed the same index, SHA-256:\n" +
                all.first().digest
        } else {
            "FAILED"
        }

    private companion object {
        /** Lines of a list that may be long. */
        const val SHOWN = 10

        const val SHORT = 1_000_000_000L
    }
}
