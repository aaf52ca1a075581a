package dev.catnap.loom.testing;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Two virtual threads that yield to each other on one carrier, and a third one that was started
 * from outside before. The trace is the same each time, but not the same on each scheduler. A main
 * class as well: there it runs on the JDK's own.
 */
public final class YieldScript {
  private final Queue<String> trace = new ConcurrentLinkedQueue<>();
  private final CountDownLatch onCarrier = new CountDownLatch(1);
  private volatile boolean startedC;

  private YieldScript() {}

  /** Prints the trace of the JDK's default scheduler. */
  public static void main(String[] args) {
    run(Thread.ofVirtual()).forEach(System.out::println);
  }

  /** Runs it. */
  public static List<String> run(Thread.Builder.OfVirtual builder) {
    YieldScript script = new YieldScript();
    script.all(builder);
    return List.copyOf(script.trace);
  }

  /** B has the carrier until C waits for it, then unparks A. */
  private void all(Thread.Builder.OfVirtual builder) {
    Thread a =
        builder.start(
            () -> {
              LockSupport.park();
              yieldThrice("A");
            });
    Deadline.until("A is parked", () -> a.getState() == Thread.State.WAITING);
    Thread b =
        builder.start(
            () -> {
              onCarrier.countDown();
              keepCarrier();
              LockSupport.unpark(a);
              Thread.yield();
              yieldThrice("B");
            });
    Deadline.await("B runs", onCarrier);
    Thread c = builder.start(() -> trace.add("C"));
    startedC = true;
    Deadline.join(a, b, c);
  }

  private void yieldThrice(String name) {
    for (int i = 0; i < 3; i++) {
      trace.add(name + i);
      Thread.yield();
    }
  }

  private void keepCarrier() {
    long start = System.nanoTime();
    while (!startedC) {
      if (System.nanoTime() - start > TimeUnit.SECONDS.toNanos(Deadline.SECONDS)) {
        throw new AssertionError("not started: C");
      }
      Thread.onSpinWait();
    }
  }
}
