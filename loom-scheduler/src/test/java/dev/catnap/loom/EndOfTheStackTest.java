package dev.catnap.loom;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.catnap.loom.CarrierPool.Mode;
import dev.catnap.loom.programs.DeepUnparks;
import dev.catnap.loom.testing.ClaimProbe;
import dev.catnap.loom.testing.Deadline;
import dev.catnap.loom.testing.ForkedJvm;
import dev.catnap.loom.testing.Modes;
import dev.catnap.loom.testing.NoThreadLeft;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * G1, G2, G7: where the stack of a thread ends. A virtual thread that is refused there is stranded,
 * since for the JDK it runs; a worker that was claimed there and is not unparked sleeps for ever.
 */
@ExtendWith(NoThreadLeft.class)
class EndOfTheStackTest {
  /** With room for the JDK's part of an unpark but not for the protocol's. */
  @ParameterizedTest
  @MethodSource("dev.catnap.loom.testing.Modes#available")
  void whoIsUnparkedThereGoesOn(Mode mode) throws Exception {
    try (CarrierPool pool = Modes.pool(mode, 2)) {
      DeepUnparks program = new DeepUnparks(pool.ofVirtual().factory());
      assertEquals("went on", program.run(Duration.ofSeconds(Deadline.SECONDS)));
    }
  }

  /**
   * A publish ends with {@code LockSupport.unpark}. Compiled together with all that a virtual
   * thread's unpark does, down to a publish, that would need the stack of one more: after the
   * claim.
   */
  @ParameterizedTest
  @MethodSource("dev.catnap.loom.testing.Modes#available")
  void aWorkerThatIsClaimedThereIsUnparked(Mode mode) throws Exception {
    List<String> said = ForkedJvm.run(ClaimProbe.options(), ClaimProbe.class, mode.name());
    assertEquals(List.of("both workers run"), said);
  }
}
