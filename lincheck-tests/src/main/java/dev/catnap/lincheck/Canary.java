package dev.catnap.lincheck;

import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import org.jetbrains.lincheck.Lincheck;
import org.jetbrains.lincheck.LincheckAssertionError;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jspecify.annotations.Nullable;

/**
 * Races that Lincheck must report. A checker that has gone blind (another JDK, another way of
 * starting threads) passes every test; with a canary in every suite it does not go unnoticed.
 *
 * <p>Each constant is one way in which a test can reach shared state. Lincheck checks one thing at
 * a time in a JVM, so the methods must not be called concurrently.
 */
public enum Canary {

  /** Two operations of a checked class increment a field. */
  LOST_UPDATE_IN_OPERATIONS("Invalid execution results") {
    @Override
    void fly() {
      new ModelCheckingOptions()
          .iterations(1)
          .invocationsPerIteration(INVOCATIONS)
          .threads(2)
          .actorsPerThread(1)
          .actorsBefore(0)
          .actorsAfter(0)
          .minimizeFailedScenario(false)
          .check(Counter.class);
    }
  },

  /** Two threads increment a field of an object that only a {@code Thread} subclass holds. */
  LOST_UPDATE_IN_THREADS("one update is lost") {
    @Override
    void fly() {
      Lincheck.runConcurrentTest(INVOCATIONS, Canary::loseUpdateInThreads);
    }
  },

  /** Two tasks increment fields on the workers of a {@link ModelCheckedScheduler}. */
  LOST_UPDATE_IN_TASKS("one update is lost") {
    @Override
    void fly() {
      Lincheck.runConcurrentTest(INVOCATIONS, Canary::loseUpdateInTasks);
    }
  },

  /** A flag is looked at before the waiter says that it waits: check, then park. */
  LOST_WAKEUP("hung") {
    @Override
    void fly() {
      Lincheck.runConcurrentTest(INVOCATIONS, Canary::loseWakeup);
    }
  };

  /** Room: each change of the scheduler moves the place where the rarest is found. */
  private static final int INVOCATIONS = 3_000;

  /** A run of a scheduler has thousands of places for a switch, and an increment one. */
  private static final int COUNTERS_IN_TASKS = 16;

  private final String evidence;

  Canary(String evidence) {
    this.evidence = evidence;
  }

  /** Has Lincheck explore the race; throws what it reports. */
  abstract void fly();

  /**
   * Checks that Lincheck reports this race.
   *
   * @throws AssertionError if it does not
   */
  public void assertReported() {
    assertReported(evidence, this::fly);
  }

  /**
   * Checks that Lincheck reports each of the races.
   *
   * @throws AssertionError if it does not, naming the first that it missed
   */
  public static void assertAllReported() {
    for (Canary canary : values()) {
      canary.assertReported();
    }
  }

  /**
   * Checks that Lincheck reports a race: for weakened twins of tests of one's own.
   *
   * @param evidence what the report must contain, so that another failure is not taken for it
   * @param check runs Lincheck
   * @throws AssertionError if it does not
   */
  public static void assertReported(String evidence, Runnable check) {
    try {
      check.run();
    } catch (LincheckAssertionError report) {
      String text = String.valueOf(report.getMessage());
      if (text.contains(evidence)) {
        return;
      }
      throw new AssertionError(
          "reported, but not because of \"" + evidence + "\": " + text, report);
    }
    throw new AssertionError(
        "Lincheck missed a race on Java " + Runtime.version() + ": expected \"" + evidence + '"');
  }

  /** An operation class with a race. */
  public static final class Counter {
    private int value;

    /** Nothing counted. */
    public Counter() {}

    /**
     * Counts, but not atomically.
     *
     * @return the count
     */
    @Operation
    public int increment() {
      return ++value;
    }
  }

  private static void loseUpdateInThreads() {
    Counter counter = new Counter();
    Thread other = new Incrementer(counter);
    other.start();
    counter.increment();
    join(other);
    check(counter);
  }

  private static void loseUpdateInTasks() {
    Counter[] counters = new Counter[COUNTERS_IN_TASKS];
    Arrays.setAll(counters, i -> new Counter());
    ModelCheckedLatch both = new ModelCheckedLatch(2);
    Runnable task =
        () -> {
          for (Counter counter : counters) {
            counter.increment();
          }
          both.open();
        };
    ModelCheckedScheduler checked = ModelCheckedScheduler.start(2);
    checked.scheduler().execute(task);
    checked.scheduler().execute(task);
    both.await();
    checked.dismiss();
    for (Counter counter : counters) {
      check(counter);
    }
  }

  private static void check(Counter counter) {
    if (counter.value != 2) {
      throw new AssertionError("one update is lost");
    }
  }

  private static final class Incrementer extends Thread {
    private final Counter counter;

    Incrementer(Counter counter) {
      super(null, null, "incrementer", 0, false);
      this.counter = counter;
      setDaemon(true);
    }

    @Override
    public void run() {
      counter.increment();
    }
  }

  private static void loseWakeup() {
    Waiter waiter = new Waiter();
    Thread thread = waiter;
    thread.start();
    waiter.openGate();
    join(thread);
  }

  /** Should say that it is blocked, and then look at the gate. */
  private static final class Waiter extends Thread {
    private volatile boolean open;
    private volatile boolean blocked;

    Waiter() {
      super(null, null, "waiter", 0, false);
      setDaemon(true);
    }

    @Override
    public void run() {
      if (!open) {
        blocked = true;
        while (blocked) { // cleared by the waker only, so a spurious return does not help
          LockSupport.park(this);
        }
      }
    }

    void openGate() {
      open = true;
      if (blocked) {
        blocked = false;
        LockSupport.unpark(this);
      }
    }
  }

  /** On the type {@code Thread}: Lincheck does not see {@code join} of a subclass. */
  static void join(@Nullable Thread thread) {
    if (thread == null) {
      return;
    }
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError("nobody interrupts here", e);
    }
  }
}
