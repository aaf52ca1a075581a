package dev.catnap.benchmarks.measure;

/** How much of the heap is in use. */
public final class UsedHeap {
  private UsedHeap() {}

  /**
   * Once what is garbage has gone. Takes a full collection, so that the time of an operation that
   * calls it says nothing.
   *
   * @return bytes
   */
  public static long bytes() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
