package dev.catnap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.spi.SchedulerTuning;
import dev.catnap.spi.WorkerBody;
import dev.catnap.spi.WorkerThreadFactory;
import dev.catnap.testing.Await;
import dev.catnap.testing.ManualClock;
import dev.catnap.testing.NoThreadLeft;
import dev.catnap.testing.Sections;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * G1, G6, F9: what is addressed to a worker that has retired, while somebody starts its thread
 * again and fails. It runs, or is refused; it is not accepted for a thread that never comes.
 */
@ExtendWith(NoThreadLeft.class)
class ConfinedRestartTest {
  private final WorkerThreadFactory real = WorkerThreadFactory.platform(true);

  /** Stands still: so does the patience of whoever waits for a thread that another one starts. */
  private final ManualClock clock = new ManualClock();

  private final AtomicInteger failures = new AtomicInteger();
  private final CountDownLatch starting = new CountDownLatch(1);
  private final CountDownLatch fail = new CountDownLatch(1);
  private volatile Runnable duringStart = () -> {};
  private volatile WorkStealingScheduler scheduler;

  @BeforeEach
  void aPoolWhoseWorkerZeroHasRetired() {
    scheduler =
        WorkStealingScheduler.builder()
            .parallelism(1)
            .maxThreads(2)
            .keepAlive(Duration.ZERO)
            .tuning(SchedulerTuning.production().withClock(clock))
            .uncaughtExceptionHandler((thread, thrown) -> {})
            .workerThreadFactory(this::newThread)
            .build();
    CountDownLatch blocks = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    scheduler.execute(() -> block(blocks, release));
    Await.latch("worker 0 blocks", blocks, scheduler::dump);
    CountDownLatch held = new CountDownLatch(1);
    CountDownLatch letGo = new CountDownLatch(1);
    scheduler.execute(
        () -> {
          held.countDown();
          Await.quietly(letGo);
        });
    Await.latch("its replacement runs", held, scheduler::dump);
    release.countDown();
    Await.until("worker 0 retires", () -> isRetired(0), scheduler::dump);
    letGo.countDown();
  }

  @AfterEach
  void nothingIsLeft() {
    // Not close: it would wait for ever for what stranded.
    assertEquals(0, scheduler.shutdownNow().size());
    scheduler.close();
  }

  /** Who starts the thread of worker 0 in vain. */
  enum Starter {
    ANOTHER_ADDRESSER,
    /** For a right that a blocked worker left. */
    A_SPARES
  }

  @ParameterizedTest
  @EnumSource
  void aTaskThatComesWhileTheStartFailsIsRunByAThreadOfItsOwnStart(Starter starter)
      throws Exception {
    failures.set(1);
    CountDownLatch over = new CountDownLatch(1);
    Thread first = startInVain(starter, over);
    CountDownLatch ran = new CountDownLatch(1);
    AtomicReference<Throwable> refused = new AtomicReference<>();
    Thread second = addressing(ran, refused);
    fail.countDown();
    second.join();
    first.join();
    assertNull(refused.get());
    Await.latch("what was accepted", ran, scheduler::dump);
    over.countDown();
    awaitEmptyQueues();
  }

  @ParameterizedTest
  @EnumSource
  void aTaskThatComesWhileTheStartFailsIsRefusedIfNoThreadCanBeStarted(Starter starter)
      throws Exception {
    failures.set(Integer.MAX_VALUE);
    CountDownLatch over = new CountDownLatch(1);
    Thread first = startInVain(starter, over);
    CountDownLatch ran = new CountDownLatch(1);
    AtomicReference<Throwable> refused = new AtomicReference<>();
    Thread second = addressing(ran, refused);
    fail.countDown();
    second.join();
    first.join();
    assertTrue(refused.get() instanceof IllegalStateException, () -> "accepted: " + refused);
    assertEquals(1, ran.getCount());
    over.countDown();
    awaitEmptyQueues();
  }

  private void awaitEmptyQueues() {
    Await.until(
        "what the spare was for runs on the other worker",
        () -> scheduler.stats().queued() == 0,
        scheduler::dump);
  }

  @Test
  void aTaskThatComesFromTheFactoryThatMakesTheThreadIsRefused() throws Exception {
    AtomicReference<Throwable> refused = new AtomicReference<>();
    duringStart = () -> address(() -> {}, refused);
    CountDownLatch ran = new CountDownLatch(1);
    Thread first = new Thread(() -> scheduler.confinedTo(0).execute(ran::countDown), "the first");
    first.start();
    Await.until(
        "patience has an end, and the task for which it was made runs",
        () -> {
          clock.advance(Duration.ofSeconds(1));
          return ran.getCount() == 0;
        },
        scheduler::dump);
    first.join();
    assertTrue(refused.get() instanceof IllegalStateException, () -> "accepted: " + refused);
  }

  /** Returns when the start is under way; it fails when {@link #fail} is opened. */
  private Thread startInVain(Starter starter, CountDownLatch over) {
    Thread first =
        switch (starter) {
          case ANOTHER_ADDRESSER ->
              new Thread(() -> address(() -> {}, new AtomicReference<>()), "the first");
          case A_SPARES ->
              new Thread(
                  () -> {
                    CountDownLatch blocks = new CountDownLatch(1);
                    scheduler.execute(() -> block(blocks, over));
                    Await.latch("worker 1 blocks", blocks, scheduler::dump);
                    scheduler.execute(() -> {});
                  },
                  "the first");
        };
    first.start();
    Await.latch("a thread for worker 0", starting, scheduler::dump);
    return first;
  }

  /** Returns when the other start keeps it from going on, or it was accepted. */
  private Thread addressing(CountDownLatch ran, AtomicReference<Throwable> refused) {
    Thread second = new Thread(() -> address(ran::countDown, refused), "the second");
    second.start();
    Await.until(
        "it looks whether its worker has a thread",
        () ->
            !second.isAlive()
                || Arrays.stream(second.getStackTrace())
                    .anyMatch(frame -> frame.getMethodName().equals("yield")),
        scheduler::dump);
    return second;
  }

  private void address(Runnable task, AtomicReference<Throwable> refused) {
    try {
      scheduler.confinedTo(0).execute(task);
    } catch (RuntimeException e) {
      refused.set(e);
    }
  }

  private Thread newThread(WorkerBody body) {
    if (body.index() == 0) {
      duringStart.run();
      if (failures.get() > 0) {
        failures.decrementAndGet();
        starting.countDown();
        Await.quietly(fail);
        throw new OutOfMemoryError("unable to create native thread (from the test)");
      }
    }
    return real.newThread(body);
  }

  private boolean isRetired(int worker) {
    return scheduler.stats().workers().get(worker).state().equals("retired");
  }

  private void block(CountDownLatch blocks, CountDownLatch release) {
    Sections.block(
        scheduler,
        () -> {
          blocks.countDown();
          Await.quietly(release);
        });
  }
}
