package dev.catnap.samples.demo

import java.util.concurrent.ThreadFactory
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.Dispatchers

/** What runs coroutines and virtual threads. */
interface Engine : AutoCloseable {
    /** For the head of a column. */
    val name: String

    /** Runs coroutines that compute. */
    val cpu: CoroutineDispatcher

    /** Runs coroutines that block their thread. */
    val io: CoroutineDispatcher

    /** Makes virtual threads, not yet started. */
    val virtualThreads: ThreadFactory

    /** What it has done so far, as far as it says. */
    fun counters(): Counters?
}

/** What a scheduler did to run its tasks. */
data class Counters(
    val tasks: Long,
    val stolen: Long,
    val wakes: Long,
    val futileWakes: Long,
) {
    operator fun minus(before: Counters) =
        Counters(
            tasks - before.tasks,
            stolen - before.stolen,
            wakes - before.wakes,
            futileWakes - before.futileWakes,
        )
}

/**
 * Two schedulers, as everybody has them: that of kotlinx.coroutines and, on threads of its own, the
 * JDK's.
 */
class BaselineEngine : Engine {
    override val name = "Default + JDK"
    override val cpu = Dispatchers.Default
    override val io = Dispatchers.IO
    override val virtualThreads: ThreadFactory = Thread.ofVirtual().factory()

    /** Neither of the two counts its wakes, and only the JDK's its steals. */
    override fun counters(): Counters? = null

    /** Both live as long as the JVM. */
    override fun close() {}
}
