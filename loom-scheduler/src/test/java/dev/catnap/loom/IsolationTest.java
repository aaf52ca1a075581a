package dev.catnap.loom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.SchedulerStats;
import dev.catnap.loom.CarrierPool.Mode;
import dev.catnap.loom.testing.Deadline;
import dev.catnap.loom.testing.Modes;
import dev.catnap.loom.testing.NoThreadLeft;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * G8: pools side by side. A virtual thread stays in its pool, whoever wakes it; what one pool
 * suffers, no other feels.
 */
@ExtendWith(NoThreadLeft.class)
class IsolationTest {
  private static final String MODES = "dev.catnap.loom.testing.Modes#available";
  private static final int ROUNDS = 300;

  private interface Step {
    void run() throws Exception;
  }

  /** A pool, and the places where its virtual threads found themselves that are not in it. */
  private static final class Tenant implements AutoCloseable {
    final CarrierPool pool;
    final Set<String> strayed = ConcurrentHashMap.newKeySet();
    final AtomicReference<Throwable> failure = new AtomicReference<>();

    Tenant(Mode mode, String name, int parallelism) {
      pool =
          Modes.builder(mode, parallelism).name("test-" + name).tuning(Modes.lateSpares()).build();
    }

    /** To be called in its virtual threads, after each step. */
    void atHome(String step) {
      Thread current = Thread.currentThread();
      boolean home = current.toString().contains("@" + pool.scheduler().name() + "-worker-");
      if (!home || !current.isVirtual() || !pool.scheduler().adapter().isWorker()) {
        strayed.add("after " + step + " on " + current);
      }
    }

    /** Repeats the step, and looks each time where it went on. */
    Thread repeat(int rounds, String what, Step step) {
      return pool.ofVirtual()
          .uncaughtExceptionHandler((thread, thrown) -> failure.compareAndSet(null, thrown))
          .start(
              () -> {
                atHome("start");
                for (int i = 0; i < rounds; i++) {
                  try {
                    step.run();
                  } catch (Exception e) {
                    throw new AssertionError(what, e);
                  }
                  atHome(what);
                }
              });
    }

    void assertNobodyStrayed() {
      assertEquals(Set.of(), strayed);
      assertEquals(null, failure.get());
      Deadline.until("every worker of " + pool + " is parked or over", this::isAtRest);
      Deadline.untilBalanced(pool);
      SchedulerStats stats = pool.scheduler().stats();
      assertEquals(0, stats.armedTimers());
      assertEquals(0, stats.uncaughtExceptions());
    }

    /** A worker counts as parked some instructions before its latch says so: both are asked. */
    private boolean isAtRest() {
      if (pool.scheduler().isTerminated()) {
        return true;
      }
      SchedulerStats stats = pool.scheduler().stats();
      return stats.parkedWorkers() == pool.scheduler().parallelism()
          && stats.workers().stream().noneMatch(worker -> worker.state().equals("awake"));
    }

    @Override
    public void close() {
      pool.close();
    }
  }

  /** Runs the body with two pools, of which nobody may have left his own. */
  private static void withTwo(Mode mode, BiConsumer<Tenant, Tenant> body) {
    try (Tenant a = new Tenant(mode, "a", 2);
        Tenant b = new Tenant(mode, "b", 1)) {
      body.accept(a, b);
      a.assertNobodyStrayed();
      b.assertNobodyStrayed();
    }
  }

  // ---- who wakes whom
  // ----------------------------------------------------------------------------

  @ParameterizedTest
  @MethodSource(MODES)
  void unparkedFromTheOtherPool_goesOnInItsOwn(Mode mode) {
    withTwo(
        mode,
        (a, b) -> {
          AtomicInteger turn = new AtomicInteger();
          Thread[] pair = new Thread[2];
          Step ping = () -> handOver(turn, 0, pair);
          Step pong = () -> handOver(turn, 1, pair);
          pair[0] = a.pool.ofVirtual().unstarted(() -> game(a, ping));
          pair[1] = b.pool.ofVirtual().unstarted(() -> game(b, pong));
          pair[0].start();
          pair[1].start();
          Deadline.join(pair);
          assertEquals(2 * ROUNDS, turn.get());
        });
  }

