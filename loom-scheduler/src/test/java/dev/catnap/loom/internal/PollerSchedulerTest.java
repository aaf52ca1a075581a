package dev.catnap.loom.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.Flavor;
import dev.catnap.ThreadBudget;
import dev.catnap.loom.CarrierPool;
import dev.catnap.loom.CarrierPool.Mode;
import dev.catnap.loom.internal.OpenPools.Host;
import dev.catnap.loom.internal.jdk.JdkBridge;
import dev.catnap.loom.internal.jdk.JdkProbe;
import dev.catnap.loom.testing.Deadline;
import dev.catnap.loom.testing.NoThreadLeft;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Who carries the JDK's network pollers. They are played by a virtual thread on a scheduler like
 * theirs; the real ones are in {@code PrivilegesTest}.
 */
@ExtendWith(NoThreadLeft.class)
class PollerSchedulerTest {
  private static final String MODES = "dev.catnap.loom.testing.Modes#available";

  /** Not those of the JVM: other tests leave the common pool open. */
  private final OpenPools pools = new OpenPools();

  private CarrierPool open(Mode mode, int parallelism, int maxThreads) {
    return serve(
        CarrierPool.builder()
            .name("test")
            .mode(mode)
            .parallelism(parallelism)
            .maxThreads(maxThreads)
            .build());
  }

  private CarrierPool serve(CarrierPool pool) {
    pools.add(
        pool.scheduler()
            .adapter()
            .attach(
                ContinuationRouter.class,
                () -> {
                  throw new AssertionError("a pool without its router");
                }));
    return pool;
  }

  private CarrierPool open(Mode mode, int parallelism) {
    return open(mode, parallelism, 16);
  }

  /** Counts what goes to the JDK's default scheduler. */
  private static final class Otherwise implements Executor {
    final AtomicInteger executed = new AtomicInteger();
    private final Executor fallback = new Fallback(JdkProbe.require());

    @Override
    public void execute(Runnable continuation) {
      executed.incrementAndGet();
      fallback.execute(continuation);
    }
  }

  /** Parks; when it is woken it notes who carries it, and parks again. */
  private final class Poller implements AutoCloseable {
    final Otherwise otherwise = new Otherwise();
    final Thread thread;
    private final JdkBridge jdk = JdkProbe.require();
    private final AtomicReference<Thread> carrier = new AtomicReference<>();
    private volatile boolean yields;
    private volatile boolean over;

    Poller() {
      thread = jdk.newBuilder(new PollerScheduler(pools, otherwise)).start(this::run);
      awaitParked();
    }

    private void run() {
      while (!over) {
        if (yields) {
          Thread.yield();
        } else {
          LockSupport.park();
        }
        carrier.set(jdk.currentPlatformThread());
      }
    }

    void awaitParked() {
      Deadline.until("the poller parks", () -> thread.getState() == Thread.State.WAITING);
    }

    /** An event: the name of the thread that carries it then. */
    String wake() {
      carrier.set(null);
      LockSupport.unpark(thread);
      Deadline.until("the poller runs", () -> carrier.get() != null);
      awaitParked();
      return carrier.get().getName();
    }

    /** Events without end. */
    void traffic(boolean on) {
      yields = on;
      LockSupport.unpark(thread);
    }

    @Override
    public void close() {
      over = true;
      yields = false;
      LockSupport.unpark(thread);
      Deadline.join(thread);
    }
  }

  private static void assertOn(CarrierPool pool, String carrier) {
    assertTrue(carrier.startsWith(pool.scheduler().name() + "-worker-"), carrier);
  }

  private static void assertElsewhere(String carrier) {
    assertFalse(carrier.contains("-worker-") && carrier.startsWith("test"), carrier);
  }

  @ParameterizedTest
  @MethodSource(MODES)
  void theOnlyPoolCarriesThem_byOneWakeAndRestsAgain(Mode mode) {
    try (Poller poller = new Poller();
        CarrierPool pool = open(mode, 2)) {
      assertOn(pool, poller.wake());
      Deadline.untilParked(pool);
      var before = pool.scheduler().stats();
      int elsewhere = poller.otherwise.executed.get();
      for (int i = 0; i < 10; i++) {
        assertOn(pool, poller.wake());
        Deadline.untilParked(pool);
      }
      var after = pool.scheduler().stats();
      assertEquals(10, after.executed() - before.executed()); // G2
      assertEquals(10, after.wakes() - before.wakes()); // G3
      assertEquals(elsewhere, poller.otherwise.executed.get());
      assertEquals(0, after.armedTimers()); // G4: nobody wakes by himself
    }
  }

