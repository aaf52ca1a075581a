package dev.catnap.loom.programs;

import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Every wait with a time limit that Java has: half of the threads wait 1 to 9 ms for what never
 * comes, half an hour for what comes soon.
 */
record TimedWaitStorm(int threadsOfAKind) implements Storm {

  private static final class Counts {
    final LongAdder timedOut = new LongAdder();
    final LongAdder early = new LongAdder();
    final LongAdder opened = new LongAdder();
    final LongAdder late = new LongAdder();
  }

  @Override
  public String run(ThreadFactory factory) throws InterruptedException {
    List<TimedGate> stayClosed = TimedGate.ofEachKind();
    List<TimedGate> open = TimedGate.ofEachKind();
    Counts counts = new Counts();
    Crowd crowd = new Crowd(factory);
    for (int i = 0; i < threadsOfAKind; i++) {
      long limit = TimeUnit.MILLISECONDS.toNanos(1 + i % 9);
      stayClosed.forEach(gate -> crowd.start(() -> awaitInVain(gate, limit, counts)));
      open.forEach(gate -> crowd.start(() -> awaitOpening(gate, counts)));
    }
    open.forEach(TimedGate::open);
    crowd.join();
    return account(
        crowd.account(),
        counts.timedOut.sum(),
        counts.early.sum(),
        counts.opened.sum(),
        counts.late.sum());
  }

  private static void awaitInVain(TimedGate gate, long limit, Counts counts)
      throws InterruptedException {
    long start = System.nanoTime();
    if (!gate.await(limit)) {
      counts.timedOut.increment();
    }
    if (System.nanoTime() - start < limit) {
      counts.early.increment();
    }
  }

  private static void awaitOpening(TimedGate gate, Counts counts) throws InterruptedException {
    if (gate.await(TimeUnit.HOURS.toNanos(1))) {
      counts.opened.increment();
    } else {
      counts.late.increment();
    }
  }

  @Override
  public String expected() {
    long half = (long) threadsOfAKind * TimedGate.ofEachKind().size();
    return account(Crowd.complete(2 * half), half, 0, half, 0);
  }

  private static String account(String crowd, long timedOut, long early, long opened, long late) {
    return crowd
        + ", timed out "
        + timedOut
        + ", early "
        + early
        + ", opened "
        + opened
        + ", late "
        + late;
  }
}
