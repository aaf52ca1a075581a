package dev.catnap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.ShutdownReport.Outcome;
import dev.catnap.spi.CommonSchedulerProvider;
import dev.catnap.testing.Await;
import dev.catnap.testing.CatnapOfItsOwn;
import dev.catnap.testing.TestScale;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The end of the common scheduler, of a copy of Catnap that each test has for itself (G6). */
class CommonSchedulerTest {
  private static final Duration LONG = Duration.ofSeconds(Await.DEADLINE_SECONDS);

  private static void assertEnded(WorkStealingScheduler common) throws Exception {
    assertSame(common, WorkStealingScheduler.common());
    assertTrue(common.isShutdown());
    assertTrue(common.isTerminated());
    Runnable none = () -> {};
    assertThrows(RejectedExecutionException.class, () -> common.execute(none));
    assertThrows(RejectedExecutionException.class, () -> common.background().execute(none));
    assertThrows(RejectedExecutionException.class, () -> common.confinedTo(0).execute(none));
    assertThrows(RejectedExecutionException.class, () -> common.broadcast(none));
    assertThrows(
        RejectedExecutionException.class, () -> common.schedule(none, 1, TimeUnit.SECONDS));
    assertThrows(RejectedExecutionException.class, () -> common.join(none, none));
    assertEquals(1, common.blocking(() -> 1));
    assertEquals(List.of(), workerThreads());
    assertThrows(UnsupportedOperationException.class, common::close);
    assertThrows(UnsupportedOperationException.class, common::shutdownNow);
    assertFalse(common.dump().isEmpty());
    assertEquals(Outcome.DRAINED, WorkStealingScheduler.shutdownCommon(LONG, LONG).outcome());
  }

  private static List<Thread> workerThreads() {
    ClassLoader own = WorkStealingScheduler.class.getClassLoader();
    return Thread.getAllStackTraces().keySet().stream()
        .filter(t -> t.isAlive() && t.getContextClassLoader() == own)
        .filter(t -> t.getName().startsWith("catnap-"))
        .toList();
  }

  /** What was accepted runs, what is due later comes back. */
  public static final class AfterUse implements Callable<Boolean> {
    @Override
    public Boolean call() throws Exception {
      var common = WorkStealingScheduler.common();
      AtomicInteger ran = new AtomicInteger();
      for (int i = 0; i < 100; i++) {
        common.execute(ran::incrementAndGet);
      }
      var never = common.schedule(ran::incrementAndGet, 1, TimeUnit.DAYS);
      ShutdownReport report = WorkStealingScheduler.shutdownCommon(LONG, LONG);
      assertEquals(100, ran.get());
      assertEquals(Outcome.DRAINED, report.outcome());
      assertEquals(List.of(never), report.takenBack());
      assertEnded(common);
      return true;
    }
  }

  @Test
  void afterItsEndItIsTheSameAndRefusesTasks() throws Exception {
    assertTrue(CatnapOfItsOwn.call(AfterUse.class));
  }

  /** Fails once, as the start of a thread may. */
  public static final class FailsFirst implements CommonSchedulerProvider {
    private static boolean failed;

    @Override
    public boolean configure(WorkStealingScheduler.Builder builder) {
      if (!failed) {
        failed = true;
        throw new IllegalStateException("at first");
      }
      builder.name("second");
      return true;
    }
  }

  /** Asks for what it is to configure. */
  public static final class Recursive implements CommonSchedulerProvider {
    @Override
    public boolean configure(WorkStealingScheduler.Builder builder) {
      var e = assertThrows(IllegalStateException.class, WorkStealingScheduler::common);
      assertTrue(String.valueOf(e.getMessage()).contains("must not ask for it"), e::toString);
      return false;
    }
  }

  /** A first use that fails is not the last. */
  public static final class SecondUse implements Callable<Boolean> {
    @Override
    public Boolean call() {
      var e = assertThrows(IllegalStateException.class, WorkStealingScheduler::common);
      assertEquals("at first", e.getMessage());
      var common = WorkStealingScheduler.common();
      assertTrue(common.toString().contains("second"), common::toString);
      assertSame(common, WorkStealingScheduler.common());
      WorkStealingScheduler.shutdownCommon(LONG, LONG);
      return true;
    }
  }

  /** Also past a provider for a newer JDK, as the virtual-thread face is on JDK 17. */
  @Test
  void aFirstUseThatFailsIsNotTheLast(@TempDir Path folder) throws Exception {
    byte[] newer = {(byte) 0xCA, (byte) 0xFE, (byte) 0xBA, (byte) 0xBE, 0, 0, 0x0F, 0, 0, 1, 0, 0};
    Files.write(folder.resolve("NewerProvider.class"), newer);
    provide(folder, "NewerProvider", Recursive.class.getName(), FailsFirst.class.getName());
    assertTrue(CatnapOfItsOwn.call(SecondUse.class, folder.toString()));
  }

  /** Fails once when it is told, while a worker is in a task of its. */
  public static final class FailsWhenTold implements CommonSchedulerProvider {
    private static final List<WorkStealingScheduler> TOLD = new ArrayList<>();

    @Override
    public boolean configure(WorkStealingScheduler.Builder builder) {
      builder.name(TOLD.isEmpty() ? "catnap-first" : "catnap-second");
      return true;
    }

    @Override
    public void built(WorkStealingScheduler scheduler) {
      TOLD.add(scheduler);
      if (TOLD.size() == 1 && !scheduler.isShutdown()) {
        CountDownLatch begun = new CountDownLatch(1);
        scheduler.execute(
            () -> {
              begun.countDown();
              Await.unlessInterrupted(new CountDownLatch(1));
            });
        Await.latch("the task", begun, scheduler::dump);
        throw new IllegalStateException("when told");
      }
    }
  }

