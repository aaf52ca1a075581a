/**
 * Between the JDK and the core: what the JDK hands over, and where it goes. {@link
 * dev.catnap.loom.internal.ContinuationRouter} decides that for each continuation, {@link
 * dev.catnap.loom.internal.Fallback} takes those whose scheduler is closed, and {@link
 * dev.catnap.loom.internal.WorkerRig} makes the workers, with {@link
 * dev.catnap.loom.internal.Spacers} between them. {@link dev.catnap.loom.internal.PollerScheduler}
 * lends workers to the JDK's network pollers, which belong to nobody. Nothing here knows the JDK's
 * internals; they are in {@code dev.catnap.loom.internal.jdk}.
 */
@NullMarked
package dev.catnap.loom.internal;

import org.jspecify.annotations.NullMarked;
