package dev.catnap.agent.testing;

import dev.catnap.loom.CarrierPool;
import dev.catnap.spi.WorkerThread;
import java.util.concurrent.CountDownLatch;

/** An application that uses Catnap itself. */
public final class BringsItsOwn {
  private BringsItsOwn() {}

  /** Prints which workers carry. */
  public static void main(String[] arguments) throws Exception {
    Thread.ofVirtual().start(() -> report("default")).join();
    CountDownLatch closed = new CountDownLatch(1);
    Thread parked;
    try (CarrierPool pool = CarrierPool.builder().name("own").parallelism(1).build()) {
      pool.ofVirtual().start(() -> report("own")).join();
      parked =
          pool.ofVirtual()
              .start(
                  () -> {
                    await(closed);
                    report("after close");
                  });
      while (parked.getState() != Thread.State.WAITING) {
        Thread.onSpinWait();
      }
    }
    System.out.println("another class " + isAnotherClass());
    closed.countDown();
    parked.join();
  }

  private static void report(String what) {
    String thread = Thread.currentThread().toString();
    System.out.println(
        what + " on " + thread.substring(thread.indexOf('@') + 1).replaceFirst("[0-9]+$", "N"));
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** The workers of the agent are no workers to the application's Catnap. */
  private static boolean isAnotherClass() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("catnap-virtual-worker"))
        .noneMatch(WorkerThread.class::isInstance);
  }
}
