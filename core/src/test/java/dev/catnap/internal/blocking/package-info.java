/** Tests of the rights to run, step by step. */
@NullMarked
package dev.catnap.internal.blocking;

import org.jspecify.annotations.NullMarked;
