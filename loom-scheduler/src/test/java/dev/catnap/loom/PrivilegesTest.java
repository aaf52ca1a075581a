package dev.catnap.loom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.catnap.loom.CarrierPool.Mode;
import dev.catnap.loom.testing.Deadline;
import dev.catnap.loom.testing.ForkedJvm;
import dev.catnap.loom.testing.Modes;
import dev.catnap.loom.testing.NoThreadLeft;
import dev.catnap.loom.testing.PollersProbe;
import dev.catnap.loom.testing.SpinProbe;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What the JDK gives to its own scheduler and not to any {@code Executor}, and carriers of Catnap
 * have again (G12). The compensation of blocking operations is in {@link CompensationTest}; what
 * needs the default scheduler of the JVM, the MXBean and {@code jcmd}, is tested with the agent.
 */
@ExtendWith(NoThreadLeft.class)
class PrivilegesTest {
  private static final String MODES = "dev.catnap.loom.testing.Modes#available";

  /** The JDK does so for a virtual thread that was unparked before it was quite parked. */
  @Test
  void aLazySubmitWakesNobody_andRunsNextOnItsCarrier() {
    assumeTrue(Modes.available().contains(Mode.CARRIER_THREADS), "needs carrier threads");
    try (CarrierPool pool =
        Modes.builder(Mode.CARRIER_THREADS, 4).tuning(Modes.lateSentinel()).build()) {
      Deadline.untilParked(pool);
      long wakes = pool.scheduler().stats().wakes();
      AtomicReference<Thread> submitter = new AtomicReference<>();
      AtomicReference<Thread> runner = new AtomicReference<>();
      CountDownLatch ran = new CountDownLatch(1);
      pool.scheduler()
          .execute(
              () -> {
                ForkJoinWorkerThread carrier = (ForkJoinWorkerThread) Thread.currentThread();
                submitter.set(carrier);
                var ignored =
                    carrier
                        .getPool()
                        .lazySubmit(
                            ForkJoinTask.adapt(
                                () -> {
                                  runner.set(Thread.currentThread());
                                  ran.countDown();
                                }));
              });
      Deadline.await("it ran", ran);
      assertSame(submitter.get(), runner.get());
      Deadline.untilParked(pool);
      assertEquals(wakes + 1, pool.scheduler().stats().wakes(), "that of the task itself");
    }
  }

  /** First in, first out holds for it as well. */
  @Test
  void aLazySubmitGoesBehindWhatItsCarrierHasQueued() {
    assumeTrue(Modes.available().contains(Mode.CARRIER_THREADS), "needs carrier threads");
    try (CarrierPool pool = Modes.pool(Mode.CARRIER_THREADS, 1)) {
      Queue<String> order = new ConcurrentLinkedQueue<>();
      CountDownLatch ran = new CountDownLatch(2);
      pool.scheduler()
          .execute(
              () -> {
                pool.scheduler().execute(() -> note(order, "queued", ran));
                var ignored =
                    ((ForkJoinWorkerThread) Thread.currentThread())
                        .getPool()
                        .lazySubmit(ForkJoinTask.adapt(() -> note(order, "lazy", ran)));
              });
      Deadline.await("both ran", ran);
      assertEquals(List.of("queued", "lazy"), List.copyOf(order));
    }
  }

  /** Whoever runs on a carrier gets hold of what the JDK takes for its pool. */
  @Test
  void aTaskDoesNotShutItsPoolDownByWayOfItsCarrier() {
    assumeTrue(Modes.available().contains(Mode.CARRIER_THREADS), "needs carrier threads");
    try (CarrierPool pool = Modes.pool(Mode.CARRIER_THREADS, 1)) {
      AtomicReference<ForkJoinPool> facade = new AtomicReference<>();
      pool.scheduler()
          .execute(() -> facade.set(((ForkJoinWorkerThread) Thread.currentThread()).getPool()));
      Deadline.until("it ran", () -> facade.get() != null);
      for (Executable end :
          List.<Executable>of(
              facade.get()::shutdown, facade.get()::shutdownNow, facade.get()::close)) {
        var refused = assertThrows(UnsupportedOperationException.class, end);
        assertTrue(refused.getMessage().endsWith("is closed by its owner"), refused::getMessage);
      }
      assertFalse(facade.get().isShutdown());
      Deadline.join(pool.ofVirtual().start(() -> {}));
    }
  }

  private static void note(Queue<String> order, String what, CountDownLatch ran) {
    order.add(what);
    ran.countDown();
  }

  /** As the JDK's external submit does, if the queue of the carrier is empty. */
  @ParameterizedTest
  @MethodSource(MODES)
  void aYieldLetsWhatWaitsFromOutsideGoFirst(Mode mode) {
    try (CarrierPool pool = Modes.pool(mode, 1)) {
      Queue<String> order = new ConcurrentLinkedQueue<>();
      CountDownLatch started = new CountDownLatch(1);
      CountDownLatch submitted = new CountDownLatch(1);
      Thread yields =
          pool.ofVirtual()
              .start(
                  () -> {
                    started.countDown();
                    while (submitted.getCount() > 0) {
                      Thread.onSpinWait(); // holds the only carrier
                    }
                    order.add("before");
                    Thread.yield();
                    order.add("after");
                  });
      Deadline.await("it runs", started);
      Thread other = pool.ofVirtual().start(() -> order.add("from outside"));
      submitted.countDown();
      Deadline.join(yields, other);
      assertEquals(List.of("before", "from outside", "after"), List.copyOf(order));
    }
  }

