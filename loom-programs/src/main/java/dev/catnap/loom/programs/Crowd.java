package dev.catnap.loom.programs;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** The threads of one run, and how many of them were started, began and ended. Thread-safe. */
final class Crowd {
  private final ThreadFactory factory;
  private final Queue<Thread> threads = new ConcurrentLinkedQueue<>();
  private final LongAdder started = new LongAdder();
  private final LongAdder begun = new LongAdder();
  private final LongAdder ended = new LongAdder();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  Crowd(ThreadFactory factory) {
    this.factory = factory;
  }

  /** What a thread does. */
  interface Body {
    void run() throws Exception;
  }

  Thread start(Body body) {
    Thread thread = factory.newThread(() -> live(body));
    threads.add(thread); // before it starts: whoever joins the one that starts it sees it
    thread.start();
    started.increment();
    return thread;
  }

  private void live(Body body) {
    begun.increment();
    try {
      body.run();
      ended.increment();
    } catch (Throwable e) {
      failure.compareAndSet(null, e);
    }
  }

  /**
   * Waits for all, also for those that others start meanwhile.
   *
   * @throws IllegalStateException if one of them failed
   */
  void join() throws InterruptedException {
    for (Thread thread = threads.poll(); thread != null; thread = threads.poll()) {
      thread.join();
    }
    Throwable thrown = failure.get();
    if (thrown != null) {
      throw new IllegalStateException("a thread of the storm failed", thrown);
    }
  }

  /** After {@link #join}. */
  String account() {
    return account(started.sum(), begun.sum(), ended.sum());
  }

  /** The account of {@code threads} of which none is missing. */
  static String complete(long threads) {
    return account(threads, threads, threads);
  }

  private static String account(long started, long begun, long ended) {
    return "started " + started + ", begun " + begun + ", ended " + ended;
  }
}
