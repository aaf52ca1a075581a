package dev.catnap.lincheck.sample;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/** Collects items and writes them in a task, one task at a time however many threads add. */
class Batcher<T> {
  private final Executor executor;
  final Consumer<T> sink;
  List<T> items = new ArrayList<>();
  boolean scheduled;

  Batcher(Executor executor, Consumer<T> sink) {
    this.executor = executor;
    this.sink = sink;
  }

  /** Any thread. The item is written soon, without any further call. */
  final void add(T item) {
    boolean first;
    synchronized (this) {
      items.add(item);
      first = !scheduled;
      scheduled = true;
    }
    if (first) {
      executor.execute(this::flush);
    }
  }

  /** Writes until nothing is left. Who adds meanwhile sees the flag up, and relies on it. */
  void flush() {
    for (List<T> batch = takeOrEnd(); !batch.isEmpty(); batch = takeOrEnd()) {
      batch.forEach(sink);
    }
  }

  /** One step: were the flag lowered in another, an item added between the two would be left. */
  private synchronized List<T> takeOrEnd() {
    List<T> batch = items;
    items = new ArrayList<>();
    scheduled = !batch.isEmpty();
    return batch;
  }
}
