package dev.catnap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.testing.Await;
import dev.catnap.testing.NoThreadLeft;
import dev.catnap.testing.TestScale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Schedulers whose tasks call each other's joins: none stands still (G8, G9). */
@ExtendWith(NoThreadLeft.class)
class ForkJoinAcrossPoolsTest {

  private static WorkStealingScheduler single(String name) {
    return WorkStealingScheduler.builder().name(name).parallelism(1).maxThreads(1).build();
  }

  /** One worker each and no spares: each waits for the other, and runs what that one needs. */
  @Test
  void twoPoolsThatCallEachOtherCrosswiseBothGetOn() {
    int rounds = TestScale.of(200);
    try (var a = single("cross-a");
        var b = single("cross-b")) {
      for (int round = 0; round < rounds; round++) {
        CountDownLatch over = new CountDownLatch(4);
        for (int i = 0; i < 2; i++) {
          a.execute(() -> crosswise(b, a, 4, over));
          b.execute(() -> crosswise(a, b, 4, over));
        }
        Await.latch("every call has returned", over, () -> a.stats() + " " + b.stats());
      }
      Quiescence.await(a);
      Quiescence.await(b);
    }
  }

  private static void crosswise(
      WorkStealingScheduler there, WorkStealingScheduler here, int depth, CountDownLatch over) {
    call(there, here, depth);
    over.countDown();
  }

  private static int call(WorkStealingScheduler there, WorkStealingScheduler here, int depth) {
    if (depth == 0) {
      return 1;
    }
    var both = there.join(() -> call(here, there, depth - 1), () -> call(here, there, depth - 1));
    return both.left() + both.right();
  }

  /** More waits than fit on a stack: spares take over before (G9). */
  @Test
  void manyTasksThatCallAnotherPoolAllGetOn() {
    try (var a = WorkStealingScheduler.builder().name("many-a").parallelism(1).build();
        var b = WorkStealingScheduler.builder().name("many-b").parallelism(1).build()) {
      int tasks = 500;
      CountDownLatch over = new CountDownLatch(2 * tasks);
      for (int i = 0; i < tasks; i++) {
        a.execute(() -> crosswise(b, a, 2, over));
        b.execute(() -> crosswise(a, b, 2, over));
      }
      Await.latch("every call has returned", over, () -> a.stats() + " " + b.stats());
    }
  }

  /**
   * The same without spares: whoever has no stack left to wait on is told so, and nobody waits for
   * a worker that cannot run what it is waited for.
   */
  @Test
  void moreTasksThanFitOnAStack_noSpares_eachReturnsOrFails() {
    try (var a = single("full-a");
        var b = single("full-b")) {
      int tasks = 2_000;
      CountDownLatch over = new CountDownLatch(2 * tasks);
      Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
      for (int i = 0; i < tasks; i++) {
        a.execute(() -> crosswiseOrFail(b, a, over, failures));
        b.execute(() -> crosswiseOrFail(a, b, over, failures));
      }
      Await.latch("every call is over", over, () -> a.stats() + " " + b.stats());
      for (Throwable failure : failures) {
        assertInstanceOf(StackOverflowError.class, failure);
      }
      assertEquals(1 << 8, call(a, b, 8), "both work as before");
      assertFalse(a.dump().isEmpty() || b.toString().isEmpty());
      Quiescence.await(a);
      Quiescence.await(b);
    }
  }

  private static void crosswiseOrFail(
      WorkStealingScheduler there,
      WorkStealingScheduler here,
      CountDownLatch over,
      Queue<Throwable> failures) {
    try {
      assertEquals(1 << 2, call(there, here, 2));
    } catch (Throwable t) {
      failures.add(t);
    }
    over.countDown();
  }

  @Test
  void aRecursionThatChangesThePoolAtEachLevelIsRight() {
    try (var a = single("levels-a");
        var b = single("levels-b")) {
      for (int i = 0; i < 20; i++) {
        assertEquals(1 << 8, call(a, b, 8));
      }
      Quiescence.await(a);
      Quiescence.await(b);
    }
  }

  /**
   * The branches run in the pool that was asked; the caller's pool runs its own tasks meanwhile.
   */
  @Test
  void theWorkRunsInThePoolThatWasAsked_andTheCallersWorkerRunsOtherTasksMeanwhile()
      throws Exception {
    try (var a = single("asks");
        var b = single("is-asked")) {
      CountDownLatch ran = new CountDownLatch(1);
      String where =
          a.submit(
                  () -> {
                    a.execute(ran::countDown); // nobody but this worker can run it
                    return b.join(
                            () -> {
                              Await.quietly(ran);
                              return Thread.currentThread().getName();
                            },
                            () -> 0)
                        .left();
                  })
              .get();
      assertTrue(where.startsWith("is-asked-worker-"), where);
    }
  }
}
