package dev.catnap.testing;

/**
 * How much of what only many repetitions show: rounds and tasks are multiplied by the property
 * {@code catnap.test.scale}. The gate makes it small: what it must notice is noticed by a script of
 * steps.
 */
public final class TestScale {
  private static final double SCALE =
      Double.parseDouble(System.getProperty("catnap.test.scale", "1"));

  private TestScale() {}

  /** So many of them, at least one. */
  public static int of(int full) {
    return (int) Math.max(1, Math.round(full * SCALE));
  }
}