  private static void game(Tenant tenant, Step step) {
    try {
      for (int i = 0; i < ROUNDS; i++) {
        step.run();
        tenant.atHome("unpark");
      }
    } catch (Exception e) {
      tenant.failure.set(e);
    }
  }

  private static void handOver(AtomicInteger turn, int side, Thread[] pair) {
    while (turn.get() % 2 != side) {
      LockSupport.park();
    }
    turn.incrementAndGet();
    LockSupport.unpark(pair[1 - side]);
  }

  @ParameterizedTest
  @MethodSource(MODES)
  void aLockSharedByTwoPools(Mode mode) {
    ReentrantLock lock = new ReentrantLock();
    int[] unguarded = new int[1];
    contend(
        mode,
        () -> {
          lock.lock();
          try {
            unguarded[0]++;
            Thread.yield(); // let the others collide
          } finally {
            lock.unlock();
          }
        });
    assertEquals(8 * ROUNDS, unguarded[0]);
  }

  @ParameterizedTest
  @MethodSource(MODES)
  void aMonitorSharedByTwoPools(Mode mode) {
    Object monitor = new Object();
    int[] unguarded = new int[1];
    contend(
        mode,
        () -> {
          synchronized (monitor) {
            unguarded[0]++;
            Thread.yield(); // let the others collide
          }
        });
    assertEquals(8 * ROUNDS, unguarded[0]);
  }

  private static void contend(Mode mode, Step section) {
    withTwo(
        mode,
        (a, b) -> {
          List<Thread> threads = new ArrayList<>();
          for (int i = 0; i < 4; i++) {
            threads.add(a.repeat(ROUNDS, "the section", section));
            threads.add(b.repeat(ROUNDS, "the section", section));
          }
          Deadline.join(threads.toArray(Thread[]::new));
        });
  }

  @ParameterizedTest
  @MethodSource(MODES)
  void aQueueBetweenTwoPools(Mode mode) {
    withTwo(
        mode,
        (a, b) -> {
          BlockingQueue<Integer> there = new SynchronousQueue<>();
          BlockingQueue<Integer> back = new SynchronousQueue<>();
          AtomicInteger sum = new AtomicInteger();
          Thread asks =
              a.repeat(
                  ROUNDS,
                  "an answer",
                  () -> {
                    there.put(1);
                    sum.addAndGet(back.take());
                  });
          Thread answers = b.repeat(ROUNDS, "a question", () -> back.put(there.take() + 1));
          Deadline.join(asks, answers);
          assertEquals(2 * ROUNDS, sum.get());
        });
  }

  @ParameterizedTest
  @MethodSource(MODES)
  void timedWaitsThatTheOtherPoolCutsShort(Mode mode) {
    withTwo(
        mode,
        (a, b) -> {
          BlockingQueue<Integer> queue = new SynchronousQueue<>();
          AtomicInteger taken = new AtomicInteger();
          AtomicInteger accepted = new AtomicInteger();
          Thread takes =
              a.repeat(
                  ROUNDS,
                  "a timed wait",
                  () -> {
                    // Some of the time the limit comes first, and the clock wakes it.
                    if (queue.poll(1, TimeUnit.MILLISECONDS) != null) {
                      taken.incrementAndGet();
                    }
                  });
          Thread offers =
              b.repeat(
                  ROUNDS,
                  "a timed offer",
                  () -> {
                    if (queue.offer(1, 1, TimeUnit.MILLISECONDS)) {
                      accepted.incrementAndGet();
                    }
                  });
          Thread sleeps = b.repeat(20, "a sleep", () -> Thread.sleep(1)); // time is the subject
          Deadline.join(takes, offers, sleeps);
          assertEquals(accepted.get(), taken.get(), "taken of what the other pool gave");
        });
  }

  @ParameterizedTest
  @MethodSource(MODES)
  void anInterruptFromTheOtherPool(Mode mode) {
    withTwo(
        mode,
        (a, b) -> {
          AtomicInteger woken = new AtomicInteger();
          Thread sleeps =
              a.repeat(
                  50,
                  "an interrupt",
                  () -> {
                    try {
                      Thread.sleep(Duration.ofHours(1)); // interrupted at once
                    } catch (InterruptedException e) {
                      woken.incrementAndGet();
                    }
                  });
          Thread wakes =
              b.repeat(
                  50,
                  "a yield",
                  () -> {
                    int before = woken.get();
                    sleeps.interrupt();
                    while (woken.get() == before) {
                      Thread.yield();
                    }
                  });
          Deadline.join(wakes, sleeps);
        });
  }

