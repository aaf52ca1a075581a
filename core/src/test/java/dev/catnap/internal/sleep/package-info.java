/** The steps of the protocol one by one; the model checkers have the interleavings. */
@NullMarked
package dev.catnap.internal.sleep;

import org.jspecify.annotations.NullMarked;
