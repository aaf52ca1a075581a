/**
 * What applications use: {@link dev.catnap.WorkStealingScheduler}, its builder, and its statistics.
 */
@NullMarked
package dev.catnap;

import org.jspecify.annotations.NullMarked;
