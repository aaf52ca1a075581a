package dev.catnap.loom;

import dev.catnap.loom.CarrierPool.Mode;
import dev.catnap.loom.testing.Deadline;
import dev.catnap.loom.testing.Modes;
import dev.catnap.loom.testing.NoThreadLeft;
import java.lang.ref.WeakReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** G4: an idle pool does not keep the last virtual thread that has ended on it. */
@ExtendWith(NoThreadLeft.class)
class LastThreadTest {

  @ParameterizedTest
  @MethodSource("dev.catnap.loom.testing.Modes#available")
  void oneThatHasEndedIsCollected(Mode mode) {
    try (CarrierPool pool = Modes.builder(mode, 2).build()) {
      WeakReference<Thread> last = runOne(pool);
      Deadline.untilParked(pool);
      Deadline.until(
          "the collector has taken it",
          () -> {
            System.gc();
            return last.get() == null;
          });
    }
  }

  /** So that nothing in the frame of the test refers to it. */
  private static WeakReference<Thread> runOne(CarrierPool pool) {
    Thread thread = pool.ofVirtual().start(LockSupport::park);
    Deadline.until("it is parked", () -> thread.getState() == Thread.State.WAITING);
    LockSupport.unpark(thread);
    Deadline.join(thread);
    return new WeakReference<>(thread);
  }
}
