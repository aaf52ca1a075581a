package dev.catnap.loom.programs;

import java.util.concurrent.ThreadFactory;

/**
 * Threads enter two of a few monitors, one inside the other, and count there without any other
 * guard; in between some yield, so that others collide.
 */
record MonitorStorm(int threads, int rounds) implements Storm {
  private static final int MONITORS = 8;

  private static final class Guarded {
    long count;
  }

  @Override
  public String run(ThreadFactory factory) throws InterruptedException {
    Guarded[] monitors = new Guarded[MONITORS];
    for (int i = 0; i < MONITORS; i++) {
      monitors[i] = new Guarded();
    }
    Crowd crowd = new Crowd(factory);
    for (int i = 0; i < threads; i++) {
      int number = i;
      crowd.start(
          () -> {
            for (int n = 0; n < rounds; n++) {
              // In the order of their numbers, or they would deadlock.
              int lower = (number + n) % (MONITORS - 1);
              enter(monitors[lower], monitors[lower + 1], n % 10 == 0);
            }
          });
    }
    crowd.join();
    long entries = 0;
    for (Guarded monitor : monitors) {
      synchronized (monitor) {
        entries += monitor.count;
      }
    }
    return account(crowd.account(), entries);
  }

  private static void enter(Guarded outer, Guarded inner, boolean yield) {
    synchronized (outer) {
      long seen = outer.count;
      synchronized (inner) {
        long seenInside = inner.count;
        if (yield) {
          Thread.yield();
        }
        inner.count = seenInside + 1;
      }
      outer.count = seen + 1;
    }
  }

  @Override
  public String expected() {
    return account(Crowd.complete(threads), 2L * threads * rounds);
  }

  private static String account(String crowd, long entries) {
    return crowd + ", entries " + entries;
  }
}
