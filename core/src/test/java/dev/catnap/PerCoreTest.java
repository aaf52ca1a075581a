package dev.catnap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.SchedulerStats.WorkerStats;
import dev.catnap.spi.Placement;
import dev.catnap.spi.SchedulerAdapter;
import dev.catnap.spi.SchedulerTuning;
import dev.catnap.spi.WorkerThread;
import dev.catnap.testing.Await;
import dev.catnap.testing.CountingParker;
import dev.catnap.testing.NoThreadLeft;
import dev.catnap.testing.TestScale;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Thread per core: what was given to a worker stays there (G2), and each worker is told (G1). */
@ExtendWith(NoThreadLeft.class)
class PerCoreTest {

  private static WorkStealingScheduler perCore(int workers) {
    return WorkStealingScheduler.builder()
        .name("core")
        .flavor(Flavor.THREAD_PER_CORE)
        .parallelism(workers)
        .build();
  }

  private static int currentWorker() {
    return ((WorkerThread) Thread.currentThread()).worker().index();
  }

  /** Spawns its successor in every way there is, and counts without any synchronisation. */
  private static final class Chain implements Runnable {
    private static final Placement[] WAYS = Placement.values();

    private final SchedulerAdapter adapter;
    private final long[] counts;
    private final int home;
    private final int left;
    private final CountDownLatch over;
    private final AtomicInteger moved;

    Chain(
        SchedulerAdapter adapter,
        long[] counts,
        int home,
        int left,
        CountDownLatch over,
        AtomicInteger moved) {
      this.adapter = adapter;
      this.counts = counts;
      this.home = home;
      this.left = left;
      this.over = over;
      this.moved = moved;
    }

