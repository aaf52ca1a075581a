/**
 * Who sleeps, and who is woken: the counters word, the latch of each worker, and the steps of the
 * sleep/wake protocol. Nothing here knows what a task is. README.md beside this file tells the
 * protocol and why no wake is lost.
 */
@NullMarked
package dev.catnap.internal.sleep;

import org.jspecify.annotations.NullMarked;