  // ---- children
  // ----------------------------------------------------------------------------------

  @ParameterizedTest
  @MethodSource(MODES)
  void childrenAndTheirExecutorsStay(Mode mode) {
    withTwo(
        mode,
        (a, b) -> {
          Thread ofA = a.repeat(20, "children", () -> generations(a, 3));
          Thread ofB = b.repeat(20, "children", () -> generations(b, 3));
          Deadline.join(ofA, ofB);
        });
  }

  /** Every way to start a virtual thread, three deep, with a task of the executor's in between. */
  private static void generations(Tenant tenant, int depth) throws Exception {
    tenant.atHome("being born");
    if (depth == 0) {
      return;
    }
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Runnable child =
        () -> {
          try {
            generations(tenant, depth - 1);
          } catch (Exception e) {
            failure.set(e);
          }
        };
    Thread.startVirtualThread(child).join();
    Thread.ofVirtual().start(child).join();
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      executor.submit(child).get();
      CompletableFuture.runAsync(child, executor).get();
    }
    assertEquals(null, failure.get());
  }

  /** A pool is where a thread was made, not where it was started. */
  @ParameterizedTest
  @MethodSource(MODES)
  void aThreadOfOnePoolStartedInTheOther(Mode mode) {
    withTwo(
        mode,
        (a, b) -> {
          Thread startsThem =
              a.repeat(
                  ROUNDS,
                  "a visit",
                  () -> {
                    Thread visitor = b.pool.ofVirtual().unstarted(() -> b.atHome("a visit"));
                    visitor.start();
                    visitor.join();
                    try (ExecutorService ofB = b.pool.newThreadPerTaskExecutor()) {
                      ofB.submit(() -> b.atHome("a task")).get();
                    }
                  });
          Deadline.join(startsThem);
        });
  }

  // ---- one suffers, the other serves
  // -------------------------------------------------------------

  /**
   * More threads that compute without end than their pool has workers. The bound: the other pool's
   * threads take their steps within the deadline, on a machine whose processors the operating
   * system shares out; were they in one queue with the hogs, they would never begin, for no hog
   * ends before they are over.
   */
  @ParameterizedTest
  @MethodSource(MODES)
  void aPoolFullOfHogsDoesNotDelayTheOther(Mode mode) {
    AtomicBoolean stop = new AtomicBoolean();
    withTwo(
        mode,
        (a, b) -> {
          Thread[] hogs =
              Stream.generate(
                      () ->
                          a.repeat(
                              1,
                              "hogging",
                              () -> {
                                while (!stop.get()) {
                                  Thread.onSpinWait();
                                }
                              }))
                  .limit(8)
                  .toArray(Thread[]::new);
          try {
            Deadline.until(
                "workers of a are all taken, and threads wait",
                () -> a.pool.scheduler().stats().queued() > 0);
            BlockingQueue<Integer> queue = new SynchronousQueue<>();
            Thread puts = b.repeat(ROUNDS, "a put", () -> queue.put(1));
            Thread takes = b.repeat(ROUNDS, "a take", queue::take);
            Thread sleeps = b.repeat(20, "a sleep", () -> Thread.sleep(1)); // time is the subject
            Deadline.join(puts, takes, sleeps);
          } finally {
            stop.set(true);
          }
          Deadline.join(hogs);
        });
  }

  @ParameterizedTest
  @MethodSource(MODES)
  void aClosedPoolLeavesTheOtherServing(Mode mode) {
    try (Tenant b = new Tenant(mode, "b", 2)) {
      BlockingQueue<Integer> queue = new SynchronousQueue<>();
      AtomicBoolean stop = new AtomicBoolean();
      AtomicInteger steps = new AtomicInteger();
      Step step =
          () -> {
            Thread.sleep(1); // on b's clock
            steps.incrementAndGet();
          };
      Thread works = b.repeat(1, "work", () -> whileNot(stop, b, step));
      for (int round = 0; round < 20; round++) {
        Tenant a = new Tenant(mode, "a", 1 + round % 2);
        // Each asks the other for something, and gets it before a is closed.
        Thread puts = a.repeat(1, "a put", () -> queue.put(1));
        Thread takes = b.repeat(1, "a take", queue::take);
        Deadline.join(puts, takes);
        a.assertNobodyStrayed();
        a.close();
        assertThrows(RejectedExecutionException.class, () -> a.pool.ofVirtual().start(() -> {}));
        Deadline.join(b.repeat(1, "a yield", Thread::yield));
        int before = steps.get();
        Deadline.until("b works on", () -> steps.get() > before);
      }
      stop.set(true);
      Deadline.join(works);
      b.assertNobodyStrayed();
    }
  }

  private static void whileNot(AtomicBoolean stop, Tenant tenant, Step step) throws Exception {
    while (!stop.get()) {
      step.run();
      tenant.atHome("work");
    }
  }

  /** What waits for the other pool when that is closed is told by its caller, and stays. */
  @ParameterizedTest
  @MethodSource(MODES)
  void aThreadThatTheClosedPoolRefuses_staysInItsOwn(Mode mode) {
    withTwo(
        mode,
        (a, b) -> {
          b.close();
          AtomicInteger refused = new AtomicInteger();
          Thread starts =
              a.repeat(
                  ROUNDS,
                  "a refusal",
                  () -> {
                    try {
                      b.pool.ofVirtual().start(() -> b.atHome("a start after the end"));
                    } catch (RejectedExecutionException e) {
                      refused.incrementAndGet();
                    }
                  });
          Deadline.join(starts);
          assertEquals(ROUNDS, refused.get());
          assertTrue(b.pool.scheduler().isTerminated());
        });
  }

  @ParameterizedTest
  @MethodSource(MODES)
  void whatOnePoolThrowsTheOtherDoesNotHear(Mode mode) {
    List<String> heard = new ArrayList<>();
    try (CarrierPool a = throwing(mode, "a", heard);
        CarrierPool b = throwing(mode, "b", heard)) {
      AtomicInteger ofThreads = new AtomicInteger();
      Thread[] threads =
          Stream.generate(
                  () ->
                      a.ofVirtual()
                          .uncaughtExceptionHandler((t, e) -> ofThreads.incrementAndGet())
                          .start(IsolationTest::throwOnPurpose))
              .limit(100)
              .toArray(Thread[]::new);
      Deadline.join(threads);
      assertEquals(100, ofThreads.get());
      a.scheduler().execute(IsolationTest::throwOnPurpose);
      Deadline.until("a counts it", () -> a.scheduler().stats().uncaughtExceptions() == 1);
      AtomicBoolean served = new AtomicBoolean();
      Deadline.join(b.ofVirtual().start(() -> served.set(true)));
      assertTrue(served.get());
      assertEquals(0, b.scheduler().stats().uncaughtExceptions());
    }
    assertEquals(List.of("a"), heard);
  }

  private static CarrierPool throwing(Mode mode, String name, List<String> heard) {
    return CarrierPool.builder()
        .name("test-" + name)
        .mode(mode)
        .parallelism(1)
        .uncaughtExceptionHandler((thread, thrown) -> heard.add(name))
        .build();
  }

  private static void throwOnPurpose() {
    throw new IllegalStateException("thrown on purpose");
  }

  /** A tenant that works wakes no worker of one that does not (G4, G8). */
  @ParameterizedTest
  @MethodSource(MODES)
  void anIdlePoolSleepsThroughTheWorkOfTheOther(Mode mode) {
    withTwo(
        mode,
        (a, b) -> {
          Deadline.join(b.repeat(1, "a yield", Thread::yield));
          b.assertNobodyStrayed();
          SchedulerStats before = b.pool.scheduler().stats();
          Thread[] threads =
              Stream.generate(() -> a.repeat(20, "a sleep", () -> Thread.sleep(1)))
                  .limit(200)
                  .toArray(Thread[]::new);
          Deadline.join(threads);
          assertEquals(before.workers(), b.pool.scheduler().stats().workers());
        });
  }
}
