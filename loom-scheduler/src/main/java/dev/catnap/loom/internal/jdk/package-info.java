/**
 * All that this library knows about the inside of the JDK, behind {@link
 * dev.catnap.loom.internal.jdk.JdkBridge}. {@link dev.catnap.loom.internal.jdk.JdkProbe} finds out
 * at start what is there and says in one sentence what is missing.
 *
 * <p>What a class may touch:
 *
 * <ul>
 *   <li>{@code ThreadInternals} and {@code ContinuationInternals} need {@code java.lang} opened,
 *       and are initialised only when it is;
 *   <li>{@code Carrier} extends a class of {@code jdk.internal.misc}: loading it without the export
 *       is an {@link java.lang.IllegalAccessError}, so only {@code CarrierThreads} refers to it,
 *       and that only behind the probe.
 * </ul>
 */
@NullMarked
package dev.catnap.loom.internal.jdk;

import org.jspecify.annotations.NullMarked;
