/**
 * Deadlines: armed timers in shards, each in order under a lock, and the one thread that waits for
 * the earliest. It starts with the first timer, sleeps without a timeout while none is armed (G4),
 * and only publishes: a timer's task runs on a worker. Monotonic clock only.
 */
@NullMarked
package dev.catnap.internal.timer;

import org.jspecify.annotations.NullMarked;
