package dev.catnap.lincheck.sample;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** Collects items and writes them in a task, one task at a time however many threads add. */
class Batcher<T> {
  private final Queue<T> items = new ConcurrentLinkedQueue<>();
  final AtomicBoolean scheduled = new AtomicBoolean();
  private final Executor executor;
  private final Consumer<T> sink;

  Batcher(Executor executor, Consumer<T> sink) {
    this.executor = executor;
    this.sink = sink;
  }

  /** Any thread. The item is written soon, without any further call. */
  void add(T item) {
    items.add(item);
    if (scheduled.compareAndSet(false, true)) {
      executor.execute(this::flush);
    }
  }

  /** First the flag, then the look: who adds after the look finds the flag down. */
  void flush() {
    scheduled.set(false);
    writeAll();
  }

  final void writeAll() {
    for (T item = items.poll(); item != null; item = items.poll()) {
      sink.accept(item);
    }
  }
}
