package dev.catnap.lincheck.sample;

import dev.catnap.lincheck.Canary;
import dev.catnap.lincheck.ModelCheckedLatch;
import dev.catnap.lincheck.ModelCheckedScheduler;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jetbrains.lincheck.Lincheck;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Every item that was added is written, though nobody adds another one. */
class BatcherTest {
  private static final int INVOCATIONS = 200;

  /** A checker that misses these races on this JDK proves nothing. */
  @BeforeAll
  static void lincheckSeesRaces() {
    Canary.LOST_WAKEUP.assertReported();
    Canary.LOST_UPDATE_IN_TASKS.assertReported();
  }

  @Test
  void noItemIsLeftBehind() {
    Lincheck.runConcurrentTest(INVOCATIONS, () -> addTwice(Batcher::new));
  }

  /** The check of the check: look first, then the flag, and an item in between waits for ever. */
  @Test
  void aBatcherThatLooksBeforeItLowersItsFlagIsReported() {
    Canary.assertReported(
        "hung", () -> Lincheck.runConcurrentTest(INVOCATIONS, () -> addTwice(LateFlag::new)));
  }

  private static void addTwice(Factory factory) {
    // One worker, and it is in the middle of its flush when the second item comes: the waits that
    // the
    // check makes anyway bring both threads close to the race.
    try (ModelCheckedScheduler checked = ModelCheckedScheduler.start(1)) {
      ModelCheckedLatch oneWritten = new ModelCheckedLatch();
      ModelCheckedLatch bothWritten = new ModelCheckedLatch(2);
      Batcher<Integer> batcher =
          factory.make(
              checked.scheduler(),
              item -> {
                bothWritten.open();
                if (item == 1) {
                  oneWritten.open();
                }
              });
      batcher.add(1);
      oneWritten.await();
      batcher.add(2);
      bothWritten.await(); // an item that is left behind is a hang, and Lincheck prints how
    }
  }

  private interface Factory {
    Batcher<Integer> make(Executor executor, Consumer<Integer> sink);
  }

  private static final class LateFlag extends Batcher<Integer> {
    LateFlag(Executor executor, Consumer<Integer> sink) {
      super(executor, sink);
    }

    @Override
    void flush() {
      writeAll();
      scheduled.set(false);
    }
  }
}
