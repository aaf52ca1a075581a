package dev.catnap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.spi.Placement;
import dev.catnap.spi.SchedulerAdapter;
import dev.catnap.spi.SchedulerAdapter.TaskReclaimer;
import dev.catnap.testing.Await;
import dev.catnap.testing.NoThreadLeft;
import dev.catnap.testing.TaskTimer;
import dev.catnap.testing.TestPools;
import dev.catnap.testing.TestScale;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What adapters are promised: attachments, timers, and containment of what they throw (G6, G7). */
@ExtendWith(NoThreadLeft.class)
class AdapterTest {
  private static final int THREADS = 4;

  /** An adapter of somebody else. */
  private static final class Mine implements TaskReclaimer {
    final Queue<Runnable> offered = new ConcurrentLinkedQueue<>();

    @Override
    public boolean reclaim(Runnable task) {
      offered.add(task);
      throw new IllegalStateException("from the reclaimer");
    }
  }

  private static final class Another implements TaskReclaimer {
    @Override
    public boolean reclaim(Runnable task) {
      return false;
    }
  }

  @Test
  void anAttachmentIsMadeOnceForAllWhoAskAtOnce() throws Exception {
    int rounds = TestScale.of(200);
    for (int round = 0; round < rounds; round++) {
      try (var scheduler = TestPools.withoutSpares(1).build()) {
        SchedulerAdapter adapter = scheduler.adapter();
        Set<Mine> seen = ConcurrentHashMap.newKeySet();
        allAtOnce(() -> seen.add(adapter.attach(Mine.class, Mine::new)));
        assertEquals(1, seen.size());
        assertSame(seen.iterator().next(), adapter.attach(Mine.class, Mine::new));
      }
    }
  }

  /** F21: the scheduler may outlive the application that attached it by years. */
  @Test
  void anAttachmentIsKeptByWhoHoldsItAndNotByTheScheduler() {
    try (var scheduler = TestPools.withoutSpares(1).build()) {
      SchedulerAdapter adapter = scheduler.adapter();
      WeakReference<Mine> dropped = new WeakReference<>(adapter.attach(Mine.class, Mine::new));
      Another held = adapter.attach(Another.class, Another::new);
      Await.until(
          "nobody holds the first one",
          () -> {
            System.gc();
            return dropped.refersTo(null);
          },
          scheduler::stats);
      Mine again = adapter.attach(Mine.class, Mine::new);
      assertSame(again, adapter.attach(Mine.class, Mine::new));
      assertSame(held, adapter.attach(Another.class, Another::new));
    }
  }

