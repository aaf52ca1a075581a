/** What the tests of the virtual-thread face share. */
@NullMarked
package dev.catnap.loom.testing;

import org.jspecify.annotations.NullMarked;
