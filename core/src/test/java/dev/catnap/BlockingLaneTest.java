package dev.catnap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.testing.Await;
import dev.catnap.testing.NoThreadLeft;
import dev.catnap.testing.Sections;
import dev.catnap.testing.TestPools;
import dev.catnap.testing.TestScale;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A lane for blocking tasks: its bound, its order, and the workers that it leaves to others. */
@ExtendWith(NoThreadLeft.class)
class BlockingLaneTest {
  private static final int CAP = 8;

  private static WorkStealingScheduler pool(int parallelism) {
    return WorkStealingScheduler.builder()
        .name("host")
        .parallelism(parallelism)
        .maxThreads(CAP)
        .build();
  }

  /** Begins {@code n} tasks that wait for the latch; returns when they run. */
  private static CountDownLatch occupy(BlockingLane lane, int n) {
    CountDownLatch begun = new CountDownLatch(n);
    CountDownLatch release = new CountDownLatch(1);
    for (int i = 0; i < n; i++) {
      lane.execute(
          () -> {
            begun.countDown();
            Await.quietly(release);
          });
    }
    Await.latch("all threads of the lane", begun, lane::toString);
    return release;
  }

  private static Thread daemon(Runnable body) {
    Thread thread = new Thread(body);
    thread.setDaemon(true);
    return thread;
  }

  private static void join(Thread thread) {
    Await.until("the thread is over", () -> !thread.isAlive(), thread::getState);
  }

  // ---- bound and order

  @Test
  void tasksOfALaneOfOneRunOneAfterTheOtherInTheirOrder() throws Exception {
    try (var scheduler = pool(2)) {
      BlockingLane lane = scheduler.blockingLane("files", 1, 1_000);
      List<Integer> order = new ArrayList<>(); // not thread-safe: they run one after the other
      List<Future<?>> futures = new ArrayList<>();
      for (int i = 0; i < 1_000; i++) {
        int n = i;
        futures.add(lane.submit(() -> order.add(n)));
      }
      for (Future<?> f : futures) {
        f.get();
      }
      lane.close();
      assertEquals(IntStream.range(0, 1_000).boxed().toList(), order);
      assertEquals("host", scheduler.name());
      Quiescence.await(scheduler);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 3})
  void aFullLaneRefusesByNameAndKeepsWhatItHas(int capacity) {
    try (var scheduler = pool(1)) {
      BlockingLane lane = scheduler.blockingLane("files", 2, capacity);
      CountDownLatch release = occupy(lane, 2);
      AtomicInteger ran = new AtomicInteger();
      for (int i = 0; i < capacity; i++) {
        lane.execute(ran::incrementAndGet);
      }
      assertEquals(2, lane.running());
      assertEquals(capacity, lane.waiting());
      Runnable task = () -> {};
      var e = assertThrows(RejectedExecutionException.class, () -> lane.execute(task));
      String message = String.valueOf(e.getMessage());
      for (String part :
          List.of("files", "2 threads", capacity + " in its queue", task.toString())) {
        assertTrue(message.contains(part), () -> part + " is not in: " + message);
      }
      assertThrows(RejectedExecutionException.class, () -> lane.submit(() -> 1));
      release.countDown();
      lane.close();
      assertEquals(capacity, ran.get());
    }
  }

  /** F10: the error tells what there is, and what was asked for. */
  @ParameterizedTest
  @ValueSource(ints = {0, -1, 6})
  void moreThreadsThanTheOthersLeaveAreRefusedByName(int threads) {
    try (var scheduler = pool(3)) {
      var e =
          assertThrows(
              IllegalArgumentException.class, () -> scheduler.blockingLane("files", threads, 1));
      assertEquals(
          "threads of a lane must be 1 to maxThreads 8 less parallelism 3: " + threads,
          e.getMessage());
      assertEquals("files", scheduler.blockingLane("files", 5, 1).name());
    }
  }

  @Test
  void onTheSchedulerOfACallerALaneIsRefused() {
    try (var current = WorkStealingScheduler.builder().name("host").buildForCurrentThread()) {
      var e =
          assertThrows(
              UnsupportedOperationException.class,
              () -> current.scheduler().blockingLane("files", 1, 1));
      assertEquals(
          "host runs on the thread of its caller, which would block with its tasks: the lane files"
              + " for blocking tasks needs a scheduler with threads",
          e.getMessage());
    }
  }

