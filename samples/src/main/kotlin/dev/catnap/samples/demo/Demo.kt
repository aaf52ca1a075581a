package dev.catnap.samples.demo

import java.util.concurrent.CountDownLatch
import kotlin.io.path.Path
import kotlin.io.path.exists
import kotlin.io.path.pathString
import kotlin.system.exitProcess
import kotlinx.coroutines.runBlocking

/** Exit status of a command line or a PATH that cannot be used. */
private const val WRONG_USE = 2

/** Exit status of a run that did not end well. */
const val FAILED = 1

fun main(args: Array<String>) {
    val status =
        try {
            demo(Options.parse(args.asList()))
        } catch (e: BadOption) {
            complain("${e.message}\n\n${Options.USAGE}")
            WRONG_USE
        } catch (e: BadPath) {
            complain("${e.message}")
            WRONG_USE
        } catch (e: IllegalStateException) {
            complain("${e.message}")
            FAILED
        }
    exitProcess(status)
}

fun complain(message: String) = System.err.println("demo: $message")

private fun demo(options: Options): Int {
    if (options.help) {
        println(Options.USAGE)
        return 0
    }
    val path = options.path ?: defaultPath()
    val files = SourceTree.open(path).use { it.walk().count { found -> found is Found.Source } }
    if (files == 0) {
        throw BadPath("$path: no source files there; known are ${Languages.extensions()}")
    }
    return if (options.serve) serve(path, files, options) else compare(path, files, options)
}

/** The sources of this JDK; some packages of JDKs come without them. */
private fun defaultPath(): String {
    val sources = Path(System.getProperty("java.home"), "lib", "src.zip")
    return if (sources.exists()) sources.pathString else System.getProperty("samples.home", ".")
}

private fun compare(path: String, files: Int, options: Options): Int {
    val spec = options.spec()
    val workers = options.workersOrProcessors()
    val rate = count(spec.queriesPerSecond)
    println(
        """
        Coroutines index the identifiers of ${files(files)}: $path
        Meanwhile ${count(spec.clients)} clients send $rate queries per second over HTTP to a server in the
        same process; each client and each connection of the server is a virtual thread.

        Catnap          all of it on the same workers, $workers of them
        Default + JDK   Dispatchers.Default and the JDK's scheduler, with $workers threads each

        Each run is a process of its own. It begins with a warm-up of ${options.warmUp} s, not counted.
        """
            .trimIndent()
    )
    println()
    // One look at the port for all runs: each would say the same.
    val port = if (options.port == 0) 0 else Run.bind(options.port, ::println).use { it.localPort }
    val child = Child(options.copy(port = if (port == options.port) port else 0), path, files)
    val runs = EngineChoice.entries.associateWith { ArrayList<RunResult>() }
    for (round in 0..<options.rounds) {
        // Who goes first changes, so that a machine that slows down or speeds up favours none.
        val order = EngineChoice.entries.let { if (round % 2 == 0) it else it.reversed() }
        for (choice in order) {
            val number = runs.values.sumOf { it.size } + 1
            val result = child.run(choice, "Run $number of ${2 * options.rounds}, ${choice.label}")
            runs.getValue(choice) += result
            println(summary("Run $number of ${2 * options.rounds}", result))
        }
    }
    val report =
        Report(
            Runs(runs.getValue(EngineChoice.CATNAP)),
            Runs(runs.getValue(EngineChoice.BASELINE)),
            workers,
        )
    print("\n$report")
    report.complaints().forEach(::complain)
    return if (report.isGood()) 0 else FAILED
}

private fun summary(number: String, run: RunResult) =
    with(run) {
        "$number  ${engine.padEnd(13)}  ${seconds(indexNanos)} s, CPU ${seconds(cpuNanos)} s, " +
            "${count(queries)} queries, p99 ${millis(p99Nanos)} ms"
    }

/** For a look at the index by hand. */
private fun serve(path: String, files: Int, options: Options): Int {
    val spec = options.spec()
    CatnapEngine(options.workersOrProcessors()).use { engine ->
        val progress = Progress.onStandardError("Indexing", files)
        val index = SymbolIndex()
        val tally = Tally()
        SourceTree.open(path).use { tree ->
            val socket = Run.bind(options.port, progress::say)
            val queries = Queries(index, tally)
            LoopbackServer.start(socket, engine.virtualThreads, queries).use { server ->
                println(
                    "Serving on http://localhost:${server.port()} until Ctrl-C:\n${Queries.USAGE}"
                )
                progress.during(tally) {
                    runBlocking(engine.cpu) {
                        Indexer(tree, engine, index, tally, spec.readers).run()
                    }
                }
                println("The index is ready: ${files(tally.files.sum())}.")
                CountDownLatch(1).await()
            }
        }
    }
    return 0
}
