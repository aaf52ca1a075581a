/**
 * Programs that use virtual threads as anybody would, and know nothing of Catnap. The tests run the
 * same ones on a pool, on the JDK's scheduler, and in JVMs with and without the agent.
 *
 * <p>A {@link dev.catnap.loom.programs.Storm} does one thing very often, and accounts for all that
 * was done; {@link dev.catnap.loom.programs.Storms} has them all, and is a main class. {@link
 * dev.catnap.loom.programs.PinnedService} is the service that stops when {@code synchronized} pins,
 * and {@link dev.catnap.loom.programs.DeepUnparks} a recursion that unparks to the end of its
 * stack.
 */
@NullMarked
package dev.catnap.loom.programs;

import org.jspecify.annotations.NullMarked;
