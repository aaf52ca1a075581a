package dev.catnap.loom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.loom.testing.Deadline;
import dev.catnap.loom.testing.NoThreadLeft;
import dev.catnap.loom.testing.Side;
import dev.catnap.loom.testing.Side.VirtualThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** G12: what virtual threads do on the JDK's scheduler, they do here: one body for both. */
@ExtendWith(NoThreadLeft.class)
class FaithfulVirtualThreadsTest {
  private static final String SIDES = "dev.catnap.loom.testing.Side#available";

  @ParameterizedTest
  @MethodSource(SIDES)
  void parkAndUnparkManyTimes(Side side) {
    try (VirtualThreads on = side.open(2)) {
      AtomicInteger turn = new AtomicInteger();
      int rounds = 20_000;
      Thread parks =
          on.ofVirtual()
              .start(
                  () -> {
                    for (int i = 1; i < rounds; i += 2) {
                      while (turn.get() != i) {
                        LockSupport.park();
                      }
                      turn.set(i + 1);
                    }
                  });
      for (int i = 0; i < rounds; i += 2) {
        int mine = i;
        Deadline.until("turn " + i, () -> turn.get() == mine);
        turn.set(i + 1);
        LockSupport.unpark(parks);
      }
      Deadline.join(parks);
    }
  }

  @ParameterizedTest
  @MethodSource(SIDES)
  void sleepAndTimedParkAreNotEarly(Side side) {
    try (VirtualThreads on = side.open(2)) {
      AtomicInteger early = new AtomicInteger();
      Thread[] threads = new Thread[100];
      for (int i = 0; i < threads.length; i++) {
        Duration time = Duration.ofMillis(1 + i % 20);
        threads[i] =
            on.ofVirtual()
                .start(
                    () -> {
                      long start = System.nanoTime();
                      try {
                        Thread.sleep(time); // the time is the subject
                      } catch (InterruptedException e) {
                        early.incrementAndGet();
                      }
                      if (System.nanoTime() - start < time.toNanos()) {
                        early.incrementAndGet();
                      }
                    });
      }
      Deadline.join(threads);
      assertEquals(0, early.get(), "woken early");
    }
  }

  @ParameterizedTest
  @MethodSource(SIDES)
  void aTimeLimitThatIsNotReachedIsDisarmed(Side side) {
    try (VirtualThreads on = side.open(1)) {
      Thread parks =
          on.ofVirtual().start(() -> LockSupport.parkNanos(Duration.ofHours(1).toNanos()));
      Deadline.until("it is parked", () -> parks.getState() == Thread.State.TIMED_WAITING);
      if (side == Side.CARRIER_THREADS) {
        assertEquals(1, armedTimers(on), "on the scheduler's clock");
      }
      LockSupport.unpark(parks);
      Deadline.join(parks);
      assertEquals(0, armedTimers(on));
    }
  }

  private static int armedTimers(VirtualThreads on) {
    CarrierPool pool = on.pool();
    return pool == null ? 0 : pool.scheduler().stats().armedTimers();
  }

  @ParameterizedTest
  @MethodSource(SIDES)
  void monitorsExclude(Side side) {
    Object monitor = new Object();
    exclude(
        side,
        section -> {
          synchronized (monitor) {
            section.run();
          }
        });
  }

  @ParameterizedTest
  @MethodSource(SIDES)
  void reentrantLocksExclude(Side side) {
    ReentrantLock lock = new ReentrantLock();
    exclude(
        side,
        section -> {
          lock.lock();
          try {
            section.run();
          } finally {
            lock.unlock();
          }
        });
  }

  private interface Exclusion {
    void around(Runnable section);
  }

  private static void exclude(Side side, Exclusion exclusion) {
    int[] unguarded = new int[1];
    try (VirtualThreads on = side.open(3)) {
      Thread[] threads = new Thread[20];
      for (int i = 0; i < threads.length; i++) {
        threads[i] =
            on.ofVirtual()
                .start(
                    () -> {
                      for (int n = 0; n < 200; n++) {
                        exclusion.around(
                            () -> {
                              int seen = unguarded[0];
                              Thread.yield(); // let the others collide
                              unguarded[0] = seen + 1;
                            });
                      }
                    });
      }
      Deadline.join(threads);
    }
    assertEquals(20 * 200, unguarded[0]);
  }

  @ParameterizedTest
  @MethodSource(SIDES)
  void waitAndNotify(Side side) {
    Object monitor = new Object();
    List<String> taken = new ArrayList<>();
    List<String> box = new ArrayList<>();
    try (VirtualThreads on = side.open(2)) {
      Thread takes = on.ofVirtual().start(() -> takeAll(monitor, box, taken));
      Thread gives =
          on.ofVirtual()
              .start(
                  () -> {
                    for (int i = 0; i < 100; i++) {
                      synchronized (monitor) {
                        box.add("item " + i);
                        monitor.notifyAll();
                      }
                    }
                  });
      Deadline.join(takes, gives);
    }
    assertEquals(100, taken.size());
    assertEquals("item 99", taken.get(99));
  }

