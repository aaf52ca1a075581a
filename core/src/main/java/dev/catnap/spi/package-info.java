/**
 * What an adapter needs: a library that puts coroutines, virtual threads or a model checker on the
 * workers of a {@link dev.catnap.WorkStealingScheduler}. Applications do not need this package.
 *
 * <ul>
 *   <li>{@link dev.catnap.spi.SchedulerAdapter} publishes tasks, declares blocking and arms timers.
 *   <li>{@link dev.catnap.spi.WorkerThreadFactory}, {@link dev.catnap.spi.WorkerThread} and {@link
 *       dev.catnap.spi.WorkerBody} let workers be threads of any class.
 *   <li>{@link dev.catnap.spi.SchedulerTuning} holds every size and every number of rounds; {@link
 *       dev.catnap.spi.Parker} is the seam at which a worker stops.
 *   <li>{@link dev.catnap.spi.CommonSchedulerProvider} makes the common scheduler.
 * </ul>
 */
@NullMarked
package dev.catnap.spi;

import org.jspecify.annotations.NullMarked;
