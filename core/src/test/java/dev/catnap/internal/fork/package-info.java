/** Tests of what fork/join is made of. */
@NullMarked
package dev.catnap.internal.fork;

import org.jspecify.annotations.NullMarked;
