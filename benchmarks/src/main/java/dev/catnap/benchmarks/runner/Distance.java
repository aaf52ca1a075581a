package dev.catnap.benchmarks.runner;

import dev.catnap.benchmarks.measure.CoreToCore;
import java.util.OptionalLong;

/** From one processor to another, before each fork: what a figure owes to where they were. */
final class Distance {
  static final String FACT = "core to core, ns";

  private long least = Long.MAX_VALUE;
  private long most;

  /** What it measures. */
  @FunctionalInterface
  interface Probe {
    OptionalLong nanos() throws InterruptedException;
  }

  private final Probe probe;

  Distance() {
    this(CoreToCore::nanos);
  }

  Distance(Probe probe) {
    this.probe = probe;
  }

  /** Measures once more, and says what there was; empty if there is but one processor. */
  String measure() {
    try {
      OptionalLong nanos = probe.nanos();
      if (nanos.isEmpty()) {
        return "";
      }
      least = Math.min(least, nanos.getAsLong());
      most = Math.max(most, nanos.getAsLong());
      return " (" + FACT + ": " + nanos.getAsLong() + ")";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "";
    }
  }

  /** Of the whole run. */
  @Override
  public String toString() {
    if (least > most) {
      return "-";
    }
    return least == most ? "" + least : least + " to " + most;
  }
}
