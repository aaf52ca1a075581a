package dev.catnap;

import dev.catnap.spi.Placement;
import dev.catnap.testing.Await;
import dev.catnap.testing.NoThreadLeft;
import dev.catnap.testing.Sections;
import dev.catnap.testing.TestPools;
import java.lang.ref.WeakReference;
import java.util.concurrent.CountDownLatch;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** G4: what the last task was, and all that it refers to, is not kept by a pool that is idle. */
@ExtendWith(NoThreadLeft.class)
class LastTaskTest {

  /** So that nothing in the frame of the test refers to the task. */
  private static WeakReference<Runnable> run(
      WorkStealingScheduler scheduler, BiConsumer<WorkStealingScheduler, Runnable> publish) {
    CountDownLatch ran = new CountDownLatch(1);
    Runnable task = ran::countDown;
    publish.accept(scheduler, task);
    Await.latch("the last task", ran, scheduler::stats);
    return new WeakReference<>(task);
  }

  private static void assertCollected(
      WorkStealingScheduler.Builder builder, BiConsumer<WorkStealingScheduler, Runnable> publish) {
    try (var scheduler = builder.build()) {
      WeakReference<Runnable> last = run(scheduler, publish);
      Quiescence.await(scheduler);
      Await.until(
          "the collector has taken the last task",
          () -> {
            System.gc();
            return last.get() == null;
          },
          scheduler::stats);
    }
  }

  @Test
  void oneFromOutside() {
    assertCollected(TestPools.withoutSpares(2), WorkStealingScheduler::execute);
  }

  @Test
  void oneFromTheSlot() {
    assertCollected(
        TestPools.withoutSpares(1),
        (scheduler, task) ->
            scheduler.execute(() -> scheduler.adapter().publish(task, Placement.NEXT)));
  }

  @Test
  void oneFromTheQueue() {
    assertCollected(
        TestPools.withoutSpares(1),
        (scheduler, task) ->
            scheduler.execute(() -> scheduler.adapter().publish(task, Placement.QUEUED)));
  }

  @Test
  void oneThatWasConfined() {
    assertCollected(
        TestPools.withoutSpares(2), (scheduler, task) -> scheduler.confinedTo(1).execute(task));
  }

  /** Of a spare that is parked. */
  @Test
  void oneThatASpareWasCalledFor() {
    assertCollected(
        TestPools.withDeclaredSparesOnly(1),
        (scheduler, task) -> {
          CountDownLatch over = new CountDownLatch(1);
          scheduler.execute(
              () -> {
                scheduler
                    .adapter()
                    .publishDeclared(
                        () -> {
                          Sections.block(scheduler, task);
                          over.countDown();
                        },
                        Placement.QUEUED);
                Await.quietly(over);
              });
        });
  }

  @Test
  void oneOfALane() {
    assertCollected(
        TestPools.withDeclaredSparesOnly(1),
        (scheduler, task) -> scheduler.blockingLane("last", 1, 1).execute(task));
  }
}
