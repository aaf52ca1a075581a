package dev.catnap.internal.metrics;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * A count that many threads add to. To add never fails: a {@link LongAdder} makes room where
 * threads meet, and who counts has just published a task, which must neither stay without a wake
 * nor be told as refused for want of that memory. Thread-safe.
 */
public final class SharedCount {
  private final LongAdder adder;

  /** What there was no room for. */
  private final AtomicLong rest = new AtomicLong();

  /** Zero. */
  public SharedCount() {
    this(new LongAdder());
  }

  SharedCount(LongAdder adder) {
    this.adder = adder;
  }

  /** Any thread. */
  public void increment() {
    add(1);
  }

  /** Any thread. */
  public void add(long n) {
    try {
      adder.add(n);
    } catch (OutOfMemoryError e) { // it makes room first, and then adds
      rest.getAndAdd(n);
    }
  }

  /** Any thread; exact when nobody adds. */
  public long sum() {
    return adder.sum() + rest.get();
  }
}
