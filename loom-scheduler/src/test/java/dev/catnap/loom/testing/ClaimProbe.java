package dev.catnap.loom.testing;

import dev.catnap.WorkStealingScheduler;
import dev.catnap.loom.CarrierPool;
import dev.catnap.loom.CarrierPool.Mode;
import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Publishes to sleeping workers at every depth of a recursion, in a JVM whose {@code
 * LockSupport.unpark} is compiled, with all that may be compiled into it.
 */
public final class ClaimProbe {
  private static final int HOT = 5_000;

  /** In one of ten the workers happen to be awake at the one depth. */
  private static final int TRIES = 4;

  private static volatile boolean over;
  private static volatile long ran;

  private ClaimProbe() {}

  /**
   * Compiles at once, with the profile of the interpreter, and as much into one as there is; but
   * {@code unpark} for itself. What is between a claim and that is interpreted, and so is the
   * recursion: so its steps are smaller than what is between, and one of them meets the place.
   */
  public static List<String> options() {
    return ForkedJvm.onClassPath(
        "--add-opens=java.base/java.lang=ALL-UNNAMED",
        "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED",
        "-Xbatch",
        "-XX:-TieredCompilation",
        "-XX:CompileThreshold=2000",
        "-XX:InlineSmallCode=100000",
        "-XX:MaxInlineLevel=30",
        "-XX:CompileCommand=quiet",
        "-XX:CompileCommand=dontinline,java.util.concurrent.locks.LockSupport::unpark",
        "-XX:CompileCommand=exclude,dev.catnap.internal.sleep.Sleep::*",
        "-XX:CompileCommand=exclude,dev.catnap.spi.Parker*::*",
        "-XX:CompileCommand=exclude,dev.catnap.loom.testing.ClaimProbe::*");
  }

  /** Prints whether all workers run afterwards. */
  public static void main(String[] args) throws Exception {
    CarrierPool pool = Modes.pool(Mode.valueOf(args[0]), 2);
    unparkHotly(pool);
    boolean bothRun = true;
    for (int i = 0; bothRun && i < TRIES; i++) {
      Thread deep = new Thread(null, () -> publishToTheEnd(pool.scheduler()), "deep", 256 * 1024);
      deep.start();
      Deadline.join(deep);
      bothRun = bothRun(pool);
    }
    System.out.println(bothRun ? "both workers run" : "a worker that was claimed sleeps");
    System.exit(0); // a pool whose worker sleeps cannot be closed
  }

  /** Of the pool's virtual threads, and of plain ones, as publishes do. */
  private static void unparkHotly(CarrierPool pool) throws ReflectiveOperationException {
    Method unpark = LockSupport.class.getMethod("unpark", Thread.class);
    Thread thread =
        pool.ofVirtual()
            .start(
                () -> {
                  while (!over) {
                    LockSupport.park();
                  }
                });
    for (int i = 0; i < HOT; i++) {
      while (thread.getState() != Thread.State.WAITING) {
        Thread.onSpinWait(); // nothing is submitted for one that has not parked
      }
      unpark.invoke(null, thread);
      unpark.invoke(null, Thread.currentThread());
    }
    over = true;
    unpark.invoke(null, thread);
    Deadline.join(thread);
  }

  private static void publishToTheEnd(WorkStealingScheduler scheduler) {
    try {
      long ignored = publishBelow(scheduler, 0);
    } catch (StackOverflowError refused) {
      return; // by a publish, which has changed nothing yet, or between two
    }
  }

  @SuppressWarnings("InfiniteRecursion")
  private static long publishBelow(WorkStealingScheduler scheduler, long depth) {
    while (scheduler.stats().parkedWorkers() < 2) {
      Thread.onSpinWait(); // a publish that finds nobody asleep claims nobody
    }
    scheduler.execute(() -> ran = depth);
    return publishBelow(scheduler, depth + 1) + 1;
  }

  /** Each waits for the other, so one worker does not do. */
  private static boolean bothRun(CarrierPool pool) throws InterruptedException {
    CountDownLatch both = new CountDownLatch(2);
    for (int i = 0; i < 2; i++) {
      pool.scheduler()
          .execute(
              () -> {
                both.countDown();
                awaitUninterrupted(both);
              });
    }
    return both.await(Deadline.SECONDS / 2, TimeUnit.SECONDS);
  }

  private static void awaitUninterrupted(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted by nobody", e);
    }
  }
}
