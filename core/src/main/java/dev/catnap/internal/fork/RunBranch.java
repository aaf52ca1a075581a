package dev.catnap.internal.fork;

import org.jspecify.annotations.Nullable;

/** A branch without a result. */
public final class RunBranch extends Branch {
  private @Nullable Runnable body;

  /** Not begun. */
  public RunBranch(Runnable body, Waiter waiter) {
    super(waiter);
    this.body = body;
  }

  @Override
  void compute() {
    Runnable b = body;
    if (b != null) {
      b.run();
    }
  }

  @Override
  void release() {
    body = null;
  }
}
