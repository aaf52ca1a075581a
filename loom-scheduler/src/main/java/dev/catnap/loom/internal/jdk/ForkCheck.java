package dev.catnap.loom.internal.jdk;

import java.time.Duration;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.TimeUnit;
import jdk.internal.misc.CarrierThread;

/**
 * Whether a carrier that never runs the loop of its {@code ForkJoinPool} keeps what is forked on
 * it, as a parallel stream does. On JDK 25 it does. On JDK 21 the queue of such a thread has no
 * room before that loop begins, so the forked task is dropped without a word, and whoever joins it
 * hangs: no carriers there.
 */
final class ForkCheck extends CarrierThread {
  /** It takes a millisecond; this is for a machine that stands still. */
  private static final Duration LIMIT = Duration.ofSeconds(10);

  /** What came of the forked task. */
  enum Outcome {
    KEPT,
    LOST,
    NOT_OVER
  }

  private volatile boolean kept;

  private ForkCheck(ForkJoinPool pool) {
    super(pool);
  }

  /**
   * Runs a thread for a moment.
   *
   * @throws OutOfMemoryError if it cannot be started
   */
  static Outcome tryOne() {
    ForkJoinPool pool =
        new ForkJoinPool(1, p -> null, null, true, 0, 1, 0, p -> true, 1, TimeUnit.SECONDS);
    ForkCheck check = new ForkCheck(pool);
    check.start();
    boolean over = Joins.uninterruptibly(check, LIMIT);
    pool.shutdown();
    if (!over) {
      return Outcome.NOT_OVER;
    }
    return check.kept ? Outcome.KEPT : Outcome.LOST;
  }

  @Override
  public void run() {
    ForkJoinTask<?> task = ForkJoinTask.adapt(() -> {}).fork();
    kept = task.tryUnfork(); // true: it was still there
  }
}
