package dev.catnap.loom.testing;

import dev.catnap.ShutdownReport.Outcome;
import dev.catnap.WorkStealingScheduler;
import dev.catnap.loom.CarrierPool;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** Uses the common pool and ends it, or ends it and uses it: in a JVM that has no other. */
public final class CommonPoolProbe {
  private static final Duration LONG = Duration.ofSeconds(Deadline.SECONDS);

  private CommonPoolProbe() {}

  /** With an argument: ends it first. */
  public static void main(String[] args) throws Exception {
    Thread self = Thread.currentThread();
    ClassLoader own = CarrierPool.class.getClassLoader();
    try (var application = new URLClassLoader(new URL[0])) {
      self.setContextClassLoader(application);
      if (args.length == 0) {
        use(own);
        System.out.println(
            "loader of the caller: " + (self.getContextClassLoader() == application));
      } else {
        endsFirst();
      }
    }
  }

  private static void use(ClassLoader own) throws Exception {
    CarrierPool pool = CarrierPool.common();
    System.out.println("mode: " + pool.mode());
    Deadline.join(pool.ofVirtual().start(() -> {}));
    int one = pool.scheduler().schedule(() -> 1, 1, TimeUnit.MILLISECONDS).get();
    say("Catnap's loader: " + one, () -> threads().allMatch(t -> t.getContextClassLoader() == own));
    say("topmost group", () -> threads().allMatch(t -> isBelowTopmost(t.getThreadGroup())));
    AtomicBoolean woken = new AtomicBoolean();
    AtomicBoolean onWorker = new AtomicBoolean(true);
    Thread parked =
        pool.ofVirtual()
            .start(
                () -> {
                  while (!woken.get()) {
                    LockSupport.park();
                  }
                  onWorker.set(pool.scheduler().adapter().isWorker());
                });
    Deadline.until("it is parked", () -> parked.getState() == Thread.State.WAITING);
    end();
    woken.set(true);
    LockSupport.unpark(parked);
    Deadline.join(parked);
    say("goes on elsewhere", () -> !onWorker.get());
    refuses();
  }

  /**
   * Carriers are in a group that the JDK has for them; nobody else's is between it and the root.
   */
  private static boolean isBelowTopmost(ThreadGroup group) {
    ThreadGroup parent = group.getParent();
    return parent == null
        || (parent.getParent() == null && group.getName().equals("CarrierThreads"));
  }

  private static void endsFirst() {
    end();
    refuses();
    say(
        "no poller",
        () ->
            Thread.getAllStackTraces().keySet().stream()
                .noneMatch(t -> t.getName().contains("oller")));
  }

  private static void end() {
    var report = WorkStealingScheduler.shutdownCommon(LONG, LONG);
    say("ended", () -> report.outcome() == Outcome.DRAINED && threads().findAny().isEmpty());
  }

  private static void refuses() {
    say(
        "refused",
        () -> {
          try {
            Thread ignored = CarrierPool.common().ofVirtual().start(() -> {});
            return false;
          } catch (RejectedExecutionException e) {
            return true;
          }
        });
    say("no thread", () -> threads().findAny().isEmpty());
  }

  private static Stream<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(t -> t.getName().startsWith("catnap-") && t.isAlive());
  }

  private static void say(String what, BooleanSupplier holds) {
    System.out.println(what + ": " + holds.getAsBoolean());
  }
}
