package dev.catnap.loom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.catnap.Flavor;
import dev.catnap.WorkStealingScheduler;
import dev.catnap.loom.CarrierPool.Mode;
import dev.catnap.loom.testing.Deadline;
import dev.catnap.loom.testing.Modes;
import dev.catnap.loom.testing.NoThreadLeft;
import dev.catnap.spi.Timer;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * G6 and F16: a pool that was closed starts nothing, and strands nothing that was started. What
 * waits for a time: {@link TimedWaitsOutliveThePoolTest}.
 */
@ExtendWith(NoThreadLeft.class)
class ClosedPoolTest {
  private static final String MODES = "dev.catnap.loom.testing.Modes#available";

  @ParameterizedTest
  @MethodSource(MODES)
  void aParkedThreadCompletes(Mode mode) {
    CarrierPool pool = Modes.pool(mode, 2);
    AtomicInteger woken = new AtomicInteger();
    Thread parked =
        pool.ofVirtual()
            .start(
                () -> {
                  for (int i = 0; i < 3; i++) { // parks again where it was brought to
                    int round = i;
                    while (woken.get() <= round) {
                      LockSupport.park();
                    }
                    Thread.yield();
                  }
                });
    awaitState(parked, Thread.State.WAITING);
    pool.close();
    for (int i = 0; i < 3; i++) {
      woken.incrementAndGet();
      LockSupport.unpark(parked);
    }
    Deadline.join(parked);
  }

  @ParameterizedTest
  @MethodSource(MODES)
  void aThreadThatWaitsForAMonitorCompletes(Mode mode) throws Exception {
    assumeTrue(unmountsInMonitors(), "this JDK holds the worker in monitors: close waits for it");
    CarrierPool pool = Modes.pool(mode, 2);
    Object monitor = new Object();
    Thread blocked;
    synchronized (monitor) {
      blocked = pool.ofVirtual().start(() -> enter(monitor));
      awaitState(blocked, Thread.State.BLOCKED);
    }
    Deadline.join(blocked);
    Thread waiting = pool.ofVirtual().start(() -> waitOn(monitor));
    awaitState(waiting, Thread.State.WAITING);
    synchronized (monitor) {
      blocked = pool.ofVirtual().start(() -> enter(monitor));
      awaitState(blocked, Thread.State.BLOCKED);
      pool.close();
    }
    Deadline.join(blocked);
    synchronized (monitor) {
      monitor.notifyAll();
    }
    Deadline.join(waiting);
  }

  private static boolean unmountsInMonitors() {
    return Runtime.version().feature() >= 24; // JEP 491
  }

  private static void enter(Object monitor) {
    synchronized (monitor) {
      Thread.yield();
    }
  }

