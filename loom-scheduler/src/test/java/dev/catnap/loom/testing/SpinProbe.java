package dev.catnap.loom.testing;

import dev.catnap.loom.CarrierPool;
import java.lang.reflect.Method;
import java.util.concurrent.ForkJoinWorkerThread;

/** Asks what {@code SynchronousQueue} asks in a virtual thread before it spins. */
public final class SpinProbe {
  private SpinProbe() {}

  /** In two virtual threads of a pool, one after the other. */
  public static void main(String[] args) {
    try (CarrierPool pool = CarrierPool.builder().parallelism(1).build()) {
      for (int i = 0; i < 2; i++) {
        Deadline.join(pool.ofVirtual().start(SpinProbe::ask));
      }
    }
  }

  private static void ask() {
    try {
      Method question = ForkJoinWorkerThread.class.getDeclaredMethod("hasKnownQueuedWork");
      question.setAccessible(true);
      System.out.println("something else to do: " + question.invoke(null));
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("not as on JDK 25 to 28", e);
    }
  }
}
