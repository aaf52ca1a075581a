package dev.catnap.samples.guide;

import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * Long computations, so many at every moment until they are stopped. Each is some tasks, all of
 * which are published at once, or a single one; the next begins when all of them have run.
 */
final class Computations implements AutoCloseable {
  private final Executor executor;
  private final int atOnce;
  private final int parts;
  private final int unitsOfPart;
  private final long resultOfPart;
  private final LongAdder ended = new LongAdder();
  private final LongAdder partsRun = new LongAdder();
  private final LongAdder wrong = new LongAdder();
  private final LongAdder cpuNanos = new LongAdder();
  private final Semaphore stopped = new Semaphore(0);
  private volatile boolean over;

  /**
   * Begins them.
   *
   * @param executor runs the parts
   * @param atOnce so many computations
   * @param parts of each
   * @param unitsOfPart units of work of each part
   */
  Computations(Executor executor, int atOnce, int parts, int unitsOfPart) {
    this.executor = executor;
    this.atOnce = atOnce;
    this.parts = parts;
    this.unitsOfPart = unitsOfPart;
    resultOfPart = Work.of(unitsOfPart, unitsOfPart);
    for (int i = 0; i < atOnce; i++) {
      new Computation().begin();
    }
  }

  private final class Computation implements Runnable {
    private final AtomicInteger left = new AtomicInteger();

    void begin() {
      left.set(parts);
      for (int i = 0; i < parts; i++) {
        executor.execute(this);
      }
    }

    @Override
    public void run() {
      long before = Work.cpuNanos();
      if (Work.of(unitsOfPart, unitsOfPart) != resultOfPart) {
        wrong.increment();
      }
      cpuNanos.add(Work.cpuNanos() - before);
      partsRun.increment();
      if (left.decrementAndGet() != 0) {
        return;
      }
      ended.increment();
      if (over) {
        stopped.release();
      } else {
        begin();
      }
    }
  }

  /** What has run until now, in computations: two halves are one. */
  double done() {
    return (double) partsRun.sum() / parts;
  }

  /** Lets each computation come to its end, and no other begin. */
  @Override
  public void close() {
    over = true;
    stopped.acquireUninterruptibly(atOnce);
    if (partsRun.sum() != ended.sum() * parts || wrong.sum() != 0) {
      throw new IllegalStateException(
          partsRun + " parts of " + ended + " computations, " + wrong + " of them wrong");
    }
  }

  /** How many there were; {@code atOnce} at least, when they are closed. */
  long ended() {
    return ended.sum();
  }

  /** CPU time of a unit of work. */
  double unitNanos() {
    return (double) cpuNanos.sum() / partsRun.sum() / unitsOfPart;
  }
}
