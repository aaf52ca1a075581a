package dev.catnap.testing;

import dev.catnap.spi.Timer;

/** An adapter's timer, of two lambdas. */
public final class TaskTimer extends Timer {
  private final Runnable task;
  private final Runnable ifRefused;

  public TaskTimer(Runnable task, Runnable ifRefused) {
    this.task = task;
    this.ifRefused = ifRefused;
  }

  /** One that is not refused. */
  public TaskTimer(Runnable task) {
    this(
        task,
        () -> {
          throw new AssertionError("refused");
        });
  }

  @Override
  public void run() {
    task.run();
  }

  @Override
  protected void refused() {
    ifRefused.run();
  }
}
