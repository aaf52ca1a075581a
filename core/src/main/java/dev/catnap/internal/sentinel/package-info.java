/**
 * What gets waiting tasks out when the worker that holds them does not come back: the sentinel. The
 * README.md beside these classes tells how it goes on and off duty, and why nothing strands in
 * between.
 */
@NullMarked
package dev.catnap.internal.sentinel;

import org.jspecify.annotations.NullMarked;
