package dev.catnap.samples.guide;

import dev.catnap.WorkStealingScheduler;
import dev.catnap.WorkerHooks;
import java.util.concurrent.atomic.LongAdder;

/** Hooks: each thread counts for itself, and hands over what it has when it falls idle. */
public final class HelloHooks {

  /** Of one thread, so that tasks need no atomic to count. */
  private static final ThreadLocal<long[]> OWN = ThreadLocal.withInitial(() -> new long[1]);

  private static final class HandOver implements WorkerHooks {
    final LongAdder total = new LongAdder();

    @Override
    public void onPark(int worker) {
      long[] own = OWN.get();
      total.add(own[0]);
      own[0] = 0;
    }

    @Override
    public void onThreadStop(int worker) {
      onPark(worker);
    }
  }

  public static void main(String[] args) {
    HandOver hooks = new HandOver();
    try (var scheduler =
        WorkStealingScheduler.builder().name("hello").parallelism(3).hooks(hooks).build()) {
      for (int i = 0; i < 10_000; i++) {
        scheduler.execute(() -> OWN.get()[0]++);
      }
    }
    System.out.println(hooks.total + " tasks counted");
  }
}
