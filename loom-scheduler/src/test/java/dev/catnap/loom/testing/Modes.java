package dev.catnap.loom.testing;

import dev.catnap.loom.CarrierPool;
import dev.catnap.loom.CarrierPool.Mode;
import java.util.ArrayList;
import java.util.List;

/** The modes that this JVM has, as a source of parameters. */
public final class Modes {
  private Modes() {}

  /** Both, or only platform threads. */
  public static List<Mode> available() {
    List<Mode> modes = new ArrayList<>(List.of(Mode.PLATFORM_THREADS));
    if (hasCarriers()) {
      modes.add(Mode.CARRIER_THREADS);
    }
    return modes;
  }

  /** That of a pool which is not told. */
  public static Mode best() {
    return hasCarriers() ? Mode.CARRIER_THREADS : Mode.PLATFORM_THREADS;
  }

  /** Whether a pool has carrier threads here. */
  public static boolean hasCarriers() {
    try (CarrierPool pool = CarrierPool.builder().parallelism(1).build()) {
      return pool.mode() == Mode.CARRIER_THREADS;
    }
  }

  /** A pool in that mode. */
  public static CarrierPool pool(Mode mode, int parallelism) {
    return CarrierPool.builder().name("test").mode(mode).parallelism(parallelism).build();
  }
}
