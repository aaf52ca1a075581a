/**
 * The rows of the performance page: per row one class that JMH runs, with the row's cases, peers
 * and targets; {@link dev.catnap.benchmarks.rows.Rows} lists them.
 */
@NullMarked
package dev.catnap.benchmarks.rows;

import org.jspecify.annotations.NullMarked;
