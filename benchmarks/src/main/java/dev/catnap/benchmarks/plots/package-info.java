/** Plots of the performance page, as SVG that a browser shows without any script. */
@NullMarked
package dev.catnap.benchmarks.plots;

import org.jspecify.annotations.NullMarked;
