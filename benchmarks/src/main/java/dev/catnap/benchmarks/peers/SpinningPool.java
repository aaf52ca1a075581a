package dev.catnap.benchmarks.peers;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Workers that never sleep: they look for tasks, with a spin hint in between, until closed. */
final class SpinningPool implements AutoCloseable {
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private volatile boolean closed;

  SpinningPool(int workers) {
    for (int i = 0; i < workers; i++) {
      Thread.ofPlatform().daemon().name("spinning-" + i).start(this::loop);
    }
  }

  private void loop() {
    while (!closed) {
      Runnable task = tasks.poll();
      if (task != null) {
        task.run();
      } else {
        Thread.onSpinWait();
      }
    }
  }

  void publish(Runnable task) {
    tasks.add(task);
  }

  @Override
  public void close() {
    closed = true;
  }
}
