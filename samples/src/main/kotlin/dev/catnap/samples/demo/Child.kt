package dev.catnap.samples.demo

import java.lang.management.ManagementFactory
import kotlin.concurrent.thread
import kotlin.io.path.Path
import kotlin.io.path.pathString
import kotlin.system.exitProcess

/** Which of the two engines a run is on. */
enum class EngineChoice(val label: String) {
    CATNAP("Catnap"),
    BASELINE("Default + JDK");

    fun open(workers: Int): Engine =
        when (this) {
            CATNAP -> CatnapEngine(workers)
            BASELINE -> BaselineEngine()
        }
}

/**
 * A run in a process of its own: the JIT compiler has then seen one engine only, CPU time and
 * context switches are those of this run, and the JDK's network pollers (virtual threads, once per
 * JVM) are on the engine that uses them.
 */
class Child(private val options: Options, private val path: String, private val totalFiles: Int) {

    /** Starts the process and waits for its result; throws [IllegalStateException] if it fails. */
    fun run(choice: EngineChoice, title: String): RunResult {
        val child =
            ProcessBuilder(command(choice, title))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start()
        val killer = thread(start = false) { child.destroy() }
        Runtime.getRuntime().addShutdownHook(killer)
        child.outputStream.close()
        val output = child.inputReader(Charsets.UTF_8).use { it.readText() }
        val status = child.waitFor()
        Runtime.getRuntime().removeShutdownHook(killer)
        check(status == 0) { "the process of '$title' ended with status $status" }
        return RunResult.decode(output)
    }

    private fun command(choice: EngineChoice, title: String): List<String> {
        val jvm = ManagementFactory.getRuntimeMXBean()
        val java = Path(System.getProperty("java.home"), "bin", "java").pathString
        val sizes =
            options.workers?.let {
                listOf(
                    "-Dkotlinx.coroutines.scheduler.core.pool.size=$it",
                    "-Djdk.virtualThreadScheduler.parallelism=$it",
                    "-Djdk.virtualThreadScheduler.maxPoolSize=${maxOf(256, it)}",
                )
            }
        // The flags of this JVM are needed there too: they let Catnap carry virtual threads.
        return listOf(java) +
            jvm.inputArguments +
            sizes.orEmpty() +
            listOf("-cp", jvm.classPath, "dev.catnap.samples.demo.ChildKt") +
            with(options.spec()) { listOf(port, clients, queriesPerSecond, readers, warmUpMillis) }
                .map { it.toString() } +
            listOf("${options.workersOrProcessors()}", "$totalFiles", choice.name, title, path)
    }
}

/** In the new process. */
fun main(args: Array<String>) {
    val (port, clients, rate, readers, warmUp) = args.take(5).map(String::toInt)
    val (workers, totalFiles) = args.slice(5..6).map(String::toInt)
    val (choice, title, path) = args.drop(7)
    val spec = Spec(port, clients, rate, readers, warmUp.toLong())
    try {
        val result =
            SourceTree.open(path).use { tree ->
                EngineChoice.valueOf(choice).open(workers).use { engine ->
                    val warmUpProgress = Progress.onStandardError("$title, warming up", null)
                    Run(tree, spec, engine, warmUpProgress).warmUp()
                    System.gc() // what the warm-up left is not this run's to clean up
                    Run(tree, spec, engine, Progress.onStandardError(title, totalFiles)).measure()
                }
            }
        System.out.write(result.encode().toByteArray())
        System.out.flush()
    } catch (e: IllegalStateException) {
        complain("${e.message}") // such as an option of the JVM that Catnap needs and does not find
        exitProcess(FAILED)
    } catch (e: BadPath) {
        complain("${e.message}")
        exitProcess(FAILED)
    }
    exitProcess(0)
}
