package dev.catnap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.internal.sentinel.Watched;
import dev.catnap.spi.WorkerThread;
import dev.catnap.testing.Await;
import dev.catnap.testing.NoThreadLeft;
import dev.catnap.testing.Sections;
import dev.catnap.testing.TestPools;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * G9, G8: a worker that waits in the middle of a task, and has left its place to another one, goes
 * on if that one blocks and no thread is left. Two threads, one right to run.
 */
@ExtendWith(NoThreadLeft.class)
class ForkJoinMissedTest {
  private final WorkStealingScheduler scheduler = TestPools.withoutSpares(2).build();
  private final WorkStealingScheduler other = TestPools.withoutSpares(1).build();
  private final CountDownLatch joined = new CountDownLatch(1);
  private final CountDownLatch smaller = new CountDownLatch(1);
  private final CountDownLatch atTheDoor = new CountDownLatch(1);
  private final CountDownLatch done = new CountDownLatch(1);

  /** The one that waits. */
  private Future<?> first;

  @AfterEach
  void closeAll() {
    smaller.countDown();
    atTheDoor.countDown();
    joined.countDown();
    done.countDown();
    scheduler.close();
    other.close();
  }

  /** One worker waits, for {@code joined}; the other one goes on to what blocks. */
  private Future<?> parkReplaced(Runnable waits, Runnable blocks) {
    CountDownLatch bothBegun = new CountDownLatch(2);
    CountDownLatch waiting = new CountDownLatch(1);
    other.execute(
        () -> {
          waiting.countDown();
          Await.quietly(joined);
        });
    Await.latch("the other pool's worker", waiting, other::stats);
    first =
        scheduler.submit(
            () -> {
              bothBegun.countDown();
              Await.quietly(smaller);
              waits.run();
            });
    Future<?> second =
        scheduler.submit(
            () -> {
              bothBegun.countDown();
              Await.quietly(atTheDoor);
              blocks.run();
            });
    Await.latch("both tasks", bothBegun, scheduler::stats);
    scheduler.setParallelism(1);
    smaller.countDown();
    awaitBlocked(1);
    atTheDoor.countDown();
    return second;
  }

  private void awaitBlocked(int workers) {
    Await.until(
        "so many wait without a right",
        () -> scheduler.stats().blockedWorkers() == workers,
        scheduler::stats);
  }

  private void awaitDone(Future<?> blocked) throws Exception {
    blocked.get(Await.DEADLINE_SECONDS, TimeUnit.SECONDS);
    assertFalse(first.isDone(), "the wait is not over, and yet the task was run");
    joined.countDown();
    Quiescence.await(scheduler);
    assertEquals(0, scheduler.stats().blockedWorkers());
  }

  @Test
  void ifTheOtherOneBlocksWithoutAWord() throws Exception {
    Future<?> blocked =
        parkReplaced(() -> other.join(() -> {}, () -> {}), () -> Await.quietly(done));
    scheduler.execute(done::countDown);
    awaitDone(blocked);
  }

  @Test
  void ifTheOtherOneBlocksInASection() throws Exception {
    Future<?> blocked =
        parkReplaced(
            () -> other.join(() -> {}, () -> {}),
            () -> Sections.block(scheduler, () -> Await.quietly(done)));
    awaitBlocked(2);
    scheduler.execute(done::countDown);
    awaitDone(blocked);
  }

  /** And goes on as the worker that is missed, though it waits as another one. */
  @Test
  void ifItWaitsInARunInsideItsTask() throws Exception {
    AtomicReference<CurrentThreadScheduler> run = new AtomicReference<>();
    Future<?> blocked =
        parkReplaced(
            () -> {
              try (var inside = CurrentThreadScheduler.create()) {
                run.set(inside);
                inside.<Integer>run(() -> other.join(() -> 1, () -> 2).right());
              } catch (Exception e) {
                throw new AssertionError(e);
              }
            },
            () -> Await.quietly(done));
    CompletableFuture<Boolean> withoutRight = new CompletableFuture<>();
    run.get()
        .execute(
            () -> {
              Sections.block(scheduler, () -> {});
              Watched self = (Watched) ((WorkerThread) Thread.currentThread()).worker();
              withoutRight.complete(self.right().isGiven());
            });
    assertTrue(
        withoutRight.get(Await.DEADLINE_SECONDS, TimeUnit.SECONDS),
        "the end of a section of a task in between takes no right back");
    scheduler.execute(done::countDown);
    awaitDone(blocked);
  }
}
