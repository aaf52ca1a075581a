package dev.catnap.loom.testing;

import dev.catnap.loom.CarrierPool;
import dev.catnap.loom.CarrierPool.Mode;
import dev.catnap.spi.MonotonicClock;
import dev.catnap.spi.SchedulerTuning;
import java.util.ArrayList;
import java.util.List;

/** The modes that this JVM has, as a source of parameters, and pools in them. */
public final class Modes {
  private static final long MINUTE_NANOS = 60_000_000_000L;

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

  /**
   * A pool in that mode whose sentinel lets workers stall for a minute, so that no spare comes that
   * the test did not ask for: in production one comes after 5 ms of waiting or 20 ms of computing,
   * and a worker that the operating system has taken its core from is no different to look at.
   * Blocking that is declared gets its spare.
   */
  public static CarrierPool pool(Mode mode, int parallelism) {
    return builder(mode, parallelism).tuning(lateSpares()).build();
  }

  /** With the sentinel of production: for tests of G9, where spares come by the clock. */
  public static CarrierPool productionPool(Mode mode, int parallelism) {
    return builder(mode, parallelism).build();
  }

  /** For a test with settings of its own. */
  public static CarrierPool.Builder builder(Mode mode, int parallelism) {
    return CarrierPool.builder().name("test").mode(mode).parallelism(parallelism);
  }

  /** No spare for a worker that stalls. */
  public static SchedulerTuning lateSpares() {
    SchedulerTuning production = SchedulerTuning.production();
    return production
        .withSentinel(production.slotTickNanos(), MINUTE_NANOS)
        .withClock(new RestlessSentinel(production.stallTickNanos()));
  }

  /**
   * Nor is a task taken out of the LIFO slot of one: what is in there stays. And nobody is on
   * standby, however few processors there are: only the sentinel would call him up.
   */
  public static SchedulerTuning lateSentinel() {
    return SchedulerTuning.production()
        .withSentinel(MINUTE_NANOS, MINUTE_NANOS)
        .withProcessors(Integer.MAX_VALUE);
  }

  /**
   * The real time, by which the sentinel waits no longer than in production. Else it lingers off
   * duty for the minute as well; and a worker on standby, or a section that has kept its right,
   * waits for its next round as long.
   */
  private record RestlessSentinel(long longestNanos) implements MonotonicClock {
    @Override
    public long nanoTime() {
      return System.nanoTime();
    }

    @Override
    public void parkNanos(Object blocker, long nanos) {
      boolean isSentinel = Thread.currentThread().getName().endsWith("-sentinel");
      LOCK_SUPPORT.parkNanos(blocker, isSentinel ? Math.min(nanos, longestNanos) : nanos);
    }
  }
}