  @Test
  void aReclaimerThatThrowsCostsShutdownNowNoTask() throws Exception {
    Queue<Throwable> thrown = new ConcurrentLinkedQueue<>();
    CountDownLatch busy = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(1);
    var scheduler =
        TestPools.withoutSpares(1).uncaughtExceptionHandler((t, e) -> thrown.add(e)).build();
    try (scheduler) {
      Mine mine = scheduler.adapter().attach(Mine.class, Mine::new);
      scheduler.execute(
          () -> {
            busy.countDown();
            Await.quietly(over); // throws when it is interrupted
          });
      Await.latch("the worker is busy", busy, scheduler::stats);
      AtomicInteger ran = new AtomicInteger();
      List<Runnable> waiting = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        Runnable task = ran::incrementAndGet;
        waiting.add(task);
        assertTrue(scheduler.adapter().publish(task, Placement.QUEUED));
      }
      List<Runnable> left = scheduler.shutdownNow();
      over.countDown();
      assertEquals(waiting, left);
      assertEquals(waiting, List.copyOf(mine.offered));
      assertEquals(10, thrown.stream().filter(IllegalStateException.class::isInstance).count());
      assertTrue(scheduler.awaitTermination(Await.DEADLINE_SECONDS, TimeUnit.SECONDS));
      assertEquals(0, ran.get());
    }
  }

  @Test
  void whatRefusesATimerMayThrowAndTheOthersAreHandedOnAllTheSame() throws Exception {
    Queue<Throwable> thrown = new ConcurrentLinkedQueue<>();
    AtomicInteger refused = new AtomicInteger();
    try (var scheduler =
        TestPools.withoutSpares(1).uncaughtExceptionHandler((t, e) -> thrown.add(e)).build()) {
      for (int i = 0; i < 10; i++) {
        scheduler
            .adapter()
            .arm(
                new TaskTimer(
                    () -> {},
                    () -> {
                      refused.incrementAndGet();
                      throw new IllegalStateException("from an adapter");
                    }),
                TimeUnit.HOURS.toNanos(1));
      }
      scheduler.shutdown();
      assertTrue(scheduler.awaitTermination(Await.DEADLINE_SECONDS, TimeUnit.SECONDS));
      assertEquals(10, refused.get());
      assertEquals(10, thrown.size());
    }
  }

  /** G11: it is a task once, whatever comes of it. */
  @Test
  void aTimerIsArmedOnce_andTellsWhatIsLeft() {
    long hour = TimeUnit.HOURS.toNanos(1);
    TaskTimer timer = new TaskTimer(() -> {});
    assertFalse(timer.cancel(), "not armed");
    assertEquals(0, timer.remainingNanos());
    try (var scheduler = TestPools.withoutSpares(1).build()) {
      scheduler.adapter().arm(timer, hour);
      long left = timer.remainingNanos();
      assertTrue(left > 0 && left <= hour, () -> left + " ns of an hour");
      assertEquals(1, scheduler.stats().armedTimers());
      assertTrue(timer.cancel());
      assertFalse(timer.cancel(), "cancelled before");
      assertThrows(IllegalStateException.class, () -> scheduler.adapter().arm(timer, hour));
      assertEquals(0, scheduler.stats().armedTimers());
    }
  }

  /** F16: an adapter waits for the rest elsewhere, so it must be told how much that is. */
  @Test
  void aTimerThatIsRefused_tellsWhatIsLeft() {
    long hour = TimeUnit.HOURS.toNanos(1);
    AtomicInteger refused = new AtomicInteger();
    TaskTimer dropped = new TaskTimer(() -> {}, refused::incrementAndGet);
    TaskTimer late = new TaskTimer(() -> {}, refused::incrementAndGet);
    try (var scheduler = TestPools.withoutSpares(1).build()) {
      scheduler.adapter().arm(dropped, hour);
      scheduler.shutdown();
      scheduler.adapter().arm(late, hour);
    }
    assertEquals(2, refused.get());
    for (TaskTimer timer : List.of(dropped, late)) {
      long left = timer.remainingNanos();
      assertTrue(left > 0 && left <= hour, () -> left + " ns of an hour");
      assertFalse(timer.cancel(), "refused before");
    }
  }

  @Test
  void firstTimersArmedAtOnceAllFireAndLeaveOneTimerThread() throws Exception {
    int rounds = TestScale.of(200);
    for (int round = 0; round < rounds; round++) {
      String name = "first-timers-" + round;
      try (var scheduler = TestPools.withoutSpares(1).name(name).build()) {
        CountDownLatch fired = new CountDownLatch(THREADS);
        allAtOnce(() -> scheduler.adapter().arm(new TaskTimer(fired::countDown), 1));
        Await.latch("every timer", fired, scheduler::stats);
        Await.until("one timer thread", () -> timerThreads(name) == 1, scheduler::stats);
        assertFalse(scheduler.isShutdown());
      }
      Await.until("it is over", () -> timerThreads(name) == 0, () -> name);
    }
  }

  private static long timerThreads(String name) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(t -> t.getName().equals(name + "-timer"))
        .count();
  }

  private static void allAtOnce(Runnable action) throws Exception {
    CyclicBarrier start = new CyclicBarrier(THREADS);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      Thread t =
          new Thread(
              () -> {
                try {
                  start.await();
                } catch (Exception e) {
                  throw new AssertionError(e);
                }
                action.run();
              });
      threads.add(t);
      t.start();
    }
    for (Thread t : threads) {
      t.join();
    }
  }
}
