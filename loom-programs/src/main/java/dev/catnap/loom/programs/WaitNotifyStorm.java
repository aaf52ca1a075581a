package dev.catnap.loom.programs;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.LongAdder;

/**
 * Producers and consumers around a small buffer, with {@code wait} and {@code notifyAll}. On JDK 21
 * a thread in {@code wait} holds its carrier, so there must be fewer pairs than carriers may be.
 */
record WaitNotifyStorm(int pairs, int items) implements Storm {
  private static final int CAPACITY = 4;

  private static final class Buffer {
    private final int[] items = new int[CAPACITY];
    private int size;

    synchronized void put(int item) throws InterruptedException {
      while (size == CAPACITY) {
        wait();
      }
      items[size++] = item;
      notifyAll();
    }

    synchronized int take() throws InterruptedException {
      while (size == 0) {
        wait(1_000); // with a limit, to be armed and disarmed as well
      }
      notifyAll();
      return items[--size];
    }
  }

  @Override
  public String run(ThreadFactory factory) throws InterruptedException {
    Buffer buffer = new Buffer();
    LongAdder taken = new LongAdder();
    LongAdder sum = new LongAdder();
    Crowd crowd = new Crowd(factory);
    for (int i = 0; i < pairs; i++) {
      crowd.start(
          () -> {
            for (int n = 0; n < items; n++) {
              sum.add(buffer.take());
              taken.increment();
            }
          });
      crowd.start(
          () -> {
            for (int n = 0; n < items; n++) {
              buffer.put(n);
            }
          });
    }
    crowd.join();
    return account(crowd.account(), taken.sum(), sum.sum());
  }

  @Override
  public String expected() {
    long each = (long) items * (items - 1) / 2;
    return account(Crowd.complete(2L * pairs), (long) pairs * items, pairs * each);
  }

  private static String account(String crowd, long taken, long sum) {
    return crowd + ", taken " + taken + ", sum " + sum;
  }
}