  /** The first one is over when the exception comes, and the second one is another. */
  public static final class UseAfterAFailedOne implements Callable<Boolean> {
    @Override
    public Boolean call() {
      var e = assertThrows(IllegalStateException.class, WorkStealingScheduler::common);
      assertEquals("when told", e.getMessage());
      assertTrue(FailsWhenTold.TOLD.get(0).isTerminated());
      assertEquals(List.of(), workerThreads());
      var common = WorkStealingScheduler.common();
      assertTrue(common.toString().contains("catnap-second"), common::toString);
      assertSame(common, WorkStealingScheduler.common());
      assertEquals(2, FailsWhenTold.TOLD.size());
      assertSame(common, FailsWhenTold.TOLD.get(1));
      WorkStealingScheduler.shutdownCommon(LONG, LONG);
      return true;
    }
  }

  @Test
  void whereTheProviderFailsWhenItIsTold_noThreadIsLeftAndTheNextUseBeginsAnew(@TempDir Path folder)
      throws Exception {
    provide(folder, FailsWhenTold.class.getName());
    assertTrue(CatnapOfItsOwn.call(UseAfterAFailedOne.class, folder.toString()));
  }

  /** That it is over already. */
  public static final class UseAfterTheEnd implements Callable<Boolean> {
    @Override
    public Boolean call() {
      WorkStealingScheduler.shutdownCommon(LONG, LONG);
      assertEquals(List.of(WorkStealingScheduler.common()), FailsWhenTold.TOLD);
      return true;
    }
  }

  @Test
  void theProviderIsToldOfOneThatIsOverToo(@TempDir Path folder) throws Exception {
    provide(folder, FailsWhenTold.class.getName());
    assertTrue(CatnapOfItsOwn.call(UseAfterTheEnd.class, folder.toString()));
  }

  private static void provide(Path folder, String... providers) throws IOException {
    Path services = Files.createDirectories(folder.resolve("META-INF/services"));
    Files.write(services.resolve(CommonSchedulerProvider.class.getName()), List.of(providers));
  }

  /** Whether no thread was started, by anybody in this JVM. */
  public static final class BeforeUse implements Callable<Boolean> {
    @Override
    public Boolean call() throws Exception {
      ThreadMXBean threads = ManagementFactory.getThreadMXBean();
      long before = threads.getTotalStartedThreadCount();
      ShutdownReport report = WorkStealingScheduler.shutdownCommon(Duration.ZERO, Duration.ZERO);
      var common = WorkStealingScheduler.common();
      long started = threads.getTotalStartedThreadCount() - before;
      assertEquals(Outcome.DRAINED, report.outcome());
      assertEnded(common);
      return started == 0;
    }
  }

  @Test
  void endedBeforeItsFirstUseItStartsNoThread() throws Exception {
    boolean none = false;
    for (int i = 0; i < 10 && !none; i++) { // what other tests have left may start one
      none = CatnapOfItsOwn.call(BeforeUse.class);
    }
    assertTrue(none);
  }

  /** Whoever is first. */
  public static final class Race implements Callable<Boolean> {
    @Override
    public Boolean call() throws Exception {
      CyclicBarrier start = new CyclicBarrier(2);
      FutureTask<WorkStealingScheduler> use =
          new FutureTask<>(
              () -> {
                start.await();
                return WorkStealingScheduler.common();
              });
      new Thread(use).start();
      start.await();
      ShutdownReport report = WorkStealingScheduler.shutdownCommon(LONG, LONG);
      assertEquals(Outcome.DRAINED, report.outcome());
      assertEnded(use.get(Await.DEADLINE_SECONDS, TimeUnit.SECONDS));
      return true;
    }
  }

  @Test
  void aFirstUseThatRacesWithTheEndLeavesNoThread() throws Exception {
    int rounds = TestScale.of(200);
    for (int i = 0; i < rounds; i++) {
      assertTrue(CatnapOfItsOwn.call(Race.class));
    }
  }

  /** Two things that change nothing. */
  public static final class Refused implements Callable<Boolean> {
    @Override
    public Boolean call() throws Exception {
      Duration negative = Duration.ofSeconds(-1);
      assertThrows(
          IllegalArgumentException.class,
          () -> WorkStealingScheduler.shutdownCommon(LONG, negative));
      var common = WorkStealingScheduler.common();
      var attempt = common.submit(() -> WorkStealingScheduler.shutdownCommon(LONG, LONG));
      var e = assertThrows(ExecutionException.class, attempt::get);
      assertTrue(e.getCause() instanceof IllegalStateException, e::toString);
      assertFalse(common.isShutdown());
      assertEquals(1, common.submit(() -> 1).get());
      CountDownLatch interrupted = new CountDownLatch(1);
      CountDownLatch begun = new CountDownLatch(1);
      common.execute(
          () -> {
            begun.countDown();
            try {
              new CountDownLatch(1).await();
            } catch (InterruptedException interrupt) {
              interrupted.countDown();
            }
          });
      Await.latch("the task", begun, common::dump);
      assertEquals(
          Outcome.INTERRUPTED, WorkStealingScheduler.shutdownCommon(Duration.ZERO, LONG).outcome());
      assertEquals(0, interrupted.getCount());
      return true;
    }
  }

  @Test
  void aRefusedEndChangesNothingAndTheNextInterruptsWhatRuns() throws Exception {
    assertTrue(CatnapOfItsOwn.call(Refused.class));
  }
}
