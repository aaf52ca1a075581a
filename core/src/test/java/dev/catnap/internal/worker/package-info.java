/** Tests of what cannot be seen from outside the pool. */
@NullMarked
package dev.catnap.internal.worker;

import org.jspecify.annotations.NullMarked;
