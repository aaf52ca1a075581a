package dev.catnap.loom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.loom.CarrierPool.Mode;
import dev.catnap.loom.testing.Deadline;
import dev.catnap.loom.testing.ForkedJvm;
import dev.catnap.loom.testing.Modes;
import dev.catnap.loom.testing.NoThreadLeft;
import dev.catnap.loom.testing.OrderScript;
import dev.catnap.loom.testing.YieldScript;
import dev.catnap.spi.SchedulerTuning;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** G5, G12: on one worker, virtual threads run in the order in which they became ready. */
@ExtendWith(NoThreadLeft.class)
class FifoOrderTest {
  private static final String MODES = "dev.catnap.loom.testing.Modes#available";

  @ParameterizedTest
  @MethodSource(MODES)
  void theSameOrderAsOnTheSchedulerOfTheJdk(Mode mode) throws Exception {
    List<String> original = onOneCarrierOfTheJdk(OrderScript.class);
    assertTrue(original.contains("A again"), () -> "the script ran: " + original);
    try (CarrierPool pool = Modes.pool(mode, 1)) {
      assertEquals(original, OrderScript.run(pool.ofVirtual()));
    }
  }

  private static List<String> onOneCarrierOfTheJdk(Class<?> script) throws Exception {
    return ForkedJvm.run(
        ForkedJvm.onClassPath(
            "-Djdk.virtualThreadScheduler.parallelism=1",
            "-Djdk.virtualThreadScheduler.maxPoolSize=1"),
        script);
  }

  /** The one order that is not that of the JDK, as docs/deviations.md has it. */
  @ParameterizedTest
  @MethodSource(MODES)
  void aYieldLetsWhatWasStartedFromOutsideGoFirst(Mode mode) {
    try (CarrierPool pool = Modes.pool(mode, 1)) {
      assertEquals(
          List.of("A0", "C", "B0", "A1", "B1", "A2", "B2"), YieldScript.run(pool.ofVirtual()));
    }
  }

  /**
   * So that this stays a deviation: as long as two yield to each other, nothing else runs there.
   */
  @Test
  void onTheSchedulerOfTheJdkItWaitsUntilThoseThatYieldHaveEnded() throws Exception {
    assertEquals(
        List.of("A0", "B0", "A1", "B1", "A2", "B2", "C"), onOneCarrierOfTheJdk(YieldScript.class));
  }

  /** Although the first, being alone, goes another way: into the slot, and wakes nobody. */
  @ParameterizedTest
  @MethodSource(MODES)
  void unparkedAndStartedByOneThread_theyRunInTheOrderInWhichTheyBecameReady(Mode mode) {
    Queue<String> order = new ConcurrentLinkedQueue<>();
    try (CarrierPool pool = Modes.pool(mode, 1)) {
      AtomicBoolean goOn = new AtomicBoolean();
      Thread[] parked = new Thread[4];
      for (int i = 0; i < parked.length; i++) {
        String name = "unparked " + i;
        parked[i] =
            pool.ofVirtual()
                .start(
                    () -> {
                      while (!goOn.get()) {
                        LockSupport.park();
                      }
                      order.add(name);
                    });
      }
      for (Thread thread : parked) {
        Deadline.until("it is parked", () -> thread.getState() == Thread.State.WAITING);
      }
      Queue<Thread> started = new ConcurrentLinkedQueue<>();
      Thread readies =
          pool.ofVirtual()
              .start(
                  () -> {
                    goOn.set(true);
                    for (int i = 0; i < parked.length; i++) {
                      String name = "started " + i;
                      LockSupport.unpark(parked[i]);
                      started.add(pool.ofVirtual().start(() -> order.add(name)));
                    }
                  });
      Deadline.join(readies);
      Deadline.join(parked);
      Deadline.join(started.toArray(Thread[]::new));
    }
    assertEquals(
        IntStream.range(0, 4)
            .boxed()
            .flatMap(i -> Stream.of("unparked " + i, "started " + i))
            .toList(),
        List.copyOf(order));
  }

  /**
   * As many as a worker runs between two extra looks at the injector: what such a look finds
   * overtakes what came in the batch before (G5).
   */
  @ParameterizedTest
  @MethodSource(MODES)
  void startsFromOutsideRunInTheirOrder(Mode mode) {
    int count = SchedulerTuning.production().injectorInterval() / 2;
    Queue<Integer> order = new ConcurrentLinkedQueue<>();
    try (CarrierPool pool = Modes.pool(mode, 1)) {
      CountDownLatch open = new CountDownLatch(1);
      pool.scheduler().execute(() -> Deadline.await("all are started", open));
      Thread[] threads = new Thread[count];
      for (int i = 0; i < count; i++) {
        int number = i;
        threads[i] = pool.ofVirtual().start(() -> order.add(number));
      }
      open.countDown();
      Deadline.join(threads);
    }
    assertEquals(IntStream.range(0, count).boxed().toList(), List.copyOf(order));
  }

  /** F19: an endless yield lets others run, from inside and from outside. */
  @ParameterizedTest
  @MethodSource(MODES)
  void endlessYieldsStarveNobody(Mode mode) {
    try (CarrierPool pool = Modes.pool(mode, 1)) {
      boolean[] stop = new boolean[1];
      Object lock = new Object();
      Runnable yields =
          () -> {
            for (boolean over = false; !over; ) {
              Thread.yield();
              synchronized (lock) {
                over = stop[0];
              }
            }
          };
      Thread one = pool.ofVirtual().start(yields);
      Thread two = pool.ofVirtual().start(yields);
      for (int i = 0; i < 100; i++) {
        Deadline.join(pool.ofVirtual().start(() -> {}));
        CountDownLatch ran = new CountDownLatch(1);
        pool.scheduler().execute(ran::countDown);
        Deadline.await("a task beside endless yields", ran);
      }
      synchronized (lock) {
        stop[0] = true;
      }
      Deadline.join(one, two);
    }
  }
}
