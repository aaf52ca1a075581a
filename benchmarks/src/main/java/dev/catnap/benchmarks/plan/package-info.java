/** The vocabulary in which a row says what is run, on what, and which ratios it must reach. */
@NullMarked
package dev.catnap.benchmarks.plan;

import org.jspecify.annotations.NullMarked;
