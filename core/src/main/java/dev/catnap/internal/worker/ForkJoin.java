package dev.catnap.internal.worker;

import dev.catnap.ForkScope;
import dev.catnap.Joined;
import dev.catnap.internal.fork.CallBranch;
import dev.catnap.internal.fork.ForkTask;
import dev.catnap.internal.fork.Outsider;
import dev.catnap.internal.fork.TaskScope;
import dev.catnap.internal.stack.Headroom;
import dev.catnap.spi.Placement;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Fork/join on one pool, from wherever it is called: on a worker of it, or as a task that a worker
 * runs while the caller waits. Thread-safe.
 */
public final class ForkJoin implements TaskScope.Forker {
  private final Engine pool;

  /** On the workers of {@code pool}. */
  public ForkJoin(Engine pool) {
    this.pool = pool;
  }

  /** See {@code WorkStealingScheduler.join}. */
  public void join(Runnable left, Runnable right) {
    Objects.requireNonNull(left, "left");
    Objects.requireNonNull(right, "right");
    Worker worker = here();
    if (worker != null) {
      worker.forks.join(left, right);
    } else {
      this.<@Nullable Object>callInside(
          () -> {
            join(left, right);
            return null;
          });
    }
  }

  /** See {@code WorkStealingScheduler.join}. */
  public <A extends @Nullable Object, B extends @Nullable Object> Joined<A, B> join(
      Callable<A> left, Callable<B> right) {
    Objects.requireNonNull(left, "left");
    Objects.requireNonNull(right, "right");
    Worker worker = here();
    return worker != null ? worker.forks.join(left, right) : callInside(() -> join(left, right));
  }

  /** See {@code WorkStealingScheduler.scope}. */
  public <T extends @Nullable Object> T scope(Function<? super ForkScope, ? extends T> body) {
    Objects.requireNonNull(body, "body");
    Worker worker = here();
    return worker != null ? scopeOn(worker, body) : callInside(() -> scope(body));
  }

  @SuppressWarnings("NullAway") // null only if T may be
  private <T extends @Nullable Object> T scopeOn(
      Worker worker, Function<? super ForkScope, ? extends T> body) {
    TaskScope scope = new TaskScope(this, worker);
    T result = null;
    try {
      result = body.apply(scope);
    } catch (Throwable t) {
      scope.fail(t);
    }
    scope.end();
    worker.forks.await(scope);
    scope.rethrow();
    return result;
  }

  @Override
  public void push(ForkTask task) {
    Worker worker = here();
    if (worker != null) {
      worker.forks.push(task);
    } else if (!pool.publishContinuation(task, Placement.QUEUED)) {
      throw pool.refused(task);
    }
  }

  @Override
  public void publish() {
    Worker worker = here();
    if (worker != null) {
      worker.forks.publish();
    }
  }

  /** The worker whose thread calls; null in a virtual thread, though a worker may carry it. */
  private @Nullable Worker here() {
    Worker worker = Worker.of(Thread.currentThread());
    return worker != null && worker.pool().shutdownSequence() == pool.shutdownSequence()
        ? worker
        : pool.home().callerIfCurrent();
  }

  /**
   * As a task of this pool. A worker of another one runs its own pool's tasks meanwhile: else two
   * pools of one worker each, whose tasks call each other, would both wait for ever. So does a
   * thread, virtual ones too, that is the worker of a pool without threads at this moment. And so
   * would they if both could not run anything for want of stack; so who could not does not begin to
   * wait.
   */
  private <T extends @Nullable Object> T callInside(Callable<T> body) {
    Worker worker = Worker.of(Thread.currentThread());
    CallerWorker caller = CallerWorker.current();
    if (worker == null && caller == null) {
      return callAsOutsider(body);
    }
    if (!Headroom.isThereAndToSpare()) {
      throw new StackOverflowError("no room to run other tasks while one waits for " + pool.name());
    }
    if (caller == null) {
      return callAsWorker(Objects.requireNonNull(worker), body);
    }
    return worker == null ? callAsWorker(caller, body) : callAsOneOf(worker, caller, body);
  }

  /**
   * A run inside a task: the thread is two workers, and can wait as one of them. As the inner one,
   * whose tasks nobody else can run, as long as a spare runs those of the outer one.
   */
  private <T extends @Nullable Object> T callAsOneOf(
      Worker outer, CallerWorker inner, Callable<T> body) {
    Section section = outer.section();
    if (section.hasGivenUpRight()) {
      return callAsWorker(inner, body);
    }
    CallBranch<T> inside =
        new CallBranch<>(
            body,
            () -> {
              inner.wake();
              outer.wake();
            });
    submit(inside);
    if (section.beginReplaced(inner)) {
      try {
        inner.forks.await(() -> inside.isDone() || !section.isReplaced());
      } finally {
        section.endReplaced();
      }
    }
    outer.forks.await(inside);
    return inside.get();
  }

  private <T extends @Nullable Object> T callAsWorker(Worker stranger, Callable<T> body) {
    CallBranch<T> inside = new CallBranch<>(body, stranger);
    submit(inside);
    stranger.forks.await(inside);
    return inside.get();
  }

  private <T extends @Nullable Object> T callAsOutsider(Callable<T> body) {
    Outsider outsider = new Outsider();
    CallBranch<T> inside = new CallBranch<>(body, outsider);
    submit(inside);
    outsider.await(inside);
    return inside.get();
  }

  /** In a virtual thread on a worker of this pool it is a part of what was accepted before. */
  private void submit(ForkTask task) {
    boolean accepted =
        pool.isWorker()
            ? pool.publishContinuation(task, Placement.QUEUED)
            : pool.publish(task, Placement.QUEUED);
    if (!accepted) {
      throw pool.refused(task);
    }
  }
}