  /** G8: a pool that has nothing to do with somebody's network does not carry it. */
  @ParameterizedTest
  @MethodSource(MODES)
  void noneOfSeveralPoolsCarriesThem(Mode mode) {
    try (Poller poller = new Poller();
        CarrierPool pool = open(mode, 2)) {
      assertOn(pool, poller.wake());
      try (CarrierPool second = open(mode, 1)) {
        long before = pool.scheduler().stats().executed();
        assertElsewhere(poller.wake());
        assertEquals(before, pool.scheduler().stats().executed());
        assertEquals(0, second.scheduler().stats().executed());
      }
      assertOn(pool, poller.wake());
    }
  }

  /** Or they would wait for the end of its hogs, and everybody's network with them (G9). */
  @ParameterizedTest
  @MethodSource(MODES)
  void aPoolWithoutSparesDoesNotCarryThem(Mode mode) {
    try (Poller poller = new Poller();
        CarrierPool pool = open(mode, 2, 2)) {
      assertElsewhere(poller.wake());
      pool.scheduler().setParallelism(1);
      assertOn(pool, poller.wake());
    }
  }

  /** Others may have them all when its hogs need one. It counts as a pool all the same. */
  @ParameterizedTest
  @MethodSource(MODES)
  void aPoolWhoseSparesAreOfABudgetDoesNotCarryThem(Mode mode) {
    try (Poller poller = new Poller();
        CarrierPool budgeted =
            serve(
                CarrierPool.builder()
                    .name("test")
                    .mode(mode)
                    .parallelism(2)
                    .threadBudget(ThreadBudget.of(16))
                    .build())) {
      assertElsewhere(poller.wake());
      try (CarrierPool second = open(mode, 2)) {
        assertElsewhere(poller.wake());
        assertEquals(0, second.scheduler().stats().executed());
      }
      assertEquals(0, budgeted.scheduler().stats().executed());
    }
  }

  /**
   * Nobody replaces its workers. It counts as a pool all the same: no other one is the only one.
   */
  @ParameterizedTest
  @MethodSource(MODES)
  void aPoolWithAThreadPerCoreDoesNotCarryThem(Mode mode) {
    try (Poller poller = new Poller();
        CarrierPool perCore =
            serve(
                CarrierPool.builder()
                    .name("test")
                    .mode(mode)
                    .flavor(Flavor.THREAD_PER_CORE)
                    .parallelism(2)
                    .build())) {
      assertElsewhere(poller.wake());
      try (CarrierPool second = open(mode, 2)) {
        assertElsewhere(poller.wake());
        assertEquals(0, second.scheduler().stats().executed());
      }
      assertEquals(0, perCore.scheduler().stats().executed());
    }
  }

  @ParameterizedTest
  @MethodSource(MODES)
  void hogsDoNotStopThem(Mode mode) {
    CountDownLatch hogs = new CountDownLatch(2);
    CountDownLatch release = new CountDownLatch(1);
    try (Poller poller = new Poller();
        CarrierPool pool = open(mode, 2)) {
      for (int i = 0; i < 2; i++) {
        pool.ofVirtual()
            .start(
                () -> {
                  hogs.countDown();
                  while (release.getCount() > 0) {
                    Thread.onSpinWait();
                  }
                });
      }
      try {
        Deadline.await("both hog", hogs);
        assertOn(pool, poller.wake()); // on a spare
      } finally {
        release.countDown();
      }
    }
  }

  /**
   * G6: nobody knows when the network will be silent. The JDK gives a thread that yields on a
   * carrier to the pool of that carrier, without asking its scheduler.
   */
  @ParameterizedTest
  @MethodSource(MODES)
  void trafficWithoutEndDoesNotHoldUpClose(Mode mode) {
    try (Poller poller = new Poller()) {
      CarrierPool pool = open(mode, 2);
      assertOn(pool, poller.wake());
      poller.traffic(true);
      Deadline.until("it runs", () -> pool.scheduler().stats().executed() > 100);
      Deadline.join(Thread.ofPlatform().start(pool::close));
      assertTrue(pool.scheduler().isTerminated());
      int before = poller.otherwise.executed.get();
      poller.traffic(false);
      poller.awaitParked();
      Deadline.until(
          "its scheduler is asked", // a carrier that has not quite left it takes it up again itself
          () -> {
            assertElsewhere(poller.wake());
            return poller.otherwise.executed.get() > before;
          });
    }
  }

