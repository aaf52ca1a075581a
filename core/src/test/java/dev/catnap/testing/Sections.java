package dev.catnap.testing;

import dev.catnap.WorkStealingScheduler;

/** Declared blocking sections in tests. */
public final class Sections {
  private Sections() {}

  /** Runs it in a section; fails if that throws. */
  public static void block(WorkStealingScheduler scheduler, Runnable section) {
    try {
      boolean ignored =
          scheduler.blocking(
              () -> {
                section.run();
                return true;
              });
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
