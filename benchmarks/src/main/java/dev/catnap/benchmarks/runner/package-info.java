/**
 * The command {@code benchmarks/run}: forks of all peers in turn, statistics over forks, targets,
 * tables, raw data.
 */
@NullMarked
package dev.catnap.benchmarks.runner;

import org.jspecify.annotations.NullMarked;
