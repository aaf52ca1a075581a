/** Sequential and stress tests of the queues; the model checker has the interleavings. */
@NullMarked
package dev.catnap.internal.queue;

import org.jspecify.annotations.NullMarked;