  /** Plain platform threads leave them to a timer thread of the JDK. */
  @Test
  void sleepsAndTimedParksAreTimersOfTheScheduler() {
    assumeTrue(Modes.available().contains(Mode.CARRIER_THREADS), "needs carrier threads");
    try (CarrierPool pool = Modes.pool(Mode.CARRIER_THREADS, 2)) {
      Thread sleeper = pool.ofVirtual().start(() -> LockSupport.parkNanos(Long.MAX_VALUE / 2));
      Deadline.until("its timer is armed", () -> pool.scheduler().stats().armedTimers() == 1);
      LockSupport.unpark(sleeper);
      Deadline.join(sleeper);
      Deadline.until(
          "and cancelled when it goes on", () -> pool.scheduler().stats().armedTimers() == 0);
    }
  }

  /** Or everybody's network would depend on the end of one; while it is the only one it polls. */
  @Test
  void networkPollersBelongToNoPool() throws Exception {
    assertEquals(POLLERS, whoPolls(probePollers(List.of())));
  }

  /** Where a pool is made in the only virtual thread that can run, nothing waits for another. */
  @Test
  void networkPollersAreMadeWithoutTheSchedulerOfTheJdk() throws Exception {
    assertEquals(POLLERS, whoPolls(probePollersOnOneCarrier()));
  }

  /** They wait for nothing that waits for them: else a pool goes on without them after 10 s. */
  @Tag("timing")
  @Test
  void networkPollersComeSoon() throws Exception {
    assertEquals("made soon: true", probePollers(List.of()).get(0));
    assertEquals("made soon: true", probePollersOnOneCarrier().get(0));
  }

  /** On JDK 21 they are platform threads. */
  private static final boolean POLLERS_ARE_VIRTUAL = Runtime.version().feature() > 21;

  private static final List<String> POLLERS =
      List.of(
          "received on a core 42",
          "pollers that belong to a core: 0",
          "received by the pool 42",
          "pollers that belong to the pool: 0",
          "received elsewhere 42",
          "the only pool polls: " + POLLERS_ARE_VIRTUAL,
          "received 42",
          "one of two polls: false",
          "received without a pool 42");

  /** All but the first line, which is about time. */
  private static List<String> whoPolls(List<String> lines) {
    return lines.subList(1, lines.size());
  }

  private static List<String> probePollersOnOneCarrier() throws Exception {
    return probePollers(
        List.of(
            "-Djdk.virtualThreadScheduler.parallelism=1",
            "-Djdk.virtualThreadScheduler.maxPoolSize=1"),
        "in a virtual thread");
  }

  private static List<String> probePollers(List<String> more, String... arguments)
      throws Exception {
    List<String> options =
        ForkedJvm.onClassPath(
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED",
            "--add-exports=java.base/jdk.internal.vm=ALL-UNNAMED");
    options.addAll(more);
    return ForkedJvm.run(options, PollersProbe.class, arguments);
  }

  /** Or it would keep its carrier from the partner that waits behind it. */
  @Test
  void whoWaitsInASynchronousQueueParksAtOnce() throws Exception {
    assumeTrue(Modes.available().contains(Mode.CARRIER_THREADS), "needs carrier threads");
    List<String> lines =
        ForkedJvm.run(
            ForkedJvm.onClassPath(
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "--add-opens=java.base/java.util.concurrent=ALL-UNNAMED",
                "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED"),
            SpinProbe.class);
    assertEquals(List.of("something else to do: true", "something else to do: true"), lines);
  }

  @Test
  void aDumpTellsWhatACarrierCarries() {
    assumeTrue(Modes.available().contains(Mode.CARRIER_THREADS), "needs the export");
    try (CarrierPool pool = Modes.pool(Mode.CARRIER_THREADS, 1)) {
      CountDownLatch running = new CountDownLatch(1);
      CountDownLatch release = new CountDownLatch(1);
      Thread hog =
          pool.ofVirtual()
              .name("the-hog")
              .start(
                  () -> {
                    running.countDown();
                    while (release.getCount() > 0) {
                      Thread.onSpinWait();
                    }
                  });
      try {
        Deadline.await("it runs", running);
        String dump = pool.scheduler().dump();
        assertTrue(dump.contains("test-worker-0: awake"), dump);
        assertTrue(dump.contains(", carries VirtualThread[#"), dump);
        assertTrue(dump.contains("the-hog"), dump);
        assertTrue(dump.contains("aDumpTellsWhatACarrierCarries"), dump); // a frame of its stack
      } finally {
        release.countDown();
      }
      Deadline.join(hog);
    }
  }
}