  /** F16. */
  @ParameterizedTest
  @MethodSource(MODES)
  void oneThatWaitsInTheQueueOfAPoolThatStopsGoesOnElsewhere(Mode mode) {
    CountDownLatch hogs = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    try (Poller poller = new Poller()) {
      CarrierPool pool = open(mode, 1, 2);
      // Both workers that there may be hog, the second as a spare.
      pool.scheduler()
          .execute(
              () -> {
                hogs.countDown();
                spinUntil(release);
              });
      pool.scheduler().execute(() -> spinUntil(release));
      Deadline.await("the first hogs", hogs);
      Deadline.until("the second too", () -> pool.scheduler().stats().executed() == 2);
      poller.carrier.set(null);
      LockSupport.unpark(poller.thread);
      Deadline.until("it is queued", () -> pool.scheduler().stats().queued() == 1);
      assertEquals(List.of(), pool.scheduler().shutdownNow()); // not somebody's task
      Deadline.until("it runs elsewhere", () -> poller.carrier.get() != null);
      assertElsewhere(poller.carrier.get().getName());
      release.countDown();
      pool.close();
    } finally {
      release.countDown();
    }
  }

  private static void spinUntil(CountDownLatch release) {
    while (release.getCount() > 0) {
      Thread.onSpinWait();
    }
  }

  /** Both races of {@link PollerScheduler}: refused, and accepted at the last moment (G2). */
  @ParameterizedTest
  @MethodSource(MODES)
  void eventsWhilePoolsOpenAndCloseAreNotLost(Mode mode) {
    try (Poller poller = new Poller()) {
      for (int i = 0; i < 100; i++) {
        CarrierPool pool = open(mode, 1);
        Thread closer = Thread.ofPlatform().start(pool::close);
        assertFalse(poller.wake().isEmpty());
        Deadline.join(closer);
      }
    }
  }

  // ---- with pools that are none

  private static class Fake implements Host {
    boolean open = true;
    boolean accepts = true;
    final List<Runnable> carried = new ArrayList<>();

    @Override
    public boolean isOpen() {
      return open;
    }

    @Override
    public boolean hasSpares() {
      return true;
    }

    @Override
    public boolean carry(Runnable continuation) {
      if (accepts) {
        carried.add(continuation);
      }
      return accepts;
    }
  }

  private final List<Runnable> elsewhere = new ArrayList<>();
  private final PollerScheduler scheduler = new PollerScheduler(pools, elsewhere::add);

  @SuppressWarnings("UnnecessaryLambda") // told by its identity
  private final Runnable continuation = () -> {};

  @Test
  void whatThePoolRefusesGoesElsewhere() {
    Fake pool = new Fake();
    pools.add(pool);
    scheduler.execute(continuation);
    assertEquals(List.of(continuation), pool.carried);
    pool.accepts = false;
    scheduler.execute(continuation);
    assertEquals(List.of(continuation), elsewhere);
  }

  /** The master poller of the JDK does not survive an error. */
  @Test
  void whatThePoolHasNoMemoryForGoesElsewhere() {
    Fake pool =
        new Fake() {
          @Override
          public boolean carry(Runnable c) {
            throw new OutOfMemoryError("a test");
          }
        };
    pools.add(pool);
    scheduler.execute(continuation);
    assertEquals(List.of(continuation), elsewhere);
  }

  @Test
  void oneThatIsLeftOfSeveralIsTheOnlyOne() {
    assertNull(pools.only());
    Fake first = new Fake();
    Fake second = new Fake();
    pools.add(first);
    assertSame(first, pools.only());
    pools.add(second);
    assertNull(pools.only());
    first.open = false;
    assertSame(second, pools.only());
    second.open = false;
    assertNull(pools.only());
  }

  @Test
  void whileTheyAreMadeEachContinuationHasAThreadOfItsOwn() {
    pools.add(new Fake());
    scheduler.settling(true);
    AtomicReference<Thread> thread = new AtomicReference<>();
    scheduler.execute(() -> thread.set(Thread.currentThread()));
    Deadline.until("it ran", () -> thread.get() != null);
    Deadline.join(thread.get());
    assertEquals(List.of(), elsewhere);
  }
}