    @Override
    public void run() {
      int here = currentWorker();
      if (home >= 0 && here != home) {
        moved.incrementAndGet();
      }
      counts[here * 16]++; // a plain read and write: exact only if one thread makes them
      if (left == 0) {
        over.countDown();
      } else {
        Runnable next = new Chain(adapter, counts, here, left - 1, over, moved);
        assertTrue(adapter.publish(next, WAYS[left % WAYS.length]));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void aTaskAndAllThatItSpawnsStayOnTheirWorker(int workers) {
    int chains = 200;
    int length = 500;
    try (var scheduler = perCore(workers)) {
      long[] counts = new long[workers * 16];
      CountDownLatch over = new CountDownLatch(chains);
      AtomicInteger moved = new AtomicInteger();
      for (int i = 0; i < chains; i++) {
        scheduler.execute(new Chain(scheduler.adapter(), counts, -1, length - 1, over, moved));
      }
      Await.latch("all chains", over, scheduler::dump);
      Quiescence.await(scheduler);
      SchedulerStats stats = scheduler.stats();
      assertEquals(0, moved.get());
      assertEquals(0, stats.stolen());
      assertEquals((long) chains * length, Arrays.stream(counts).sum());
      assertEquals((long) chains * length, stats.executed());
      assertEquals(stats.published(), stats.executed());
      for (WorkerStats w : stats.workers()) {
        assertEquals(counts[w.index() * 16], w.executed(), w.toString());
      }
    }
  }

  @Test
  void whatIsConfinedToAWorkerRunsThere_fromOutsideAndFromEveryWorker() throws Exception {
    try (var scheduler = perCore(3)) {
      int[] counters = new int[3 * 16];
      int each = 2_000;
      CountDownLatch over = new CountDownLatch(3 * 3 * each);
      AtomicInteger moved = new AtomicInteger();
      for (int from = 0; from < 3; from++) {
        scheduler
            .confinedTo(from)
            .execute(
                () -> {
                  for (int i = 0; i < 3 * each; i++) {
                    int to = i % 3;
                    scheduler
                        .confinedTo(to)
                        .execute(
                            () -> {
                              counters[to * 16]++;
                              if (currentWorker() != to) {
                                moved.incrementAndGet();
                              }
                              over.countDown();
                            });
                  }
                });
      }
      Await.latch("all tasks", over, scheduler::dump);
      assertEquals(0, moved.get());
      for (int i = 0; i < 3; i++) {
        assertEquals(3 * each, counters[i * 16], "unsynchronised count of worker " + i);
      }
      for (int bad : new int[] {-1, 3}) {
        var e = assertThrows(IllegalArgumentException.class, () -> scheduler.confinedTo(bad));
        assertTrue(e.getMessage().endsWith(" " + bad), e.getMessage());
      }
    }
  }

  @Test
  void equalKeysGoToOneWorker_andKeysInARowAreSpread() throws Exception {
    for (int workers : new int[] {2, 3, 7}) {
      try (var scheduler = perCore(workers)) {
        for (int key = 0; key < TestScale.of(3_000); key++) {
          int first = workerOf(scheduler, scheduler.confinedByKey("customer " + key));
          assertEquals(first, workerOf(scheduler, scheduler.confinedByKey("customer " + key)));
        }
        int keys = 3_000;
        CountDownLatch over = new CountDownLatch(keys);
        int[] counts = new int[workers * 16]; // of each worker, by itself
        for (int key = 0; key < keys; key++) {
          scheduler
              .confinedByKey(key * 64)
              .execute(
                  () -> {
                    counts[currentWorker() * 16]++;
                    over.countDown();
                  });
        }
        Await.latch("all keys", over, scheduler::dump);
        for (int worker = 0; worker < workers; worker++) {
          int n = counts[worker * 16];
          assertTrue(
              n > keys / workers / 2 && n < 2 * keys / workers, () -> Arrays.toString(counts));
        }
      }
    }
  }

  private static int workerOf(WorkStealingScheduler scheduler, Executor executor) {
    AtomicInteger worker = new AtomicInteger(-1);
    CountDownLatch ran = new CountDownLatch(1);
    executor.execute(
        () -> {
          worker.set(currentWorker());
          ran.countDown();
        });
    Await.latch("a task by key", ran, scheduler::dump);
    return worker.get();
  }

  @Test
  void tasksFromOutsideAreSpreadByChance() {
    try (var scheduler = perCore(4)) {
      int tasks = 8_000;
      for (int i = 0; i < tasks; i++) {
        scheduler.execute(() -> {});
      }
      Quiescence.await(scheduler);
      for (WorkerStats w : scheduler.stats().workers()) {
        // A fair coin with four sides is off by so much once in 10^30 times.
        assertTrue(Math.abs(w.executed() - tasks / 4) < 450, scheduler.stats().toString());
      }
    }
  }

  @Test
  void itsThreadsAreItsWorkersAndNoMore() throws Exception {
    try (var scheduler = perCore(3)) {
      for (int i = 0; i < 30; i++) {
        scheduler.schedule(() -> {}, i, TimeUnit.MICROSECONDS).get();
      }
      Set<String> names =
          Thread.getAllStackTraces().keySet().stream()
              .map(Thread::getName)
              .filter(name -> name.startsWith("core-"))
              .collect(Collectors.toSet());
      assertEquals(Set.of("core-worker-0", "core-worker-1", "core-worker-2"), names);
      SchedulerStats stats = scheduler.stats();
      assertEquals(3, stats.threads());
      assertEquals(3, stats.maxThreads());
      assertEquals(3, scheduler.maxThreads());
      assertEquals(3, scheduler.parallelism());
      assertEquals(List.of(0, 1, 2), stats.workers().stream().map(WorkerStats::index).toList());
      for (String name : names) {
        assertTrue(scheduler.dump().contains(name + ": "), scheduler.dump());
      }
      assertTrue(scheduler.toString().contains("thread per core"), scheduler.toString());
    }
  }

  /** G9 exempts it: what belongs to a worker waits behind a task that blocks, and only that. */
  @Test
  void nobodyTakesOverForAWorkerThatBlocks() throws Exception {
    try (var scheduler = perCore(2)) {
      CountDownLatch began = new CountDownLatch(1);
      CountDownLatch go = new CountDownLatch(1);
      Set<Integer> ran = ConcurrentHashMap.newKeySet();
      CountDownLatch behind = new CountDownLatch(1);
      scheduler
          .confinedTo(0)
          .execute(
              () -> {
                scheduler.execute(
                    () -> {
                      ran.add(currentWorker());
                      behind.countDown();
                    });
                try {
                  assertSame(
                      began,
                      scheduler.blocking(
                          () -> {
                            began.countDown();
                            Await.quietly(go);
                            return began;
                          }));
                } catch (Exception e) {
                  throw new AssertionError(e);
                }
              });
      Await.latch("the section", began, scheduler::dump);
      assertFalse(scheduler.adapter().beginBlocking(), "not a worker");
      assertEquals(1, workerOf(scheduler, scheduler.confinedTo(1)));
      assertEquals(Set.of(), ran);
      assertEquals(2, scheduler.stats().threads());
      assertEquals(0, scheduler.stats().blockedWorkers());
      go.countDown();
      Await.latch("the task behind it", behind, scheduler::dump);
      assertEquals(Set.of(0), ran);
    }
  }

  @Test
  void itsParallelismIsForGood() {
    try (var scheduler = perCore(2)) {
      for (int n : new int[] {1, 2, 3}) {
        var e =
            assertThrows(UnsupportedOperationException.class, () -> scheduler.setParallelism(n));
        assertTrue(e.getMessage().contains("stays 2"), e.getMessage());
      }
      assertThrows(IllegalStateException.class, () -> scheduler.adapter().endBlocking());
    }
  }

  /** Its two branches are two calls: nobody else may take one. */
  @Test
  void aJoinRunsOnTheWorkerThatCallsIt() throws Exception {
    try (var scheduler = perCore(3)) {
      for (int worker = 0; worker < 3; worker++) {
        CompletableFuture<Set<Integer>> ran = new CompletableFuture<>();
        scheduler
            .confinedTo(worker)
            .execute(
                () -> {
                  Set<Integer> where = ConcurrentHashMap.newKeySet();
                  scheduler.join(
                      () -> where.add(currentWorker()), () -> where.add(currentWorker()));
                  ran.complete(where);
                });
        assertEquals(Set.of(worker), ran.get(Await.DEADLINE_SECONDS, TimeUnit.SECONDS));
      }
      CompletableFuture<Integer> fromOutside = new CompletableFuture<>();
      scheduler.join(() -> {}, () -> fromOutside.complete(currentWorker()));
      assertTrue(fromOutside.isDone());
    }
  }

  @Test
  void aLaneForBlockingTasksIsRefused() {
    try (var scheduler = perCore(2)) {
      var e =
          assertThrows(
              UnsupportedOperationException.class, () -> scheduler.blockingLane("files", 2, 10));
      String message = String.valueOf(e.getMessage());
      assertTrue(message.contains("runs a thread per core"), message);
      assertTrue(message.contains("the lane files"), message);
    }
  }

  @Test
  void aBroadcastRunsOnceOnEachWorker() throws Exception {
    try (var scheduler = perCore(3)) {
      for (int round = 0; round < 200; round++) {
        int[] ran = new int[3 * 16];
        scheduler
            .broadcast(() -> ran[currentWorker() * 16]++)
            .get(Await.DEADLINE_SECONDS, TimeUnit.SECONDS);
        for (int i = 0; i < 3; i++) {
          assertEquals(1, ran[i * 16], "on worker " + i);
        }
      }
    }
  }

  /** G1: from outside, at every moment at which the worker may be falling asleep. */
  @Test
  void aTaskFromOutsideFindsAWorkerThatFallsAsleep() throws Exception {
    try (var scheduler = perCore(2)) {
      for (int i = 0; i < TestScale.of(20_000); i++) {
        Future<Integer> task = scheduler.submit(PerCoreTest::currentWorker);
        assertTrue(task.get(Await.DEADLINE_SECONDS, TimeUnit.SECONDS) < 2);
      }
    }
  }

  /** G8, G3: another worker is not woken. */
  @Test
  void aPublishWakesItsOwnWorkerAndNoOther() {
    CountingParker parker = new CountingParker();
    try (var scheduler =
        WorkStealingScheduler.builder()
            .flavor(Flavor.THREAD_PER_CORE)
            .parallelism(4)
            .tuning(SchedulerTuning.production().withParker(parker))
            .build()) {
      awaitAllParked(parker, scheduler);
      List<Long> before = parks(scheduler);
      int tasks = 100;
      for (int i = 0; i < tasks; i++) {
        int n = i + 1;
        scheduler.confinedTo(2).execute(() -> {});
        Await.until("it ran", () -> scheduler.stats().executed() == n, scheduler::stats);
        awaitAllParked(parker, scheduler);
      }
      List<Long> after = parks(scheduler);
      for (int worker : new int[] {0, 1, 3}) {
        assertEquals(before.get(worker), after.get(worker), "parks of worker " + worker);
      }
      assertEquals(tasks, scheduler.stats().wakes(), scheduler.stats().toString());
    }
  }

  /** One that is merely on its way there has not counted its park, and is not woken. */
  private static void awaitAllParked(CountingParker parker, WorkStealingScheduler scheduler) {
    Await.until("all are parked", () -> parker.parked() == 4, scheduler::stats);
  }

  private static List<Long> parks(WorkStealingScheduler scheduler) {
    return scheduler.stats().workers().stream().map(WorkerStats::parks).toList();
  }
}
