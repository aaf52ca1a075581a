package dev.catnap.loom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.catnap.loom.CarrierPool.Mode;
import dev.catnap.loom.testing.Deadline;
import dev.catnap.loom.testing.Modes;
import dev.catnap.loom.testing.NoThreadLeft;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One scheduler, both faces: what is no virtual thread finds an ordinary worker (G7, G12). */
@ExtendWith(NoThreadLeft.class)
class TasksBesideVirtualThreadsTest {
  private static final String MODES = "dev.catnap.loom.testing.Modes#available";

  @ParameterizedTest
  @MethodSource(MODES)
  void bothKindsRunOnTheSameWorkers(Mode mode) {
    try (CarrierPool pool = Modes.pool(mode, 2)) {
      Set<String> forTasks = ConcurrentHashMap.newKeySet();
      Set<String> forVirtual = ConcurrentHashMap.newKeySet();
      // Until a worker was seen with both kinds; by chance one kind may long keep to one of the
      // two.
      Deadline.until(
          "a worker ran both kinds",
          () -> {
            CountDownLatch both = new CountDownLatch(2);
            pool.scheduler()
                .execute(
                    () -> {
                      forTasks.add(Thread.currentThread().getName());
                      both.countDown();
                    });
            pool.ofVirtual()
                .start(
                    () -> {
                      forVirtual.add(carrierName());
                      both.countDown();
                    });
            Deadline.await("one of each", both);
            return forTasks.stream().anyMatch(forVirtual::contains);
          });
    }
  }

  private static String carrierName() {
    String text = Thread.currentThread().toString();
    return text.substring(text.indexOf('@') + 1);
  }

  @ParameterizedTest
  @MethodSource(MODES)
  void theyHandOverToEachOther(Mode mode) {
    try (CarrierPool pool = Modes.pool(mode, 2)) {
      AtomicInteger steps = new AtomicInteger();
      CountDownLatch done = new CountDownLatch(1);
      pool.scheduler().execute(new Relay(pool, steps, done));
      Deadline.await("a relay of tasks and virtual threads", done);
      assertEquals(Relay.LENGTH, steps.get());
    }
  }

  /** A task that starts a virtual thread that submits a task, and so on. */
  private record Relay(CarrierPool pool, AtomicInteger steps, CountDownLatch done)
      implements Runnable {
    static final int LENGTH = 2_000;

    @Override
    public void run() {
      if (steps.incrementAndGet() == LENGTH) {
        done.countDown();
      } else if (Thread.currentThread().isVirtual()) {
        pool.scheduler().execute(this);
      } else {
        pool.ofVirtual().start(this);
      }
    }
  }

  /** Conditions ask a carrier's pool for a spare; ours says no without a fuss. */
  @ParameterizedTest
  @MethodSource(MODES)
  void aTaskMayWaitOnACondition(Mode mode) throws Exception {
    LinkedBlockingQueue<String> queue = new LinkedBlockingQueue<>();
    try (CarrierPool pool = Modes.pool(mode, 2)) {
      var taken = pool.scheduler().submit(queue::take);
      Deadline.join(pool.ofVirtual().start(() -> queue.add("from a virtual thread")));
      assertEquals("from a virtual thread", taken.get(Deadline.SECONDS, TimeUnit.SECONDS));
      assertEquals(
          "none",
          onWorker(pool, () -> String.valueOf(queue.poll(1, TimeUnit.MILLISECONDS)))
              .replace("null", "none"));
    }
  }

  @ParameterizedTest
  @MethodSource(MODES)
  void aTaskMayUseParallelStreamsAndFutures(Mode mode) throws Exception {
    try (CarrierPool pool = Modes.pool(mode, 2)) {
      assertEquals(499_500, onWorker(pool, () -> IntStream.range(0, 1_000).parallel().sum()));
      assertEquals(
          "done", onWorker(pool, () -> CompletableFuture.supplyAsync(() -> "done").join()));
    }
  }

  @ParameterizedTest
  @MethodSource(MODES)
  void aTaskMaySetTheContextClassLoader(Mode mode) throws Exception {
    try (CarrierPool pool = Modes.pool(mode, 1)) {
      ClassLoader usual = Thread.currentThread().getContextClassLoader();
      assertNull(
          onWorker(
              pool,
              () -> {
                Thread.currentThread().setContextClassLoader(null);
                return Thread.currentThread().getContextClassLoader();
              }));
      assertEquals(
          usual, onWorker(pool, () -> Thread.currentThread().getContextClassLoader()), "the next");
      assertFalse(onWorker(pool, () -> Thread.currentThread().isVirtual()));
    }
  }

  private static <T> T onWorker(CarrierPool pool, Callable<T> task) throws Exception {
    return pool.scheduler().submit(task).get(Deadline.SECONDS, TimeUnit.SECONDS);
  }
}
