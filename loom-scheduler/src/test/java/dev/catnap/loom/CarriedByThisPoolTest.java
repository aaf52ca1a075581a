package dev.catnap.loom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.Flavor;
import dev.catnap.loom.CarrierPool.Mode;
import dev.catnap.loom.testing.Deadline;
import dev.catnap.loom.testing.Modes;
import dev.catnap.loom.testing.NoThreadLeft;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** G8, G12: a virtual thread of this pool, and all that it starts, runs on workers of this pool. */
@ExtendWith(NoThreadLeft.class)
class CarriedByThisPoolTest {
  private static final String MODES = "dev.catnap.loom.testing.Modes#available";

  @ParameterizedTest
  @MethodSource(MODES)
  void everyWayToMakeOne(Mode mode) throws Exception {
    try (CarrierPool pool = Modes.pool(mode, 2);
        ExecutorService executor = pool.newThreadPerTaskExecutor()) {
      AtomicReference<Boolean> onWorker = new AtomicReference<>();
      Runnable look = () -> onWorker.set(isVirtualOn(pool));
      Deadline.join(pool.ofVirtual().name("named").start(look));
      assertTrue(onWorker.getAndSet(false), "ofVirtual");
      Thread made = pool.threadFactory().newThread(look);
      made.start();
      Deadline.join(made);
      assertTrue(onWorker.getAndSet(false), "threadFactory");
      assertTrue(executor.submit(() -> isVirtualOn(pool)).get(), "newThreadPerTaskExecutor");
    }
  }

  private static boolean isVirtualOn(CarrierPool pool) {
    return Thread.currentThread().isVirtual()
        && pool.scheduler().adapter().isWorker()
        && Thread.currentThread().toString().contains("@" + pool.scheduler().name() + "-worker-");
  }

  @ParameterizedTest
  @MethodSource(MODES)
  void childrenInheritThePool(Mode mode) {
    try (CarrierPool pool = Modes.pool(mode, 2)) {
      Set<String> homeless = ConcurrentHashMap.newKeySet();
      Deadline.join(
          pool.ofVirtual()
              .start(
                  () -> {
                    Deadline.join(
                        Thread.startVirtualThread(() -> look(pool, "startVirtualThread", homeless)),
                        Thread.ofVirtual().start(() -> look(pool, "ofVirtual", homeless)));
                    try (ExecutorService e = Executors.newVirtualThreadPerTaskExecutor()) {
                      e.execute(() -> look(pool, "executor", homeless));
                    }
                  }));
      assertEquals(Set.of(), homeless);
    }
  }

  private static void look(CarrierPool pool, String what, Set<String> homeless) {
    if (!isVirtualOn(pool)) {
      homeless.add(what + " on " + Thread.currentThread());
    }
  }

  /** As on any other platform thread: they are of the JDK's scheduler, and stay there. */
  @ParameterizedTest
  @MethodSource("modesAndFlavors")
  void whatAPlainTaskStartsIsNotOnAWorker(Mode mode, Flavor flavor) throws Exception {
    try (CarrierPool pool = Modes.builder(mode, 2).flavor(flavor).build()) {
      Set<Boolean> onWorker = ConcurrentHashMap.newKeySet();
      Runnable look =
          () -> {
            onWorker.add(pool.scheduler().adapter().isWorker());
            Thread.yield();
            onWorker.add(pool.scheduler().adapter().isWorker());
            LockSupport.parkNanos(1);
            onWorker.add(pool.scheduler().adapter().isWorker());
          };
      onTask(
          pool,
          () -> {
            Deadline.join(Thread.startVirtualThread(look), Thread.ofVirtual().start(look));
            try (ExecutorService e = Executors.newVirtualThreadPerTaskExecutor()) {
              e.execute(look);
            }
          });
      Thread madeOutside = Thread.ofVirtual().unstarted(look);
      Deadline.join(pool.ofVirtual().start(madeOutside::start), madeOutside);
      assertEquals(Set.of(false), onWorker);
    }
  }

  static List<Arguments> modesAndFlavors() {
    return Modes.available().stream()
        .flatMap(mode -> Stream.of(Flavor.values()).map(flavor -> Arguments.of(mode, flavor)))
        .toList();
  }

  private static void onTask(CarrierPool pool, Runnable body) throws Exception {
    pool.scheduler().submit(body).get(Deadline.SECONDS, TimeUnit.SECONDS);
  }

  /** G6: it is not the pool that starts it. */
  @ParameterizedTest
  @MethodSource(MODES)
  void aPlainTaskThatIsDrainedMayStartOne(Mode mode) throws Exception {
    try (CarrierPool pool = Modes.pool(mode, 1)) {
      CountDownLatch begun = new CountDownLatch(1);
      CountDownLatch shutDown = new CountDownLatch(1);
      CountDownLatch ran = new CountDownLatch(1);
      Future<?> task =
          pool.scheduler()
              .submit(
                  () -> {
                    begun.countDown();
                    Deadline.await("the pool is shut down", shutDown);
                    Deadline.join(Thread.startVirtualThread(ran::countDown));
                  });
      Deadline.await("the task has begun", begun);
      pool.scheduler().shutdown();
      shutDown.countDown();
      task.get(Deadline.SECONDS, TimeUnit.SECONDS);
      assertEquals(0, ran.getCount());
    }
  }

  @ParameterizedTest
  @MethodSource(MODES)
  void othersAreNotOnAWorker(Mode mode) {
    try (CarrierPool pool = Modes.pool(mode, 1);
        CarrierPool other = CarrierPool.builder().name("test-other").parallelism(1).build()) {
      assertFalse(pool.scheduler().adapter().isWorker(), "outside");
      AtomicReference<Boolean> onWorker = new AtomicReference<>(true);
      Deadline.join(
          other.ofVirtual().start(() -> onWorker.set(pool.scheduler().adapter().isWorker())));
      assertFalse(onWorker.getAndSet(true), "in a virtual thread of another pool");
      Deadline.join(
          Thread.startVirtualThread(() -> onWorker.set(pool.scheduler().adapter().isWorker())));
      assertFalse(onWorker.get(), "in a virtual thread of the JDK's scheduler");
    }
  }
}
