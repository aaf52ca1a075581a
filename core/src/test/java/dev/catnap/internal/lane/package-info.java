/** Lanes for blocking tasks on a scheduler that does only what the test says. */
@NullMarked
package dev.catnap.internal.lane;

import org.jspecify.annotations.NullMarked;
