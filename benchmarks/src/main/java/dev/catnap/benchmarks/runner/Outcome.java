package dev.catnap.benchmarks.runner;

import dev.catnap.benchmarks.plan.Row;

/**
 * What came of a case with one number of workers.
 *
 * @param row its row
 * @param measured its forks
 */
record Outcome(Row row, Measured measured) {}
