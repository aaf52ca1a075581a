package dev.catnap.loom.programs;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.LongAdder;

/** Threads that start ten each, down to the leaves, which yield and add up their numbers. */
record TreeStorm(int leaves) implements Storm {
  private static final int BRANCHES = 10;

  @Override
  public String run(ThreadFactory factory) throws InterruptedException {
    LongAdder sum = new LongAdder();
    Crowd crowd = new Crowd(factory);
    crowd.start(() -> grow(crowd, 0, leaves, sum));
    crowd.join();
    return account(crowd.account(), sum.sum());
  }

  private static void grow(Crowd crowd, long first, int count, LongAdder sum) {
    if (count == 1) {
      Thread.yield();
      sum.add(first);
      return;
    }
    int each = count / BRANCHES;
    for (int i = 0; i < BRANCHES; i++) {
      long start = first + (long) i * each;
      crowd.start(() -> grow(crowd, start, each, sum));
    }
  }

  @Override
  public String expected() {
    long threads = 0;
    for (long level = 1; level <= leaves; level *= BRANCHES) {
      threads += level;
    }
    return account(Crowd.complete(threads), (long) leaves * (leaves - 1) / 2);
  }

  private static String account(String crowd, long sum) {
    return crowd + ", sum " + sum;
  }
}
