/**
 * The accounting of who may run: a worker that blocks hands its right to run to a spare. README.md
 * of dev.catnap.internal.sleep tells how this fits the sleep protocol.
 */
@NullMarked
package dev.catnap.internal.blocking;

import org.jspecify.annotations.NullMarked;
