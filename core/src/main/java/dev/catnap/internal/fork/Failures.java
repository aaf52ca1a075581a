package dev.catnap.internal.fork;

import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** What branches and subtasks throw, on its way to who waits. */
public final class Failures {
  private Failures() {}

  /** The first of two, with the other one suppressed. */
  public static Throwable add(Throwable first, @Nullable Throwable other) {
    if (other != null && other != first) {
      try {
        first.addSuppressed(other);
      } catch (OutOfMemoryError e) {
        // Who waits must be told of the first one all the same.
      }
    }
    return first;
  }

  /** Throws it: as it is if it need not be declared, else inside a {@link CompletionException}. */
  public static RuntimeException raise(Throwable thrown) {
    if (thrown instanceof Error e) {
      throw e;
    }
    throw thrown instanceof RuntimeException e ? e : new CompletionException(thrown);
  }
}
