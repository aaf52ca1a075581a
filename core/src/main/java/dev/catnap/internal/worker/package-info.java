/**
 * The engine: a {@link dev.catnap.internal.worker.Pool} ties queues, protocol, timers and threads
 * together, and each {@link dev.catnap.internal.worker.Worker} runs the loop. README.md beside this
 * file has the order in which a worker looks for work, and the life of a pool.
 */
@NullMarked
package dev.catnap.internal.worker;

import org.jspecify.annotations.NullMarked;
