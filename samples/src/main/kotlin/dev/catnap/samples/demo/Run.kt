package dev.catnap.samples.demo

import java.net.BindException
import java.net.ServerSocket
import java.util.concurrent.TimeUnit
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withTimeoutOrNull

/** The settings of a run that both engines share. */
data class Spec(
    val port: Int = 0,
    val clients: Int = 300,
    val queriesPerSecond: Int = 1000,
    /** Coroutines that read and split files. */
    val readers: Int = 2 * Runtime.getRuntime().availableProcessors(),
    /** How long to do the same before, without counting it. */
    val warmUpMillis: Long = 5_000,
    /** How long the clients query at least, also if the index is ready sooner. */
    val shortestNanos: Long = TimeUnit.SECONDS.toNanos(1),
)

/** One run of the job: a tree is indexed while clients query the index over HTTP. */
class Run(
    private val tree: SourceTree,
    private val spec: Spec,
    private val engine: Engine,
    private val progress: Progress,
) {
    private val tally = Tally()
    private val index = SymbolIndex()
    private val load = Load(spec.clients, spec.queriesPerSecond)

    /** Does all of it. Blocks the calling thread, which is none of the engine's. */
    fun measure(): RunResult {
        val socket = bind(spec.port, progress::say)
        val before = Usage.now()
        val countersBefore = engine.counters()
        return LoopbackServer.start(socket, engine.virtualThreads, Queries(index, tally)).use {
            val indexNanos =
                indexUnderLoad(it.port(), { finish(spec.shortestNanos) }) { indexer(index).run() }
            val counters = countersBefore?.let { engine.counters()?.minus(it) }
            result(indexNanos, before, Usage.now(), counters)
        }
    }

    /** The same for a while, to be forgotten: again and again if the tree is small. */
    fun warmUp() {
        val socket = LoopbackServer.bind(0)
        LoopbackServer.start(socket, engine.virtualThreads, Queries(index, tally)).use {
            indexUnderLoad(it.port(), Load::stop) {
                withTimeoutOrNull(spec.warmUpMillis) {
                    indexer(index).run()
                    while (true) {
                        indexer(SymbolIndex()).run()
                    }
                }
            }
        }
    }

    /** Returns how long [work] took; the clients may have taken longer. */
    private fun indexUnderLoad(port: Int, end: Load.() -> Unit, work: suspend () -> Unit): Long {
        val begin = System.nanoTime()
        load.start(port, engine.virtualThreads)
        return progress.during(tally) {
            try {
                runBlocking(engine.cpu) { work() }
                System.nanoTime() - begin
            } finally {
                load.end()
            }
        }
    }

    private fun indexer(index: SymbolIndex) = Indexer(tree, engine, index, tally, spec.readers)

    private fun result(indexNanos: Long, before: Usage, after: Usage, counters: Counters?) =
        RunResult(
            engine = engine.name,
            digest = index.digest(),
            files = tally.files.sum(),
            others = tally.others.sum(),
            bytes = tally.bytes.sum(),
            identifiers = tally.identifiers.sum(),
            distinct = index.distinct(),
            problems = tally.problems.sortedBy { it.file },
            top = index.top("", TOP),
            indexNanos = indexNanos,
            cpuNanos = after.cpuNanos - before.cpuNanos,
            queries = load.latencies.totalCount,
            failures = load.failures.get(),
            firstFailure = load.firstFailure.get(),
            p50Nanos = load.latencies.getValueAtPercentile(50.0),
            p99Nanos = load.latencies.getValueAtPercentile(99.0),
            maxNanos = load.latencies.maxValue,
            counters = counters,
            contextSwitches = before.contextSwitches?.let { b -> after.contextSwitches?.minus(b) },
            threads = tally.threads(),
        )

    companion object {
        private const val TOP = 5

        /** Takes the port, or says that it is taken and takes a free one. */
        fun bind(port: Int, say: (String) -> Unit): ServerSocket =
            try {
                LoopbackServer.bind(port)
            } catch (e: BindException) {
                LoopbackServer.bind(0).also {
                    val instead = "serving on port ${it.localPort} instead"
                    say("port $port cannot be had (${e.message}); $instead")
                }
            }
    }
}
