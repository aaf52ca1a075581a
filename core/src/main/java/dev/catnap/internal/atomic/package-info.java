/**
 * Single atomic fields on cache lines of their own. All padding of the library, and nearly all of
 * its {@code VarHandle}s, live here; every accessor carries its memory mode in its name.
 */
@NullMarked
package dev.catnap.internal.atomic;

import org.jspecify.annotations.NullMarked;
