package dev.catnap.benchmarks.peers;

import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A thread that parks until it is handed a task: as little as waking a thread can cost. */
final class ParkedThread implements AutoCloseable {
  private final AtomicReference<@Nullable Runnable> handed = new AtomicReference<>();
  private final Thread thread = Thread.ofPlatform().daemon().name("parked").start(this::loop);
  private volatile boolean closed;

  private void loop() {
    while (!closed) {
      Runnable task = handed.getAndSet(null);
      if (task != null) {
        task.run();
      } else {
        LockSupport.park(this);
      }
    }
  }

  /** Hands over one task, when the one before has begun. By one thread. */
  void publish(Runnable task) {
    while (handed.get() != null) {
      Thread.onSpinWait();
    }
    handed.set(task);
    LockSupport.unpark(thread);
  }

  boolean isParked() {
    return thread.getState() == Thread.State.WAITING;
  }

  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
  }
}
