package dev.catnap.benchmarks.workloads;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The virtual threads of one workload. Not thread-safe: one thread, which may be a virtual one,
 * starts and joins them.
 */
final class Crew {
  private final Supplier<Thread.Builder.OfVirtual> threads;
  private final List<Thread> started = new ArrayList<>();
  private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();

  /** What a thread does. */
  @FunctionalInterface
  interface Body {
    /** Throws if it fails; {@link Crew#join} says so. */
    void run() throws Exception;
  }

  Crew(Supplier<Thread.Builder.OfVirtual> threads) {
    this.threads = threads;
  }

  void start(Body body) {
    started.add(threads.get().start(() -> run(body)));
  }

  private void run(Body body) {
    try {
      body.run();
    } catch (Exception e) {
      failure.compareAndSet(null, e);
    }
  }

  /** Waits for all of them. */
  void join() throws InterruptedException {
    for (Thread thread : started) {
      thread.join();
    }
    Exception first = failure.get();
    if (first != null) {
      throw new IllegalStateException("a virtual thread failed: " + first, first);
    }
  }
}
