/** What is measured beside time, as JMH profilers that run inside the forks. */
@NullMarked
package dev.catnap.benchmarks.measure;

import org.jspecify.annotations.NullMarked;
