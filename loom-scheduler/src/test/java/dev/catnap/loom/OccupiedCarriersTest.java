package dev.catnap.loom;

import dev.catnap.loom.CarrierPool.Mode;
import dev.catnap.loom.testing.Deadline;
import dev.catnap.loom.testing.Modes;
import dev.catnap.loom.testing.NoThreadLeft;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** G9, F17: a virtual thread that keeps its carrier does not keep the others from running. */
@ExtendWith(NoThreadLeft.class)
class OccupiedCarriersTest {
  private static final String MODES = "dev.catnap.loom.testing.Modes#available";

  @ParameterizedTest
  @MethodSource(MODES)
  void whileOneComputes(Mode mode) {
    AtomicBoolean stop = new AtomicBoolean();
    try (CarrierPool pool = Modes.pool(mode, 1)) {
      Thread computes =
          pool.ofVirtual()
              .start(
                  () -> {
                    while (!stop.get()) {
                      Thread.onSpinWait();
                    }
                  });
      Deadline.join(pool.ofVirtual().start(() -> stop.set(true)), computes);
    }
  }

  /** Each mode needs a class of its own: it is initialised once. */
  @ParameterizedTest
  @MethodSource(MODES)
  void whileOneWaitsInAClassInitialiser(Mode mode) {
    Runnable initialises =
        mode == Mode.CARRIER_THREADS ? OnCarriers::initialise : OnPlatformThreads::initialise;
    try (CarrierPool pool = Modes.pool(mode, 1)) {
      CountDownLatch latch = Latches.of(mode);
      Thread waits = pool.ofVirtual().start(initialises);
      Deadline.join(pool.ofVirtual().start(latch::countDown), waits);
    }
  }

  private static final class Latches {
    private static final CountDownLatch CARRIERS = new CountDownLatch(1);
    private static final CountDownLatch PLATFORM_THREADS = new CountDownLatch(1);

    static CountDownLatch of(Mode mode) {
      return mode == Mode.CARRIER_THREADS ? CARRIERS : PLATFORM_THREADS;
    }
  }

  private static final class OnCarriers {
    static {
      Deadline.await("another virtual thread", Latches.CARRIERS);
    }

    static void initialise() {}
  }

  private static final class OnPlatformThreads {
    static {
      Deadline.await("another virtual thread", Latches.PLATFORM_THREADS);
    }

    static void initialise() {}
  }
}
