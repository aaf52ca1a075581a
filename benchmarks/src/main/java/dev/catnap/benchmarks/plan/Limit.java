package dev.catnap.benchmarks.plan;

import java.util.Locale;

/**
 * What a ratio must reach.
 *
 * @param sense on which side it must stay
 * @param value the bound, itself allowed
 */
public record Limit(Sense sense, double value) {

  /** The side of the bound that is good. */
  public enum Sense {
    AT_LEAST,
    AT_MOST
  }

  /**
   * A lower bound.
   *
   * @param value itself allowed
   * @return the limit
   */
  public static Limit atLeast(double value) {
    return new Limit(Sense.AT_LEAST, value);
  }

  /**
   * An upper bound.
   *
   * @param value itself allowed
   * @return the limit
   */
  public static Limit atMost(double value) {
    return new Limit(Sense.AT_MOST, value);
  }

  /**
   * Whether a ratio keeps to it.
   *
   * @param ratio the ratio
   * @return false for NaN
   */
  public boolean isMetBy(double ratio) {
    return sense == Sense.AT_LEAST ? ratio >= value : ratio <= value;
  }

  @Override
  public String toString() {
    String bound = value == Math.rint(value) ? "%.0f" : "%s";
    return (sense == Sense.AT_LEAST ? ">= " : "<= ") + String.format(Locale.ROOT, bound, value);
  }
}
