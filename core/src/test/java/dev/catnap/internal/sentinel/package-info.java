/** Tests of the sentinel, one round at a time. */
@NullMarked
package dev.catnap.internal.sentinel;

import org.jspecify.annotations.NullMarked;
