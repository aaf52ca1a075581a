package dev.catnap.benchmarks.peers;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** One queue under a mutex, and a condition variable on which workers sleep at once. */
final class CondvarPool implements AutoCloseable {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition published = lock.newCondition();
  private final Deque<Runnable> tasks = new ArrayDeque<>();
  private final int workers;
  private int waiting;
  private boolean closed;

  CondvarPool(int workers) {
    this.workers = workers;
    for (int i = 0; i < workers; i++) {
      Thread.ofPlatform().daemon().name("condvar-" + i).start(this::loop);
    }
  }

  private void loop() {
    for (Runnable task = take(); task != null; task = take()) {
      task.run();
    }
  }

  /** Null at the end. */
  private @Nullable Runnable take() {
    lock.lock();
    try {
      while (tasks.isEmpty() && !closed) {
        waiting++;
        published.awaitUninterruptibly();
        waiting--;
      }
      return tasks.poll();
    } finally {
      lock.unlock();
    }
  }

  void publish(Runnable task) {
    lock.lock();
    try {
      tasks.add(task);
      published.signal();
    } finally {
      lock.unlock();
    }
  }

  boolean isIdle() {
    lock.lock();
    try {
      return waiting == workers && tasks.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      published.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
