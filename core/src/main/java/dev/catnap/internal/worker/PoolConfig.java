package dev.catnap.internal.worker;

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
 * @param keepAliveNanos how long a spare waits before its thread ends
 * @param daemon whether the timer thread is a daemon
 * @param threadFactory makes worker threads
 * @param locator finds the thread under the caller
 * @param handler receives what tasks throw; null: the thread's own handler
 * @param tuning sizes and rounds
 */
public record PoolConfig(
    String name,
    int parallelism,
    int maxThreads,
    long keepAliveNanos,
    boolean daemon,
    WorkerThreadFactory threadFactory,
    CurrentThreadLocator locator,
    Thread.@Nullable UncaughtExceptionHandler handler,
    SchedulerTuning tuning) {}
