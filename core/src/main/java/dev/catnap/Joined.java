package dev.catnap;

import org.jspecify.annotations.Nullable;

/**
 * The two results of a {@link WorkStealingScheduler#join(java.util.concurrent.Callable,
 * java.util.concurrent.Callable)}.
 *
 * @param <A> type of the left one
 * @param <B> type of the right one
 * @param left what the first branch returned
 * @param right what the second one returned
 */
public record Joined<A extends @Nullable Object, B extends @Nullable Object>(A left, B right) {}
