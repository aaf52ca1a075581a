package dev.catnap.internal.fork;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * A branch with a result.
 *
 * @param <T> its result
 */
public final class CallBranch<T extends @Nullable Object> extends Branch {
  private @Nullable Callable<T> body;
  private @Nullable T result;

  /** Not begun. */
  public CallBranch(Callable<T> body, Waiter waiter) {
    super(waiter);
    this.body = body;
  }

  @Override
  void compute() throws Exception {
    Callable<T> b = body;
    if (b != null) {
      result = b.call();
    }
  }

  @Override
  void release() {
    body = null;
  }

  /** When done: what it returned, or throws what it threw. */
  @SuppressWarnings("NullAway") // null only if T may be
  public T get() {
    rethrow();
    return result;
  }
}
