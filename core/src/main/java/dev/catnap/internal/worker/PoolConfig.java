package dev.catnap.internal.worker;

import dev.catnap.internal.blocking.ThreadPermits;
import dev.catnap.spi.CurrentThreadLocator;
import dev.catnap.spi.SchedulerTuning;
import dev.catnap.spi.WorkerThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * What a pool is built from; checked by the public builder.
 *
 * @param name prefix of thread names
 * @param parallelism workers that may run at once
 * @param maxThreads worker threads, blocked ones and spares included
 * @param budget the threads that it shares with other pools; null: it has its own
 * @param keepAliveNanos how long a spare waits before its thread ends
 * @param daemon whether the timer thread is a daemon
 * @param threadFactory makes worker threads
 * @param locator finds the thread under the caller
 * @param handler receives what tasks throw; null: the thread's own handler
 * @param tuning sizes and rounds
 * @param threads hooks and properties of worker threads
 * @param onCaller there is one worker, and it has no thread of its own: see {@link CallerWorker}
 */
public record PoolConfig(
    String name,
    int parallelism,
    int maxThreads,
    @Nullable ThreadPermits budget,
    long keepAliveNanos,
    boolean daemon,
    WorkerThreadFactory threadFactory,
    CurrentThreadLocator locator,
    Thread.@Nullable UncaughtExceptionHandler handler,
    SchedulerTuning tuning,
    ThreadSettings threads,
    boolean onCaller) {}