  /** G5, G9: whatever blocks in the lane, the other tasks keep as many workers as before. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void otherTasksKeepTheirWorkers(int parallelism) throws Exception {
    try (var scheduler = pool(parallelism)) {
      BlockingLane lane = scheduler.blockingLane("files", CAP - parallelism, 100);
      CountDownLatch release = occupy(lane, CAP - parallelism);
      AtomicInteger waited = new AtomicInteger();
      for (int i = 0; i < 100; i++) {
        lane.execute(waited::incrementAndGet);
      }
      CountDownLatch together = new CountDownLatch(parallelism);
      List<Future<Integer>> meetings = new ArrayList<>();
      for (int i = 0; i < parallelism; i++) {
        meetings.add(
            scheduler.submit(
                () -> {
                  together.countDown();
                  Await.quietly(together); // each needs a worker of its own
                  return 1;
                }));
      }
      for (Future<Integer> f : meetings) {
        assertEquals(1, f.get());
      }
      assertEquals(0, waited.get());
      assertEquals(CAP - parallelism, scheduler.stats().blockedWorkers());
      release.countDown();
      lane.close();
      assertEquals(100, waited.get());
      Quiescence.await(scheduler);
    }
  }

  /** G2: from many sides, and never more at once than there are threads. */
  @Test
  void everyAcceptedTaskRunsOnceAndTheLimitHolds() throws Exception {
    try (var scheduler = pool(2)) {
      BlockingLane lane = scheduler.blockingLane("files", 3, 4);
      AtomicInteger running = new AtomicInteger();
      AtomicInteger most = new AtomicInteger();
      AtomicInteger ran = new AtomicInteger();
      AtomicInteger accepted = new AtomicInteger();
      Runnable task =
          () -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            Thread.yield();
            running.decrementAndGet();
            ran.incrementAndGet();
          };
      List<Thread> submitters = new ArrayList<>();
      int each = TestScale.of(2_000);
      CountDownLatch fromWorkers = new CountDownLatch(200);
      for (int t = 0; t < 3; t++) {
        Thread submitter =
            daemon(
                () -> {
                  for (int i = 0; i < each; i++) {
                    submit(lane, task, i % 2 == 0, accepted);
                  }
                });
        submitter.start();
        submitters.add(submitter);
      }
      for (int i = 0; i < 200; i++) {
        scheduler.execute(
            () -> {
              submit(lane, task, true, accepted);
              submit(lane, task, false, accepted);
              fromWorkers.countDown();
            });
      }
      for (Thread t : submitters) {
        join(t);
      }
      Await.latch("submits from workers", fromWorkers, scheduler::dump);
      lane.close();
      assertEquals(accepted.get(), ran.get());
      int waited = 3 * ((each + 1) / 2) + 200;
      assertTrue(accepted.get() >= waited, "those that waited are all in");
      assertTrue(most.get() <= 3, () -> "at once: " + most);
      Quiescence.await(scheduler);
    }
  }

  private static void submit(
      BlockingLane lane, Runnable task, boolean wait, AtomicInteger accepted) {
    try {
      if (wait) {
        lane.executeAwaiting(task);
      } else {
        lane.execute(task);
      }
      accepted.incrementAndGet();
    } catch (RejectedExecutionException e) {
      return; // full: not accepted, and so not counted
    } catch (InterruptedException e) {
      throw new AssertionError("nobody interrupts here", e);
    }
  }

  // ---- waiting for a place

  @Test
  void whoWaitsForAPlaceGetsItInTheOrderOfArrival() throws Exception {
    try (var scheduler = pool(1)) {
      BlockingLane lane = scheduler.blockingLane("files", 1, 1);
      CountDownLatch release = occupy(lane, 1);
      List<Integer> order = new CopyOnWriteArrayList<>();
      lane.execute(() -> order.add(0));
      List<Thread> waiters = new ArrayList<>();
      for (int i = 1; i <= 4; i++) {
        int n = i;
        Thread waiter = daemon(() -> submitAwaiting(lane, () -> order.add(n)));
        waiter.start();
        Await.until("it waits", () -> waiter.getState() == Thread.State.WAITING, lane::toString);
        waiters.add(waiter);
      }
      assertEquals(1, lane.waiting(), "they are not accepted");
      release.countDown();
      for (Thread t : waiters) {
        join(t);
      }
      lane.close();
      assertEquals(List.of(0, 1, 2, 3, 4), order);
    }
  }

  private static void submitAwaiting(BlockingLane lane, Runnable task) {
    try {
      lane.executeAwaiting(task);
    } catch (InterruptedException e) {
      throw new AssertionError("nobody interrupts here", e);
    }
  }

  @Test
  void anInterruptedWaiterIsNotAccepted() throws Exception {
    try (var scheduler = pool(1)) {
      BlockingLane lane = scheduler.blockingLane("files", 1, 0);
      CountDownLatch release = occupy(lane, 1);
      AtomicInteger ran = new AtomicInteger();
      CountDownLatch refused = new CountDownLatch(1);
      Thread waiter =
          daemon(
              () -> {
                try {
                  lane.executeAwaiting(ran::incrementAndGet);
                } catch (InterruptedException e) {
                  refused.countDown();
                }
              });
      waiter.start();
      Await.until("it waits", () -> waiter.getState() == Thread.State.WAITING, lane::toString);
      waiter.interrupt();
      join(waiter);
      assertEquals(0, refused.getCount());
      Thread.currentThread().interrupt();
      assertThrows(InterruptedException.class, () -> lane.executeAwaiting(ran::incrementAndGet));
      assertFalse(Thread.interrupted());
      release.countDown();
      assertEquals(7, lane.submitAwaiting(() -> 7).get());
      lane.close();
      assertEquals(0, ran.get());
    }
  }

  /**
   * The only worker there is, with the lane's runner behind it in its own queue, waits for a place.
   */
  @Test
  void aWorkerThatFindsNoPlaceRunsTheOldestItself() throws Exception {
    // No other thread can be had: a spare would run the oldest at once.
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch second = new CountDownLatch(1);
    try (var scheduler = TestPools.withDeclaredSparesOnly(1).maxThreads(2).build()) {
      scheduler.execute(
          () ->
              Sections.block(
                  scheduler,
                  () -> {
                    begun.countDown();
                    Await.quietly(second);
                  }));
      Await.latch("it keeps one of the two threads", begun, scheduler::dump);
      BlockingLane lane = scheduler.blockingLane("files", 1, 0);
      Thread[] threads = new Thread[2];
      Future<Thread> caller =
          scheduler.submit(
              () -> {
                lane.execute(() -> threads[0] = Thread.currentThread());
                lane.executeAwaiting(
                    () -> {
                      threads[1] = Thread.currentThread();
                      second.countDown();
                    });
                return Thread.currentThread();
              });
      assertSame(caller.get(), threads[0]);
      Await.latch("the second", second, scheduler::dump);
    }
  }

  /** G7: it finds the thread as any task does, and the one below finds it as it was. */
  @Test
  void whatRunsOnTopOfAWaitingSubmitterSeesNothingOfIt() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch second = new CountDownLatch(1);
    ClassLoader other = new ClassLoader() {};
    try (var scheduler = TestPools.withDeclaredSparesOnly(1).maxThreads(2).build()) {
      scheduler.execute(
          () ->
              Sections.block(
                  scheduler,
                  () -> {
                    begun.countDown();
                    Await.quietly(second);
                  }));
      Await.latch("it keeps one of the two threads", begun, scheduler::dump);
      BlockingLane lane = scheduler.blockingLane("files", 1, 0);
      ClassLoader[] loaders = new ClassLoader[2];
      Future<ClassLoader> caller =
          scheduler.submit(
              () -> {
                Thread self = Thread.currentThread();
                loaders[0] = self.getContextClassLoader();
                lane.execute(() -> loaders[1] = self.getContextClassLoader());
                self.setContextClassLoader(other);
                lane.executeAwaiting(second::countDown);
                return self.getContextClassLoader();
              });
      assertSame(other, caller.get());
      assertSame(loaders[0], loaders[1]);
      Await.latch("the second", second, scheduler::dump);
    }
  }

  /** G6. */
  @Test
  void shutdownNowOfTheSchedulerInterruptsATaskOnce() {
    CountDownLatch begun = new CountDownLatch(1);
    AtomicBoolean isBack = new AtomicBoolean();
    AtomicInteger interrupts = new AtomicInteger();
    try (var scheduler = TestPools.withoutSpares(2).maxThreads(3).build()) {
      BlockingLane lane = scheduler.blockingLane("files", 1, 0);
      lane.execute(
          () -> {
            begun.countDown();
            boolean last;
            do { // not over before shutdownNow is
              last = isBack.get();
              if (Thread.interrupted()) {
                interrupts.incrementAndGet();
              }
            } while (!last);
          });
      Await.latch("the task", begun, scheduler::dump);
      assertEquals(List.of(), scheduler.shutdownNow());
      isBack.set(true);
    }
    assertEquals(1, interrupts.get());
  }

  /** Every thread there may be waits for places of a lane that needs a thread. */
  @Test
  void workersThatWaitForPlacesDoNotLockTheLaneOut() {
    try (var scheduler =
        WorkStealingScheduler.builder().name("host").parallelism(2).maxThreads(3).build()) {
      BlockingLane lane = scheduler.blockingLane("files", 1, 1);
      int tasks = 300;
      CountDownLatch ran = new CountDownLatch(5 * tasks);
      for (int i = 0; i < tasks; i++) {
        scheduler.execute(
            () -> {
              for (int n = 0; n < 5; n++) {
                submitAwaiting(lane, ran::countDown);
              }
            });
      }
      Await.latch("tasks of tasks that waited", ran, () -> lane + "\n" + scheduler.dump());
      Quiescence.await(scheduler);
    }
  }

  @Test
  void aTaskOfTheLaneDoesNotWaitForItself() {
    try (var scheduler = pool(1)) {
      BlockingLane lane = scheduler.blockingLane("files", 1, 0);
      Future<?> f = lane.submit(() -> lane.submitAwaiting(() -> 1).get());
      var e = assertThrows(ExecutionException.class, f::get);
      assertTrue(e.getCause() instanceof RejectedExecutionException, e::toString);
    }
  }

  // ---- futures and containment

  @Test
  void aCancelledTaskLeavesItsPlaceAtOnce() throws Exception {
    try (var scheduler = pool(1)) {
      BlockingLane lane = scheduler.blockingLane("files", 1, 1);
      CountDownLatch release = occupy(lane, 1);
      AtomicInteger ran = new AtomicInteger();
      Future<?> waits = lane.submit(ran::incrementAndGet);
      assertThrows(RejectedExecutionException.class, () -> lane.execute(() -> {}));
      assertTrue(waits.cancel(false));
      assertEquals(0, lane.waiting());
      Future<Integer> next = lane.submit(() -> 5);
      release.countDown();
      assertEquals(5, next.get());
      assertEquals(0, ran.get());
    }
  }

  /** G7: what a task throws, and the interrupt that was meant for it, end with it. */
  @Test
  void whatATaskLeavesBehindIsNotSeenByTheNext() throws Exception {
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    try (var scheduler =
        WorkStealingScheduler.builder()
            .parallelism(1)
            .uncaughtExceptionHandler((thread, t) -> thrown.set(t))
            .build()) {
      BlockingLane lane = scheduler.blockingLane("files", 1, 10);
      CountDownLatch release = occupy(lane, 1);
      lane.execute(
          () -> {
            Thread.currentThread().setName("spoilt");
            Thread.currentThread().interrupt();
            throw new StackOverflowError("from the test");
          });
      Future<String> next =
          lane.submit(() -> Thread.currentThread().getName() + Thread.interrupted());
      release.countDown();
      String seen = next.get();
      assertTrue(seen.contains("worker") && seen.endsWith("false"), seen);
      assertTrue(thrown.get() instanceof StackOverflowError);
      assertEquals(1, scheduler.stats().uncaughtExceptions());
    }
  }

  // ---- the end

  @Test
  void closeOfTheLaneRunsWhatWasAcceptedAndLeavesTheScheduler() throws Exception {
    try (var scheduler = pool(1)) {
      AtomicInteger ran = new AtomicInteger();
      BlockingLane kept;
      try (BlockingLane lane = scheduler.blockingLane("files", 2, 100)) {
        for (int i = 0; i < 100; i++) {
          lane.execute(ran::incrementAndGet);
        }
        kept = lane;
      }
      assertEquals(100, ran.get());
      assertTrue(kept.isShutdown() && kept.isTerminated());
      var e = assertThrows(RejectedExecutionException.class, () -> kept.execute(() -> {}));
      assertTrue(String.valueOf(e.getMessage()).contains("files"), e::getMessage);
      assertEquals(1, scheduler.submit(() -> 1).get());
      assertEquals(1, scheduler.blockingLane("again", 1, 0).submit(() -> 1).get());
    }
  }

  @Test
  void shutdownNowOfTheLaneInterruptsAndHandsBack() throws Exception {
    try (var scheduler = pool(1)) {
      BlockingLane lane = scheduler.blockingLane("files", 1, 1);
      CountDownLatch begun = new CountDownLatch(1);
      CountDownLatch interrupted = new CountDownLatch(1);
      lane.execute(
          () -> {
            begun.countDown();
            try {
              new CountDownLatch(1).await();
            } catch (InterruptedException e) {
              interrupted.countDown();
            }
          });
      Await.latch("the task", begun, lane::toString);
      Runnable waits = () -> {};
      lane.execute(waits);
      CountDownLatch refused = new CountDownLatch(1);
      Thread waiter =
          daemon(
              () -> {
                try {
                  lane.executeAwaiting(() -> {});
                } catch (RejectedExecutionException e) {
                  refused.countDown();
                } catch (InterruptedException e) {
                  throw new AssertionError("nobody interrupts here", e);
                }
              });
      waiter.start();
      Await.until("it waits", () -> waiter.getState() == Thread.State.WAITING, lane::toString);
      assertEquals(List.of(waits), lane.shutdownNow());
      Await.latch("the interrupt", interrupted, lane::toString);
      Await.latch("who waited is refused", refused, lane::toString);
      join(waiter);
      lane.close();
      assertEquals(1, scheduler.submit(() -> 1).get());
    }
  }

  /** G6, F20: on a worker close does not wait, for it may be the lane's own task. */
  @Test
  void aTaskMayCloseItsOwnLane() throws Exception {
    try (var scheduler = pool(1)) {
      BlockingLane lane = scheduler.blockingLane("files", 1, 1);
      lane.submit(lane::close).get();
      lane.close();
      assertTrue(lane.isTerminated());
    }
  }

  @Test
  void closeOfTheSchedulerRunsWhatALaneHasAccepted() {
    var scheduler = pool(1);
    BlockingLane lane = scheduler.blockingLane("files", 2, 100);
    AtomicInteger ran = new AtomicInteger();
    for (int i = 0; i < 100; i++) {
      lane.execute(ran::incrementAndGet);
    }
    scheduler.close();
    assertEquals(100, ran.get());
    assertTrue(lane.isTerminated());
    assertThrows(RejectedExecutionException.class, () -> lane.execute(() -> {}));
    BlockingLane late = scheduler.blockingLane("late", 1, 1);
    assertThrows(RejectedExecutionException.class, () -> late.executeAwaiting(() -> {}));
  }

  /** F13, F14: each task of a lane ran, was refused, or is in the list, once. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void shutdownNowOfTheSchedulerAccountsForTheTasksOfALane(int parallelism) throws Exception {
    int rounds = TestScale.of(100);
    for (int round = 0; round < rounds; round++) {
      var scheduler = pool(parallelism);
      BlockingLane lane = scheduler.blockingLane("files", 2, 20);
      AtomicInteger ran = new AtomicInteger();
      AtomicInteger accepted = new AtomicInteger();
      List<Thread> submitters = new ArrayList<>();
      for (int t = 0; t < 3; t++) {
        boolean waits = t > 0;
        Thread submitter =
            daemon(
                () -> {
                  while (!lane.isShutdown()) {
                    submit(lane, ran::incrementAndGet, waits, accepted);
                  }
                });
        submitter.start();
        submitters.add(submitter);
      }
      int headStart = round;
      Await.until("the race is on", () -> ran.get() > headStart, scheduler::stats);
      List<Runnable> left = scheduler.shutdownNow();
      scheduler.close();
      for (Thread t : submitters) {
        join(t);
      }
      assertTrue(lane.isTerminated());
      assertEquals(accepted.get(), ran.get() + left.size(), "accepted");
    }
  }

  @Test
  void badInputIsRefusedByName() {
    try (var scheduler = pool(2)) {
      for (int threads : new int[] {0, -1, CAP - 1}) {
        assertNames(threads, () -> scheduler.blockingLane("files", threads, 1));
      }
      assertNames(-2, () -> scheduler.blockingLane("files", 1, -2));
      assertNames("' '", () -> scheduler.blockingLane(" ", 1, 1));
      BlockingLane lane = scheduler.blockingLane("files", 1, Integer.MAX_VALUE);
      assertNull(() -> lane.execute(nothing()));
      assertNull(() -> lane.executeAwaiting(nothing()));
      assertEquals("files", lane.name());
      assertEquals(1, lane.threads());
      assertEquals(Integer.MAX_VALUE, lane.queueCapacity());
    }
  }

  @SuppressWarnings("NullAway") // nulls are the subject
  private static Runnable nothing() {
    return null;
  }

  private static void assertNull(org.junit.jupiter.api.function.Executable call) {
    assertThrows(NullPointerException.class, call);
  }

  private static void assertNames(Object value, org.junit.jupiter.api.function.Executable call) {
    var e = assertThrows(IllegalArgumentException.class, call);
    assertTrue(String.valueOf(e.getMessage()).contains(String.valueOf(value)), e::getMessage);
  }
}
