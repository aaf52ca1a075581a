package dev.catnap.loom.programs;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Threads in a ring hand tokens on, by {@code unpark}; who has none is parked. A wake that is lost
 * stops the ring, a token that is taken twice is missing at the end.
 */
record ParkStorm(int threads, int tokens, int laps) implements Storm {

  private static final class Seat {
    final AtomicInteger tokens = new AtomicInteger();

    /** Set before the first token is there. */
    volatile @Nullable Thread thread;

    void take() {
      while (tokens.get() == 0) {
        LockSupport.park();
      }
      tokens.decrementAndGet();
    }

    void give() {
      tokens.incrementAndGet();
      LockSupport.unpark(thread);
    }
  }

  @Override
  public String run(ThreadFactory factory) throws InterruptedException {
    Seat[] ring = new Seat[threads];
    for (int i = 0; i < threads; i++) {
      ring[i] = new Seat();
    }
    LongAdder steps = new LongAdder();
    Crowd crowd = new Crowd(factory);
    for (int i = 0; i < threads; i++) {
      Seat mine = ring[i];
      Seat next = ring[(i + 1) % threads];
      mine.thread =
          crowd.start(
              () -> {
                for (int n = tokens * laps; n > 0; n--) {
                  mine.take();
                  next.give();
                  steps.increment();
                }
              });
    }
    for (int i = 0; i < tokens; i++) {
      ring[0].give();
    }
    crowd.join();
    return account(crowd.account(), steps.sum(), ring[0].tokens.get());
  }

  @Override
  public String expected() {
    return account(Crowd.complete(threads), (long) threads * tokens * laps, tokens);
  }

  private static String account(String crowd, long steps, int left) {
    return crowd + ", steps " + steps + ", tokens left " + left;
  }
}
