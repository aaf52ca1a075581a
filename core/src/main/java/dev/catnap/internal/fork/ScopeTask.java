package dev.catnap.internal.fork;

import org.jspecify.annotations.Nullable;

/** A subtask of a scope. */
final class ScopeTask extends ForkTask {
  private final TaskScope scope;
  private @Nullable Runnable body;

  ScopeTask(TaskScope scope, Runnable body) {
    this.scope = scope;
    this.body = body;
  }

  @Override
  public void run() {
    Runnable b = body;
    body = null;
    try {
      if (b != null) {
        b.run();
      }
    } catch (Throwable t) {
      scope.fail(t);
    }
    scope.end();
  }

  @Override
  public void cancel(Throwable why) {
    body = null;
    scope.fail(why);
    scope.end();
  }
}
