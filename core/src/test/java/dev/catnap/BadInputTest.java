package dev.catnap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.spi.SchedulerTuning;
import dev.catnap.spi.WorkerThreadFactory;
import dev.catnap.testing.Await;
import dev.catnap.testing.NoThreadLeft;
import dev.catnap.testing.TestPools;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** F8, F10: a clear error that names the value, and nothing changed. */
@ExtendWith(NoThreadLeft.class)
class BadInputTest {

  @ParameterizedTest
  @ValueSource(ints = {0, -1, 32_768, Integer.MIN_VALUE})
  void countsOutOfRangeAreRefusedByName(int n) {
    assertNames(n, () -> WorkStealingScheduler.builder().parallelism(n));
    assertNames(n, () -> WorkStealingScheduler.builder().maxThreads(n));
  }

  @Test
  void otherSettingsOutOfRangeAreRefusedByName() {
    var builder = WorkStealingScheduler.builder();
    assertNames("' '", () -> builder.name(" "));
    assertNames("PT-1S", () -> builder.keepAlive(Duration.ofSeconds(-1)));
    assertNames(2, () -> WorkStealingScheduler.builder().parallelism(3).maxThreads(2).build());
    var perCore = WorkStealingScheduler.builder().flavor(Flavor.THREAD_PER_CORE).parallelism(2);
    assertNames(3, () -> perCore.maxThreads(3).build());
    SchedulerTuning t = SchedulerTuning.production();
    assertNames(3, () -> t.withQueues(3, 0, 1));
    assertNames(0, () -> t.withQueues(2, 0, 0));
    assertNames(33, () -> t.withJec(33, 0));
    assertNames(1, () -> t.withFairness(1, 1));
    assertNames(0, () -> t.withFairness(2, 0));
    assertNames(-1, () -> t.withSearch(-1, 0));
  }

  private static void assertNames(Object value, Executable call) {
    var e = assertThrows(IllegalArgumentException.class, call);
    assertTrue(
        String.valueOf(e.getMessage()).contains(String.valueOf(value)),
        () -> "should name " + value + ": " + e.getMessage());
  }

  @Test
  @SuppressWarnings("NullAway") // nulls are the subject
  void nullTasksAreRefusedAndNothingIsLost() throws Exception {
    try (var scheduler = TestPools.withoutSpares(1).build()) {
      for (Executable call :
          List.<Executable>of(
              () -> scheduler.execute(null),
              () -> scheduler.submit((Runnable) null),
              () -> scheduler.invokeAll(Arrays.asList(() -> 1, (Callable<Integer>) null)),
              () -> scheduler.schedule((Runnable) null, 1, TimeUnit.SECONDS),
              () -> scheduler.schedule(() -> 1, 1, null),
              () -> scheduler.blocking(null))) {
        assertThrows(NullPointerException.class, call);
      }
      assertThrows(
          IllegalArgumentException.class,
          () -> scheduler.scheduleAtFixedRate(() -> {}, 0, 0, TimeUnit.SECONDS));
      assertEquals(1, scheduler.submit(() -> 1).get());
    }
  }

  @Test
  @SuppressWarnings("NullAway") // a factory that breaks its contract is the subject
  void aFactoryThatFailsMakesBuildFailAndLeavesNoThread() {
    AtomicInteger calls = new AtomicInteger();
    WorkerThreadFactory good = WorkerThreadFactory.platform(true);
    for (WorkerThreadFactory bad :
        List.<WorkerThreadFactory>of(
            body -> null,
            body -> {
              throw new IllegalArgumentException("no thread for you");
            },
            Thread::new,
            body -> {
              Thread t = good.newThread(body);
              t.start(); // already started: cannot be started again
              return t;
            })) {
      calls.set(0);
      var e =
          assertThrows(
              IllegalStateException.class,
              () ->
                  WorkStealingScheduler.builder()
                      .name("luckless")
                      .parallelism(3)
                      .workerThreadFactory(
                          body ->
                              calls.getAndIncrement() < 2
                                  ? good.newThread(body)
                                  : bad.newThread(body))
                      .build());
      assertTrue(String.valueOf(e.getMessage()).contains("worker 2 of luckless"), e::getMessage);
    }
  }

  @Test
  void aSpareThatCannotBeStartedIsReportedOnceAndTriedAgain() {
    BlockingQueue<Throwable> reports = new LinkedBlockingQueue<>();
    AtomicInteger failures = new AtomicInteger(5);
    AtomicInteger calls = new AtomicInteger();
    WorkerThreadFactory good = WorkerThreadFactory.platform(true);
    try (var scheduler =
        TestPools.withDeclaredSparesOnly(1)
            .workerThreadFactory(
                body -> {
                  if (calls.getAndIncrement() > 0 && failures.getAndDecrement() > 0) {
                    throw new OutOfMemoryError("unable to create native thread (from the test)");
                  }
                  return good.newThread(body);
                })
            .uncaughtExceptionHandler((t, e) -> reports.add(e))
            .build()) {
      CountDownLatch release = new CountDownLatch(1);
      CountDownLatch blocked = new CountDownLatch(1);
      AtomicReference<Throwable> failure = new AtomicReference<>();
      scheduler.execute(
          () -> {
            try {
              scheduler.blocking(
                  () -> {
                    blocked.countDown();
                    Await.quietly(release);
                    return 0;
                  });
            } catch (Exception e) {
              failure.set(e);
            }
          });
      Await.latch("the only worker is blocked", blocked, scheduler::stats);
      // Each task tries again, after the pause between two attempts; at last one starts the spare.
      AtomicInteger ran = new AtomicInteger();
      AtomicInteger submitted = new AtomicInteger();
      Await.until(
          "a spare runs tasks although the first attempts failed",
          () -> {
            scheduler.execute(ran::incrementAndGet);
            submitted.incrementAndGet();
            return ran.get() > 0;
          },
          scheduler::stats);
      release.countDown();
      Await.until("every task ran", () -> ran.get() == submitted.get(), scheduler::stats);
      assertEquals(1, reports.size(), () -> "one clear report: " + reports);
      assertTrue(failures.get() <= 0);
      assertEquals(null, failure.get());
    }
  }
}
