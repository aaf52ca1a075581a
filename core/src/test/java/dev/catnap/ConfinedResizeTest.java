package dev.catnap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.spi.SchedulerTuning;
import dev.catnap.spi.WorkerBody;
import dev.catnap.spi.WorkerThreadFactory;
import dev.catnap.testing.Await;
import dev.catnap.testing.ManualClock;
import dev.catnap.testing.NoThreadLeft;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** G1: a worker can be addressed as soon as the parallelism says that it is there. */
@ExtendWith(NoThreadLeft.class)
class ConfinedResizeTest {
  private final WorkerThreadFactory real = WorkerThreadFactory.platform(true);
  private final CountDownLatch growing = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);

  /** The thread of worker 1 takes its time. */
  private Thread newThread(WorkerBody body) {
    if (body.index() == 1) {
      growing.countDown();
      Await.quietly(goOn);
    }
    return real.newThread(body);
  }

  /** Whoever waits for a thread that another one starts does so without an end. */
  private WorkStealingScheduler scheduler(int maxThreads) {
    return WorkStealingScheduler.builder()
        .parallelism(1)
        .maxThreads(maxThreads)
        .tuning(SchedulerTuning.production().withClock(new ManualClock()))
        .workerThreadFactory(this::newThread)
        .build();
  }

  private Thread grow(WorkStealingScheduler scheduler, int parallelism) {
    Thread resizer = new Thread(() -> scheduler.setParallelism(parallelism), "resizer");
    resizer.start();
    Await.latch("a thread for worker 1", growing, scheduler::dump);
    return resizer;
  }

  /** A key has a worker however many there are at that moment. */
  @Test
  void aKeyIsNeverRefusedBesideResizes() throws Exception {
    try (var scheduler = WorkStealingScheduler.builder().parallelism(8).maxThreads(8).build()) {
      AtomicBoolean over = new AtomicBoolean();
      Thread resizer =
          new Thread(
              () -> {
                while (!over.get()) {
                  scheduler.setParallelism(1);
                  scheduler.setParallelism(8);
                }
              });
      resizer.start();
      try {
        for (int key = 0; key < 100_000; key++) {
          assertNotNull(scheduler.confinedByKey(key));
        }
      } finally {
        over.set(true);
        resizer.join();
      }
    }
  }

  @Test
  void aTaskForAWorkerThatIsStillToComeStartsIt() throws Exception {
    try (var scheduler = scheduler(4)) {
      Thread resizer = grow(scheduler, 3);
      CountDownLatch ran = new CountDownLatch(1);
      AtomicReference<String> name = new AtomicReference<>();
      scheduler
          .confinedTo(2)
          .execute(
              () -> {
                name.set(Thread.currentThread().getName());
                ran.countDown();
              });
      Await.latch("the task", ran, scheduler::dump);
      assertEquals(scheduler.name() + "-worker-2", name.get());
      goOn.countDown();
      resizer.join();
      Await.until( // G9: nor has it brought a right of its own
          "three workers sleep",
          () -> scheduler.stats().parkedWorkers() == 3 && scheduler.stats().searchingWorkers() == 0,
          scheduler::dump);
    }
  }

  @Test
  void aBroadcastWaitsForAWorkerThatIsBeingStarted() throws Exception {
    try (var scheduler = scheduler(3)) {
      Thread resizer = grow(scheduler, 3);
      Set<Thread> ranOn = ConcurrentHashMap.newKeySet();
      AtomicReference<Throwable> thrown = new AtomicReference<>();
      Thread broadcaster =
          new Thread(
              () -> {
                try {
                  scheduler
                      .broadcast(() -> ranOn.add(Thread.currentThread()))
                      .get(Await.DEADLINE_SECONDS, TimeUnit.SECONDS);
                } catch (Exception e) {
                  thrown.set(e);
                }
              },
              "broadcaster");
      broadcaster.start();
      Await.until(
          "it waits for worker 1",
          () ->
              !broadcaster.isAlive()
                  || Arrays.stream(broadcaster.getStackTrace())
                      .anyMatch(frame -> frame.getMethodName().equals("yield")),
          scheduler::dump);
      goOn.countDown();
      broadcaster.join();
      resizer.join();
      assertEquals(null, thrown.get());
      assertEquals(3, ranOn.size());
    }
  }

  @Test // F9
  void aWorkerThatCannotBeStartedIsToldOfWithItsCause() {
    try (var scheduler =
        WorkStealingScheduler.builder()
            .name("poor")
            .parallelism(1)
            .maxThreads(2)
            .uncaughtExceptionHandler((thread, thrown) -> {})
            .workerThreadFactory(
                body -> {
                  if (body.index() > 0) {
                    throw new OutOfMemoryError("no thread (from the test)");
                  }
                  return real.newThread(body);
                })
            .build()) {
      scheduler.setParallelism(2);
      var e =
          assertThrows(
              IllegalStateException.class, () -> scheduler.confinedTo(1).execute(() -> {}));
      assertEquals("worker 1 of poor has no thread, and none can be started", e.getMessage());
      assertTrue(e.getCause() instanceof OutOfMemoryError, () -> "cause: " + e.getCause());
    }
  }
}
