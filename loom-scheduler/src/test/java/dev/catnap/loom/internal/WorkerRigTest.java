package dev.catnap.loom.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.WorkStealingScheduler;
import dev.catnap.loom.CarrierPool.Mode;
import dev.catnap.loom.internal.jdk.JdkProbe;
import dev.catnap.loom.testing.Deadline;
import dev.catnap.loom.testing.NoThreadLeft;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** G12, F8: a scheduler between its first thread and its first virtual thread. */
@ExtendWith(NoThreadLeft.class)
class WorkerRigTest {
  private static final String MODES = "dev.catnap.loom.testing.Modes#available";

  private static WorkStealingScheduler.Builder settings() {
    return WorkStealingScheduler.builder().name("test").parallelism(2);
  }

  private static WorkerRig rig(Mode mode) {
    return switch (mode) {
      case CARRIER_THREADS -> WorkerRig.carrierThreads(1);
      case PLATFORM_THREADS -> WorkerRig.platformThreads(1);
    };
  }

  /** As a hook may that is called when a thread starts. */
  @ParameterizedTest
  @MethodSource(MODES)
  void beforeItIsBound_whatRunsOnAWorkerIsFreeToUseStreamsAndVirtualThreads(Mode mode)
      throws Exception {
    WorkStealingScheduler.Builder builder = settings();
    rig(mode).configure(builder, true);
    try (WorkStealingScheduler scheduler = builder.build()) {
      assertEquals(499_500, onWorker(scheduler, () -> IntStream.range(0, 1_000).parallel().sum()));
      assertFalse(onWorker(scheduler, () -> isVirtualThreadOnWorker(scheduler)));
    }
  }

  private static <T> T onWorker(WorkStealingScheduler scheduler, Callable<T> task)
      throws Exception {
    return scheduler.submit(task).get(Deadline.SECONDS, TimeUnit.SECONDS);
  }

  private static boolean isVirtualThreadOnWorker(WorkStealingScheduler scheduler) {
    AtomicBoolean onWorker = new AtomicBoolean();
    Deadline.join(Thread.startVirtualThread(() -> onWorker.set(scheduler.adapter().isWorker())));
    return onWorker.get();
  }

  @ParameterizedTest
  @MethodSource(MODES)
  void whereItCannotBeBoundNoThreadIsLeft(Mode mode) {
    Pollers broken =
        new Pollers(
            new OpenPools(),
            () -> {
              throw new StackOverflowError("of a test");
            });
    WorkerRig rig = new WorkerRig(JdkProbe.require(), mode == Mode.CARRIER_THREADS, 1, broken);
    var e = assertThrows(IllegalStateException.class, () -> rig.build(settings(), true));
    assertEquals("no virtual threads on test: of a test", e.getMessage());
    assertTrue(e.getCause() instanceof StackOverflowError, e::toString);
    assertEquals(0, workers());
  }

  private static long workers() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(t -> t.getName().startsWith("test-") && t.isAlive())
        .count();
  }
}
