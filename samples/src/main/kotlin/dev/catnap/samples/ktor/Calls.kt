package dev.catnap.samples.ktor

import dev.catnap.WorkStealingScheduler
import io.ktor.server.application.Application
import io.ktor.server.application.ApplicationCallPipeline
import java.util.concurrent.atomic.AtomicInteger
import java.util.concurrent.atomic.AtomicLong

/** How many requests came, and how many of them are being handled. */
class Calls {
    private val received = AtomicLong()
    private val open = AtomicInteger()

    /** Counts all calls of the application. */
    fun countIn(application: Application) {
        application.intercept(ApplicationCallPipeline.Monitoring) {
            received.incrementAndGet()
            open.incrementAndGet()
            try {
                proceed()
            } finally {
                open.decrementAndGet()
            }
        }
    }

    fun describe() = "received $received\nopen $open"
}

/** One line. */
fun describeWork(): String {
    val stats = WorkStealingScheduler.common().stats()
    return "${stats.executed} tasks, ${stats.stolen} stolen, ${stats.parkedWorkers} workers asleep"
}

/** Line by line. */
fun describeScheduler(): String {
    val stats = WorkStealingScheduler.common().stats()
    val workers =
        stats.workers.joinToString("\n") { "${it.threadName} ${it.state} executed ${it.executed}" }
    return """
        parallelism ${stats.parallelism}
        threads ${stats.threads}
        executed ${stats.executed}
        stolen ${stats.stolen}
        wakes ${stats.wakes}
        blocked ${stats.blockedWorkers}
        timers ${stats.armedTimers}
        """
        .trimIndent() + "\n" + workers
}
