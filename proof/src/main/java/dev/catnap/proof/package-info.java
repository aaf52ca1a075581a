/**
 * The page that the proof lane ends with: what was run, what it covered, how long it took.
 *
 * <p>{@link dev.catnap.proof.Part} names what the lane consists of, {@link
 * dev.catnap.proof.TestReport} reads what Surefire left of one test class, {@link
 * dev.catnap.proof.Machine} says where it ran, {@link dev.catnap.proof.Page} writes it down, and
 * {@link dev.catnap.proof.Main} refuses to if anything failed or is missing.
 */
@NullMarked
package dev.catnap.proof;

import org.jspecify.annotations.NullMarked;
