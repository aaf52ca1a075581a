package dev.catnap.lincheck.sample;

import dev.catnap.lincheck.Canary;
import dev.catnap.lincheck.ModelCheckedLatch;
import dev.catnap.lincheck.ModelCheckedScheduler;
import java.util.ArrayList;
import java.util.List;
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
    Canary.LOST_UPDATE_IN_THREADS.assertReported();
  }

  @Test
  void noItemIsLeftBehind() {
    Lincheck.runConcurrentTest(INVOCATIONS, () -> addWhileWriting(Batcher::new));
  }

  /** The check of the check: first the items, then the flag, and an item in between is left. */
  @Test
  void aBatcherThatLowersItsFlagAfterwardsIsReported() {
    Canary.assertReported(
        "hung",
        () -> Lincheck.runConcurrentTest(INVOCATIONS, () -> addWhileWriting(LateFlag::new)));
  }

  private static void addWhileWriting(Factory factory) {
    ModelCheckedScheduler checked = ModelCheckedScheduler.start(1);
    ModelCheckedLatch oneWritten = new ModelCheckedLatch();
    ModelCheckedLatch allWritten = new ModelCheckedLatch(4);
    Batcher<Integer> batcher =
        factory.make(
            checked.scheduler(),
            item -> {
              oneWritten.open();
              allWritten.open();
            });
    batcher.add(1);
    batcher.add(2);
    batcher.add(3);
    oneWritten.await();
    batcher.add(4); // in the middle of the flush
    allWritten.await(); // an item that is left behind is a hang, and Lincheck prints how
    checked.dismiss();
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
      List<Integer> batch;
      synchronized (this) {
        batch = items;
        items = new ArrayList<>();
      }
      batch.forEach(sink);
      synchronized (this) {
        scheduled = false;
      }
    }
  }
}
