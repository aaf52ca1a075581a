package dev.catnap.loom.programs;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.LongAdder;

/** All threads are alive at once: none goes on before the last has come. */
record MultitudeStorm(int threads) implements Storm {

  @Override
  public String run(ThreadFactory factory) throws InterruptedException {
    CountDownLatch come = new CountDownLatch(threads);
    LongAdder wentOn = new LongAdder();
    Crowd crowd = new Crowd(factory);
    for (int i = 0; i < threads; i++) {
      crowd.start(
          () -> {
            come.countDown();
            come.await();
            wentOn.increment();
          });
    }
    crowd.join();
    return account(crowd.account(), wentOn.sum());
  }

  @Override
  public String expected() {
    return account(Crowd.complete(threads), threads);
  }

  private static String account(String crowd, long wentOn) {
    return crowd + ", went on " + wentOn;
  }
}
