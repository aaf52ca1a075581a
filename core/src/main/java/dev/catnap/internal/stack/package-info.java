/** How much of its stack a thread has left, where what it begins must come to its end. */
@NullMarked
package dev.catnap.internal.stack;

import org.jspecify.annotations.NullMarked;
