package dev.catnap.loom.programs;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** Sleeps of 0 to 19 ms, two each; every tenth thread sleeps for an hour and is interrupted. */
record SleepStorm(int threads) implements Storm {
  private static final int INTERRUPTED_ONE_IN = 10;
  private static final int LONGEST_MILLIS = 20;

  @Override
  public String run(ThreadFactory factory) throws InterruptedException {
    LongAdder slept = new LongAdder();
    LongAdder early = new LongAdder();
    LongAdder interrupted = new LongAdder();
    List<Thread> forAnHour = new ArrayList<>();
    Crowd crowd = new Crowd(factory);
    for (int i = 0; i < threads; i++) {
      if (i % INTERRUPTED_ONE_IN == 0) {
        forAnHour.add(crowd.start(() -> sleepForAnHour(interrupted)));
        continue;
      }
      int millis = i % LONGEST_MILLIS;
      crowd.start(
          () -> {
            sleep(millis, early);
            sleep(LONGEST_MILLIS - 1 - millis, early);
            slept.increment();
          });
    }
    forAnHour.forEach(Thread::interrupt);
    crowd.join();
    return account(crowd.account(), slept.sum(), early.sum(), interrupted.sum());
  }

  private static void sleep(int millis, LongAdder early) throws InterruptedException {
    long start = System.nanoTime();
    Thread.sleep(millis);
    if (System.nanoTime() - start < TimeUnit.MILLISECONDS.toNanos(millis)) {
      early.increment();
    }
  }

  private static void sleepForAnHour(LongAdder interrupted) {
    try {
      Thread.sleep(TimeUnit.HOURS.toMillis(1));
    } catch (InterruptedException e) {
      interrupted.increment(); // that is what it waited for
    }
  }

  @Override
  public String expected() {
    int interrupted = (threads + INTERRUPTED_ONE_IN - 1) / INTERRUPTED_ONE_IN;
    return account(Crowd.complete(threads), threads - interrupted, 0, interrupted);
  }

  private static String account(String crowd, long slept, long early, long interrupted) {
    return crowd + ", slept " + slept + ", early " + early + ", interrupted " + interrupted;
  }
}
