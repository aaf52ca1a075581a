package dev.catnap.loom;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.catnap.loom.testing.CommonPoolProbe;
import dev.catnap.loom.testing.CommonSchedulerProbe;
import dev.catnap.loom.testing.ForkedJvm;
import dev.catnap.loom.testing.Modes;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The common pool belongs to nobody (F21), to all kinds of tasks (G12), and has an end (G6). */
class CommonPoolTest {
  private static final String OPENS = "--add-opens=java.base/java.lang=ALL-UNNAMED";
  private static final String EXPORTS = "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED";

  private static List<String> optionsOf(CarrierPool.Mode mode) {
    return switch (mode) {
      case CARRIER_THREADS -> ForkedJvm.onClassPath(OPENS, EXPORTS);
      case PLATFORM_THREADS -> ForkedJvm.onClassPath(OPENS);
    };
  }

  @ParameterizedTest
  @MethodSource("dev.catnap.loom.testing.Modes#available")
  void itKeepsNothingOfWhoUsesItFirst_andAfterItsEndItsThreadsGoOnElsewhere(CarrierPool.Mode mode)
      throws Exception {
    assertEquals(
        List.of(
            "mode: " + mode,
            "Catnap's loader: 1: true",
            "topmost group: true",
            "ended: true",
            "goes on elsewhere: true",
            "refused: true",
            "no thread: true",
            "loader of the caller: true"),
        ForkedJvm.run(optionsOf(mode), CommonPoolProbe.class));
  }

  /** The workers are carriers, whoever is the first to use them: coroutines, for example. */
  @ParameterizedTest
  @MethodSource("dev.catnap.loom.testing.Modes#available")
  void beforeAnybodyAsksForVirtualThreads_tasksAreFreeToUseThoseOfTheJdk(CarrierPool.Mode mode)
      throws Exception {
    assertEquals(
        List.of(
            "carriers: " + (mode == CarrierPool.Mode.CARRIER_THREADS),
            "parallel sum: 499500",
            "a virtual thread is on a worker: false",
            "pollers: false",
            "then one of the pool is: true"),
        ForkedJvm.run(optionsOf(mode), CommonSchedulerProbe.class));
  }

  @Test
  void endedBeforeItsFirstUse_itStartsNothing() throws Exception {
    assertEquals(
        List.of("ended: true", "refused: true", "no thread: true", "no poller: true"),
        ForkedJvm.run(
            optionsOf(Modes.available().iterator().next()), CommonPoolProbe.class, "first"));
  }
}
