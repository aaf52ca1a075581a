/**
 * Virtual threads carried by a {@link dev.catnap.WorkStealingScheduler}, beside whatever else runs
 * on it.
 *
 * <p>{@link dev.catnap.loom.CarrierPool} is all there is: it makes builders, factories and
 * executors of virtual threads. Java has no public way to choose the scheduler of a virtual thread,
 * so the JVM must be started with
 *
 * <pre>{@code
 * --add-opens java.base/java.lang=ALL-UNNAMED
 * --add-exports java.base/jdk.internal.misc=ALL-UNNAMED
 * }</pre>
 *
 * with {@code dev.catnap.loom} instead of {@code ALL-UNNAMED} if this library is on the module
 * path. The second option is for {@linkplain dev.catnap.loom.CarrierPool.Mode carrier threads};
 * without it everything works, with fewer privileges.
 */
@NullMarked
package dev.catnap.loom;

import org.jspecify.annotations.NullMarked;
