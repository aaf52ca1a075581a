/** Sequential and stress tests of the queues; the model checker has the interleavings. */
@NullMarked
package dev.catnap.internal.metrics;

import org.jspecify.annotations.NullMarked;
