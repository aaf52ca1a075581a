/**
 * Weakened twins of the production code. Each has a race of one kind that must be observed in every
 * run: where it is not, the run is blind to that kind, and its silence about the production classes
 * means nothing.
 */
@NullMarked
package dev.catnap.jcstress.canary;

import org.jspecify.annotations.NullMarked;
