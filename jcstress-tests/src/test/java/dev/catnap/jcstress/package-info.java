/** Runs the stress tests of this module in the build. */
@NullMarked
package dev.catnap.jcstress;

import org.jspecify.annotations.NullMarked;
