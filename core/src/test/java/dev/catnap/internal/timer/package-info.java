/** Tests of the timer heap by itself. */
@NullMarked
package dev.catnap.internal.timer;

import org.jspecify.annotations.NullMarked;