  @SuppressWarnings("WaitNotInLoop") // a spurious wake ends it early: that harms nobody here
  private static void waitOn(Object monitor) {
    synchronized (monitor) {
      try {
        monitor.wait();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  @ParameterizedTest
  @MethodSource(MODES)
  void anInterruptedThreadCompletes(Mode mode) {
    CarrierPool pool = Modes.pool(mode, 1);
    Thread parked = pool.ofVirtual().start(LockSupport::park);
    awaitState(parked, Thread.State.WAITING);
    pool.close();
    parked.interrupt();
    Deadline.join(parked);
  }

  @ParameterizedTest
  @MethodSource(MODES)
  void aStartIsRefusedAndTheThreadIsOver(Mode mode) throws Exception {
    CarrierPool pool = Modes.pool(mode, 1);
    Thread parked =
        pool.ofVirtual()
            .start(
                () -> {
                  LockSupport.park();
                  Thread child = Thread.ofVirtual().unstarted(() -> {});
                  assertThrows(RejectedExecutionException.class, child::start);
                });
    awaitState(parked, Thread.State.WAITING);
    pool.close();
    Thread late = pool.ofVirtual().unstarted(() -> {});
    RejectedExecutionException refusal =
        assertThrows(RejectedExecutionException.class, late::start);
    assertTrue(refusal.getMessage().contains("closed"), refusal::getMessage);
    assertEquals(Thread.State.TERMINATED, late.getState());
    late.join();
    AtomicReference<Throwable> failed = new AtomicReference<>();
    parked.setUncaughtExceptionHandler((t, e) -> failed.set(e));
    LockSupport.unpark(parked);
    Deadline.join(parked);
    assertNull(failed.get(), "a child of a thread that outlived its pool");
  }

  /**
   * As a {@code /shutdown} handler is. What is done about timers that will not fire is foreign
   * code: here it makes the calling virtual thread unmount, and its worker must take it up again.
   */
  @ParameterizedTest
  @MethodSource(MODES)
  void aVirtualThreadOfThePoolMayShutItDownNow(Mode mode) {
    CarrierPool pool = Modes.pool(mode, 1);
    AtomicInteger refused = new AtomicInteger();
    Thread caller =
        pool.ofVirtual()
            .start(
                () -> {
                  for (int i = 0; i < 10; i++) {
                    pool.scheduler().adapter().arm(new YieldsWhenRefused(refused), Long.MAX_VALUE);
                  }
                  var unused = pool.scheduler().shutdownNow();
                });
    Deadline.join(caller);
    assertEquals(10, refused.get());
    pool.close();
  }

  private static final class YieldsWhenRefused extends Timer {
    private final AtomicInteger refused;

    YieldsWhenRefused(AtomicInteger refused) {
      this.refused = refused;
    }

    @Override
    public void run() {
      throw new AssertionError("in 292 years");
    }

    @Override
    protected void refused() {
      Thread.yield();
      refused.incrementAndGet();
    }
  }

  @ParameterizedTest
  @MethodSource(MODES)
  void shutdownNowStrandsNoVirtualThread(Mode mode) throws Exception {
    CarrierPool pool = Modes.pool(mode, 1);
    CountDownLatch busy = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    AtomicInteger ran = new AtomicInteger();
    Thread[] parked = new Thread[50];
    for (int i = 0; i < parked.length; i++) {
      parked[i] =
          pool.ofVirtual()
              .start(
                  () -> {
                    LockSupport.park();
                    ran.incrementAndGet();
                  });
      awaitState(parked[i], Thread.State.WAITING);
    }
    pool.scheduler()
        .execute(
            () -> {
              busy.countDown();
              while (release.getCount() > 0) { // the interrupt of shutdownNow does not end it
                Thread.onSpinWait();
              }
            });
    Deadline.await("the only worker is busy", busy);
    Thread[] started = new Thread[50];
    for (int i = 0; i < started.length; i++) {
      started[i] = pool.ofVirtual().start(ran::incrementAndGet);
      LockSupport.unpark(parked[i]);
    }
    Runnable plain = () -> {};
    pool.scheduler().execute(plain);
    List<Runnable> left = pool.scheduler().shutdownNow();
    assertEquals(List.of(plain), left, "tasks that are no virtual threads");
    Deadline.join(started);
    Deadline.join(parked);
    assertEquals(100, ran.get());
    release.countDown();
    pool.close();
  }

  /**
   * G6, F14: neither it nor its carrier. A carrier that stays interrupted makes each park of a
   * pinned virtual thread return at once.
   */
  @ParameterizedTest
  @MethodSource(MODES)
  void shutdownNowInterruptsNoVirtualThread(Mode mode) throws Exception {
    CarrierPool pool = Modes.pool(mode, 1);
    CountDownLatch mounted = new CountDownLatch(1);
    AtomicBoolean over = new AtomicBoolean();
    AtomicBoolean interrupted = new AtomicBoolean();
    Thread[] carrier = new Thread[1];
    Thread virtual =
        pool.ofVirtual()
            .start(
                () -> {
                  carrier[0] = workerOf(pool);
                  mounted.countDown();
                  while (!over.get()) {
                    Thread.onSpinWait();
                  }
                  interrupted.set(Thread.interrupted());
                });
    Deadline.await("it is mounted", mounted);
    assertEquals(List.of(), pool.scheduler().shutdownNow());
    boolean carriers = carrier[0].isInterrupted();
    over.set(true);
    Deadline.join(virtual);
    pool.close();
    assertFalse(carriers, "its carrier");
    assertFalse(interrupted.get(), "it itself");
  }

  private static Thread workerOf(CarrierPool pool) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(t -> t.getName().startsWith(pool.scheduler().name() + "-worker-"))
        .findFirst()
        .orElseThrow();
  }

  /** F20. */
  @ParameterizedTest
  @MethodSource(MODES)
  void closeInsideAVirtualThreadAndTwice(Mode mode) {
    CarrierPool pool = Modes.pool(mode, 2);
    Deadline.join(
        pool.ofVirtual()
            .start(
                () -> {
                  pool.close();
                  Thread.yield();
                  pool.close();
                }));
    pool.close();
    assertTrue(pool.scheduler().isTerminated());
  }

  @ParameterizedTest
  @MethodSource(MODES)
  void closeOfThePerTaskExecutorWaits(Mode mode) {
    AtomicInteger over = new AtomicInteger();
    try (CarrierPool pool = Modes.pool(mode, 2)) {
      try (ExecutorService executor = pool.newThreadPerTaskExecutor()) {
        for (int i = 0; i < 100; i++) {
          executor.execute(
              () -> {
                LockSupport.parkNanos(1_000_000);
                over.incrementAndGet();
              });
        }
      }
      assertEquals(100, over.get());
      assertFalse(pool.scheduler().isShutdown());
    }
  }

  /** F13, with virtual threads: each start ran or was refused. */
  @ParameterizedTest
  @MethodSource(MODES)
  void startsThatRaceWithClose(Mode mode) throws Exception {
    for (int round = 0; round < 50; round++) {
      CarrierPool pool = Modes.pool(mode, 2);
      AtomicInteger ran = new AtomicInteger();
      AtomicInteger accepted = new AtomicInteger();
      AtomicBoolean giveUp = new AtomicBoolean();
      CountDownLatch going = new CountDownLatch(100);
      Thread starter =
          new Thread(
              () -> {
                try {
                  while (!giveUp.get()) {
                    pool.ofVirtual().start(yieldAndThen(ran::incrementAndGet));
                    accepted.incrementAndGet();
                    going.countDown();
                  }
                } catch (RejectedExecutionException e) {
                  assertTrue(pool.scheduler().isShutdown());
                }
              });
      starter.start();
      Deadline.await("starts", going);
      pool.close();
      try {
        Deadline.until("a start is refused", () -> !starter.isAlive());
      } finally {
        giveUp.set(true);
      }
      Deadline.until("accepted starts ran", () -> ran.get() == accepted.get());
    }
  }

  /**
   * The scheduler does not hold what is attached to it. Its workers hold the routers of all virtual
   * threads: those of another core would not.
   */
  @Test
  void aPoolThatNobodyHolds_strandsNothingEither() {
    AtomicReference<CarrierPool> pool =
        new AtomicReference<>(
            CarrierPool.builder()
                .mode(Mode.PLATFORM_THREADS)
                .flavor(Flavor.THREAD_PER_CORE)
                .parallelism(2)
                .build());
    WorkStealingScheduler scheduler = pool.get().scheduler();
    AtomicReference<Thread> queued = new AtomicReference<>();
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    scheduler
        .confinedTo(1)
        .execute(
            () -> {
              queued.set(startAndForget(pool));
              begun.countDown();
              awaitIgnoringInterrupts(release);
            });
    Deadline.await("it lies behind this task", begun);
    WeakReference<Object> other = new WeakReference<>(new Object());
    Deadline.until(
        "a collection has taken place",
        () -> {
          System.gc();
          return other.get() == null;
        });
    assertEquals(List.of(), scheduler.shutdownNow());
    Deadline.join(queued.get());
    release.countDown();
    scheduler.close();
  }

  private static Thread startAndForget(AtomicReference<CarrierPool> pool) {
    return pool.getAndSet(null).ofVirtual().start(() -> {});
  }

  private static void awaitIgnoringInterrupts(CountDownLatch latch) {
    while (latch.getCount() != 0) {
      Thread.yield();
    }
  }

  private static Runnable yieldAndThen(Runnable step) {
    return () -> {
      Thread.yield();
      step.run();
    };
  }

  @Test
  void theCommonPoolCannotBeClosed() {
    assertThrows(UnsupportedOperationException.class, () -> CarrierPool.common().close());
  }

  private static void awaitState(Thread thread, Thread.State state) {
    Deadline.until("a virtual thread is " + state, () -> thread.getState() == state);
  }
}
