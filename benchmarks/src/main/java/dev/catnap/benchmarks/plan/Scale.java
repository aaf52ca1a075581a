package dev.catnap.benchmarks.plan;

/** Makes workloads small that would take seconds, where figures mean nothing anyway. */
public final class Scale {
  private static final String PROPERTY = "catnap.benchmarks.small";
  private static final int PART = 50;

  /** The argument of a JVM in which they are small; the smoke test has it too. */
  public static final String JVM_ARG = "-D" + PROPERTY + "=true";

  private Scale() {}

  /**
   * The size of a workload.
   *
   * @param full what it is measured with
   * @return that, or a small part of it
   */
  public static int of(int full) {
    return Boolean.getBoolean(PROPERTY) ? full / PART : full;
  }
}
