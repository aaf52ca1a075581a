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
 *   <li>{@code Carrier}, {@code ForkCheck}, {@code AdaptedTasks} and {@code DefaultSchedulerField}
 *       use classes of {@code jdk.internal.misc}: without the export that is an {@link
 *       java.lang.IllegalAccessError}, so they are reached only through {@code CarrierThreads} and
 *       {@code ReflectiveBridge}, and only behind the probe.
 * </ul>
 */
@NullMarked
package dev.catnap.loom.internal.jdk;

import org.jspecify.annotations.NullMarked;
