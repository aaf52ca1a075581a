package dev.catnap.lincheck;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/** A thread that gives one task to an executor. */
final class Submitter extends Thread {
  private final Executor executor;
  private final Runnable task;
  private boolean accepted;

  private Submitter(Executor executor, Runnable task) {
    super(null, null, "submitter", 0, false);
    setDaemon(true);
    this.executor = executor;
    this.task = task;
  }

  static Submitter start(Executor executor, Runnable task) {
    Submitter submitter = new Submitter(executor, task);
    Thread thread = submitter;
    thread.start();
    return submitter;
  }

  /** After it was joined: whether the task was accepted; else it was refused. */
  boolean accepted() {
    return accepted;
  }

  @Override
  public void run() {
    try {
      executor.execute(task);
      accepted = true;
    } catch (RejectedExecutionException e) {
      accepted = false;
    }
  }
}
