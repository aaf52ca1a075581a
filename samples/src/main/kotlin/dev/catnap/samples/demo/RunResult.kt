package dev.catnap.samples.demo

import java.io.StringReader
import java.io.StringWriter
import java.util.Properties

/** What one run computed and what it cost. */
data class RunResult(
    val engine: String,
    val digest: String,
    val files: Long,
    val others: Long,
    val bytes: Long,
    val identifiers: Long,
    val distinct: Int,
    val problems: List<Problem>,
    val top: List<Symbol>,
    /** From the first directory to the last identifier. */
    val indexNanos: Long,
    /** Of the process, from before the first directory until after the last reply. */
    val cpuNanos: Long,
    val queries: Long,
    val failures: Long,
    val firstFailure: String?,
    val p50Nanos: Long,
    val p99Nanos: Long,
    val maxNanos: Long,
    val counters: Counters?,
    /** Of all threads of the process; null where the system does not tell. */
    val contextSwitches: Long?,
    val threads: List<ThreadTally>,
) {
    /** The part that must not depend on who ran it. */
    fun outcome() = listOf(digest, files, others, bytes, identifiers, distinct, problems)

    /** As text, for another process. */
    fun encode(): String {
        val out = Properties()
        fun put(key: String, vararg values: Any?) =
            out.setProperty(key, values.joinToString(SEPARATOR) { it?.toString() ?: "" })
        put("engine", engine)
        put("digest", digest)
        put("counts", files, others, bytes, identifiers, distinct)
        put("costs", indexNanos, cpuNanos, contextSwitches)
        put("queries", queries, failures, firstFailure)
        put("latencies", p50Nanos, p99Nanos, maxNanos)
        counters?.let { put("counters", it.tasks, it.stolen, it.wakes, it.futileWakes) }
        problems.forEachIndexed { i, it -> put("problem.$i", it.file, it.reason) }
        top.forEachIndexed { i, it -> put("top.$i", it.name, it.files, it.occurrences) }
        threads.forEachIndexed { i, it -> put("thread.$i", it.name, it.slices, it.requests) }
        return StringWriter().also { out.store(it, null) }.toString()
    }

    companion object {
        /**
         * Not in any name: file names have tabs and line ends in them, if somebody puts them there.
         */
        private const val SEPARATOR = "\u0000"

        /** Reads what [encode] wrote; throws if it is something else. */
        fun decode(text: String): RunResult {
            val from = Properties().apply { load(StringReader(text)) }
            fun fields(key: String) =
                requireNotNull(from.getProperty(key)) { "no $key in the result" }.split(SEPARATOR)
            fun <T> list(key: String, make: (List<String>) -> T): List<T> =
                generateSequence(0) { it + 1 }
                    .map { "$key.$it" }
                    .takeWhile(from::containsKey)
                    .map { make(fields(it)) }
                    .toList()
            val counts = fields("counts").map(String::toLong)
            val costs = fields("costs")
            val (queries, failures, firstFailure) = fields("queries")
            val (p50, p99, max) = fields("latencies").map(String::toLong)
            return RunResult(
                engine = fields("engine").single(),
                digest = fields("digest").single(),
                files = counts[0],
                others = counts[1],
                bytes = counts[2],
                identifiers = counts[3],
                distinct = counts[4].toInt(),
                problems = list("problem") { (file, reason) -> Problem(file, reason) },
                top = list("top") { (name, files, n) -> Symbol(name, files.toInt(), n.toLong()) },
                indexNanos = costs[0].toLong(),
                cpuNanos = costs[1].toLong(),
                queries = queries.toLong(),
                failures = failures.toLong(),
                firstFailure = firstFailure.ifEmpty { null },
                p50Nanos = p50,
                p99Nanos = p99,
                maxNanos = max,
                counters =
                    from.getProperty("counters")?.split(SEPARATOR)?.map(String::toLong)?.let {
                        Counters(it[0], it[1], it[2], it[3])
                    },
                contextSwitches = costs[2].toLongOrNull(),
                threads =
                    list("thread") { (name, s, r) -> ThreadTally(name, s.toLong(), r.toLong()) },
            )
        }
    }
}
