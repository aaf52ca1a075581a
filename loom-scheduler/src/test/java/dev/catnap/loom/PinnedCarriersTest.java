package dev.catnap.loom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.catnap.loom.CarrierPool.Mode;
import dev.catnap.loom.programs.PinnedService;
import dev.catnap.loom.testing.Deadline;
import dev.catnap.loom.testing.ForkedJvm;
import dev.catnap.loom.testing.Modes;
import dev.catnap.loom.testing.NoThreadLeft;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * G9, F17, F18: where {@code synchronized} pins, all carriers may wait for a lock whose owner needs
 * a carrier. The JDK's scheduler stays there; a pool gives the workers that wait a spare.
 */
@ExtendWith(NoThreadLeft.class)
class PinnedCarriersTest {
  /**
   * For the owner of the lock; what takes milliseconds does not come if it has not come by then.
   */
  private static final int SECONDS_UNTIL_STUCK = 5;

  static Stream<Arguments> pools() {
    return Modes.available().stream()
        .flatMap(mode -> Stream.of(1, 2, 8).map(workers -> Arguments.of(mode, workers)));
  }

  @ParameterizedTest
  @MethodSource("pools")
  void theServiceAnswersOnAPool(Mode mode, int workers) throws Exception {
    try (CarrierPool pool = Modes.productionPool(mode, workers)) {
      PinnedService service = new PinnedService(pool.threadFactory(), workers);
      assertEquals(answeredAllOf(workers), service.run(Duration.ofSeconds(Deadline.SECONDS)));
    }
  }

  /**
   * Of the JDK alone, which is why it is not in the gate. No other setting helps: neither {@code
   * maxPoolSize} nor {@code minRunnable}.
   */
  @Tag("timing")
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8})
  void theServiceIsStuckOnTheSchedulerOfAJdkThatPins(int carriers) throws Exception {
    assumeTrue(synchronizedPins(), "this JDK does not pin in synchronized");
    assertEquals(
        List.of(
            "answered 0 of " + 2 * carriers,
            "the owner of the lock is RUNNABLE, not mounted",
            carriers + " requests wait for the lock inside synchronized, mounted on " + carriers),
        onTheSchedulerOfTheJdk(carriers, SECONDS_UNTIL_STUCK));
  }

  /** Of the JDK alone. */
  @Tag("timing")
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8})
  void theServiceAnswersOnTheSchedulerOfAJdkThatDoesNotPin(int carriers) throws Exception {
    assumeFalse(synchronizedPins(), "this JDK pins in synchronized");
    assertEquals(answeredAllOf(carriers), onTheSchedulerOfTheJdk(carriers, (int) Deadline.SECONDS));
  }

  private static List<String> onTheSchedulerOfTheJdk(int carriers, int seconds) throws Exception {
    return ForkedJvm.run(
        ForkedJvm.onClassPath("-Djdk.virtualThreadScheduler.parallelism=" + carriers),
        PinnedService.class,
        String.valueOf(seconds));
  }

  private static List<String> answeredAllOf(int carriers) {
    return List.of("answered " + 2 * carriers + " of " + 2 * carriers);
  }

  private static boolean synchronizedPins() {
    return Runtime.version().feature() < 24; // JEP 491
  }
}
