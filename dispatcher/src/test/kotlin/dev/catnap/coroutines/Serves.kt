package dev.catnap.coroutines

import dev.catnap.WorkStealingScheduler
import java.util.concurrent.atomic.AtomicInteger
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext
import kotlinx.coroutines.yield
import org.junit.jupiter.api.Assertions.assertEquals

/**
 * After a fault: the pool does all that it did before, with as many workers as before, and then
 * comes to rest with its books in order. Call it from a thread that is not one of its workers.
 */
internal suspend fun assertServes(dispatcher: WorkStealingDispatcher) {
    val scheduler = dispatcher.executor as WorkStealingScheduler
    val view = dispatcher.limitedParallelism(1)
    val n = 200
    val ran = AtomicInteger()
    var inView = 0 // guarded by the view
    val workers = Concurrency()
    coroutineScope {
        repeat(n) { i ->
            launch(dispatcher) {
                yield()
                withContext(dispatcher.io()) { ran.incrementAndGet() }
                withContext(view) { inView++ }
                if (i % 10 == 0) delay(1)
                ran.incrementAndGet()
            }
        }
        repeat(scheduler.parallelism()) { // that need each other
            launch(dispatcher) {
                workers.during {
                    awaitUntil("every worker") { workers.highest == scheduler.parallelism() }
                }
            }
        }
    }
    assertEquals(2 * n, ran.get())
    withContext(view) { assertEquals(n, inView) }
    awaitRest(scheduler)
}

/** G4: nothing runs, waits or is armed; what was accepted has run; every worker sleeps. */
internal fun awaitRest(scheduler: WorkStealingScheduler) =
    awaitUntil("rest of $scheduler") {
        val stats = scheduler.stats()
        stats.published() == stats.executed() &&
            stats.queued() == 0L &&
            stats.armedTimers() == 0 &&
            stats.blockedWorkers() == 0 &&
            stats.searchingWorkers() == 0 &&
            stats.parkedWorkers() == scheduler.parallelism()
    }

/**
 * Tasks that were published for [block], which is called from a thread that is not a worker.
 * Counted at rest: who publishes from outside counts that a moment after the task may have begun.
 */
internal suspend fun publishedBy(
    scheduler: WorkStealingScheduler,
    block: suspend () -> Unit,
): Long {
    awaitRest(scheduler)
    val before = scheduler.stats().published()
    block()
    awaitRest(scheduler)
    return scheduler.stats().published() - before
}