  private static void takeAll(Object monitor, List<String> box, List<String> taken) {
    synchronized (monitor) {
      while (taken.size() < 100) {
        while (box.isEmpty()) {
          try {
            monitor.wait(1_000); // timed, so that its time limit is armed and disarmed as well
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        }
        taken.addAll(box);
        box.clear();
      }
    }
  }

  @ParameterizedTest
  @MethodSource(SIDES)
  void synchronousQueuePingPong(Side side) {
    SynchronousQueue<Integer> there = new SynchronousQueue<>();
    SynchronousQueue<Integer> back = new SynchronousQueue<>();
    AtomicInteger sum = new AtomicInteger();
    try (VirtualThreads on = side.open(2)) {
      Thread ping =
          on.ofVirtual()
              .start(
                  () -> {
                    for (int i = 0; i < 2_000; i++) {
                      put(there, i);
                      sum.addAndGet(take(back));
                    }
                  });
      Thread pong =
          on.ofVirtual()
              .start(
                  () -> {
                    for (int i = 0; i < 2_000; i++) {
                      put(back, take(there));
                    }
                  });
      Deadline.join(ping, pong);
    }
    assertEquals(1_999 * 1_000, sum.get());
  }

  private static void put(SynchronousQueue<Integer> queue, int value) {
    try {
      queue.put(value);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static int take(SynchronousQueue<Integer> queue) {
    try {
      return queue.take();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @MethodSource(SIDES)
  void anInterruptWakesASleeperAndStaysWithItsThread(Side side) {
    try (VirtualThreads on = side.open(1)) {
      AtomicReference<String> seen = new AtomicReference<>();
      Thread sleeper =
          on.ofVirtual()
              .start(
                  () -> {
                    try {
                      Thread.sleep(Duration.ofHours(1)); // interrupted at once
                    } catch (InterruptedException e) {
                      seen.set("interrupted, flag " + Thread.currentThread().isInterrupted());
                      Thread.currentThread().interrupt(); // left behind
                    }
                  });
      Deadline.until("asleep", () -> sleeper.getState() == Thread.State.TIMED_WAITING);
      sleeper.interrupt();
      Deadline.join(sleeper);
      assertEquals("interrupted, flag false", seen.get());
      AtomicBoolean leaked = new AtomicBoolean(true);
      Deadline.join(on.ofVirtual().start(() -> leaked.set(Thread.currentThread().isInterrupted())));
      assertFalse(leaked.get(), "the next virtual thread on that carrier (G7)");
      CarrierPool pool = on.pool();
      if (pool == null) {
        return; // it runs nothing else
      }
      leaked.set(true);
      CountDownLatch ran = new CountDownLatch(1);
      pool.scheduler()
          .execute(
              () -> {
                leaked.set(Thread.currentThread().isInterrupted());
                ran.countDown();
              });
      Deadline.await("a task", ran);
      assertFalse(leaked.get(), "the next task on that worker (G7)");
    }
  }

  @ParameterizedTest
  @MethodSource(SIDES)
  void threadLocalsBelongToTheVirtualThread(Side side) {
    ThreadLocal<String> local = new ThreadLocal<>();
    try (VirtualThreads on = side.open(1)) {
      AtomicReference<String> other = new AtomicReference<>("not run");
      AtomicReference<String> own = new AtomicReference<>();
      Thread sets =
          on.ofVirtual()
              .start(
                  () -> {
                    local.set("mine");
                    Thread.yield();
                    own.set(local.get());
                  });
      Thread looks = on.ofVirtual().start(() -> other.set(local.get()));
      Deadline.join(sets, looks);
      assertEquals("mine", own.get());
      assertNull(other.get());
    }
  }

  @ParameterizedTest
  @MethodSource(SIDES)
  void aStackTraceOfAWaitingThreadDoesNotStopIt(Side side) {
    try (VirtualThreads on = side.open(2)) {
      AtomicBoolean stop = new AtomicBoolean();
      AtomicInteger rounds = new AtomicInteger();
      Thread works =
          on.ofVirtual()
              .start(
                  () -> {
                    while (!stop.get()) {
                      Thread.yield();
                      LockSupport.parkNanos(1_000);
                      rounds.incrementAndGet();
                    }
                  });
      Deadline.until("it has begun", () -> rounds.get() > 0);
      // Each look at an unmounted thread may submit it a second time, which is legal (F25).
      for (int i = 0; i < 1_000; i++) {
        String trace = Arrays.toString(works.getStackTrace());
        assertTrue(trace.contains(getClass().getName()), trace);
      }
      int before = rounds.get();
      Deadline.until("it still goes on", () -> rounds.get() > before);
      stop.set(true);
      Deadline.join(works);
      CarrierPool pool = on.pool();
      if (pool != null) {
        Deadline.until("both workers sleep", () -> pool.scheduler().stats().parkedWorkers() == 2);
        Deadline.untilBalanced(pool); // second submissions run as well
        assertEquals(0, pool.scheduler().stats().uncaughtExceptions(), "and do no harm");
      }
    }
  }

  @ParameterizedTest
  @MethodSource(SIDES)
  void whatAVirtualThreadThrowsGoesToItsHandler(Side side) {
    AtomicReference<Throwable> caught = new AtomicReference<>();
    try (VirtualThreads on = side.open(1)) {
      Deadline.join(
          on.ofVirtual()
              .uncaughtExceptionHandler((thread, thrown) -> caught.set(thrown))
              .start(
                  () -> {
                    throw new IllegalStateException("thrown on purpose");
                  }));
      assertEquals("thrown on purpose", caught.get().getMessage());
      CarrierPool pool = on.pool();
      if (pool != null) {
        assertEquals(0, pool.scheduler().stats().uncaughtExceptions());
      }
    }
  }
}
