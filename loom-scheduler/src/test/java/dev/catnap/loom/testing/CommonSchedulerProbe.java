package dev.catnap.loom.testing;

import dev.catnap.WorkStealingScheduler;
import dev.catnap.loom.CarrierPool;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

/**
 * Uses the common scheduler for tasks alone, as coroutines do, and only then its virtual threads.
 */
public final class CommonSchedulerProbe {
  private CommonSchedulerProbe() {}

  /** One line per property. */
  public static void main(String[] args) throws Exception {
    say("carriers", CommonSchedulerProbe::isCarrier);
    say("parallel sum", () -> IntStream.range(0, 1_000).parallel().sum());
    say("a virtual thread is on a worker", () -> isOnWorker(Thread.ofVirtual()));
    System.out.println("pollers: " + isPolled());
    System.out.println("then one of the pool is: " + isOnWorker(CarrierPool.common().ofVirtual()));
  }

  /** What a task has found. */
  private static void say(String what, Callable<?> task) throws Exception {
    Object result =
        WorkStealingScheduler.common().submit(task).get(Deadline.SECONDS, TimeUnit.SECONDS);
    System.out.println(what + ": " + result);
  }

  private static boolean isCarrier() {
    return Thread.currentThread()
        .getClass()
        .getSuperclass()
        .getName()
        .equals("jdk.internal.misc.CarrierThread");
  }

  private static boolean isOnWorker(Thread.Builder.OfVirtual where) {
    AtomicBoolean onWorker = new AtomicBoolean();
    Deadline.join(
        where.start(() -> onWorker.set(WorkStealingScheduler.common().adapter().isWorker())));
    return onWorker.get();
  }

  private static boolean isPolled() {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(t -> t.getName().contains("oller"));
  }
}
