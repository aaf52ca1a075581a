/** Counts that a worker keeps for itself and others may read at any time. */
@NullMarked
package dev.catnap.internal.metrics;

import org.jspecify.annotations.NullMarked;
