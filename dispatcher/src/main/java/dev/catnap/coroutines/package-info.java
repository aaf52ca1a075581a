/**
 * Coroutines on Catnap's workers. {@link dev.catnap.coroutines.CatnapDispatchers} has stand-ins for
 * {@code Dispatchers.Default} and {@code Dispatchers.IO} on one shared pool; {@link
 * dev.catnap.coroutines.WorkStealingDispatcher} puts coroutines on a scheduler of one's own.
 *
 * <h2>How it is built</h2>
 *
 * <ul>
 *   <li>{@code WorkStealingDispatcher} publishes a continuation where the core's {@link
 *       dev.catnap.spi.Placement} says: a resumed coroutine runs next on the worker that resumed
 *       it, a yielding one goes behind everything that waits.
 *   <li>A {@code Lane} is a dispatcher on the same workers that runs at most so many tasks at once:
 *       a view by {@code limitedParallelism}, or the lane for blocking tasks behind {@code io()}. A
 *       {@code PermitQueue} counts its tasks, a {@code LaneRunner} runs them one after the other.
 *   <li>{@code CoroutineTimers} turns {@code delay} into timers of the core. Like every {@code
 *       Delay} it leans on calls that kotlinx.coroutines calls internal; they are all in that
 *       class, save that dispatchers must implement the interface.
 *   <li>With a thread per core {@code Homes} remembers on which worker a coroutine lives, {@code
 *       PerCoreView} is what views are, and {@code OutsideLane} what {@code io()} is.
 *   <li>{@code Fallback} is where tasks go that the scheduler refuses.
 * </ul>
 *
 * <h2>After the scheduler was shut down, and without memory</h2>
 *
 * <p>No coroutine hangs, and {@code dispatch} does not throw. A refused task has the {@code Job} of
 * its coroutine cancelled with an exception that names the dispatcher, and runs on {@code
 * Dispatchers.IO}, so that the coroutine can clean up and complete, as {@code
 * Executor.asCoroutineDispatcher()} does it. It is the same through a view and through {@code
 * io()}, and the limit of the view holds for refused tasks too. A coroutine that waits in {@code
 * delay} is cancelled at once; one that cannot be cancelled goes on at its time. What {@code
 * shutdownNow()} finds in the queues is treated like a refused task. So is one for which there is
 * no room in a queue; but where that is the queue of a view, it runs outside of the view's limit.
 */
@NullMarked
package dev.catnap.coroutines;

import org.jspecify.annotations.NullMarked;
