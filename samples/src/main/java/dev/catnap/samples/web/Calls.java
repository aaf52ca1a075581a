package dev.catnap.samples.web;

import dev.catnap.loom.CarrierPool;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/** How many requests came, how many are being handled, and what the pool does meanwhile. */
public final class Calls {
  private final CarrierPool pool;
  private final AtomicLong received = new AtomicLong();
  private final AtomicInteger open = new AtomicInteger();

  public Calls(CarrierPool pool) {
    this.pool = pool;
  }

  public void begin() {
    received.incrementAndGet();
    open.incrementAndGet();
  }

  public void end() {
    open.decrementAndGet();
  }

  public int open() {
    return open.get();
  }

  /** Line by line. */
  public String describe() {
    var stats = pool.scheduler().stats();
    String workers =
        stats.workers().stream()
            .map(w -> w.threadName() + " " + w.state() + " executed " + w.executed() + "\n")
            .collect(Collectors.joining());
    return """
    received %d
    open %d
    mode %s
    parallelism %d
    threads %d
    executed %d
    stolen %d
    wakes %d
    timers %d
    %s\
    """
        .formatted(
            received.get(),
            open.get(),
            pool.mode(),
            stats.parallelism(),
            stats.threads(),
            stats.executed(),
            stats.stolen(),
            stats.wakes(),
            stats.armedTimers(),
            workers);
  }
}
