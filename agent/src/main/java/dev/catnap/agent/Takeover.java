package dev.catnap.agent;

import java.lang.instrument.Instrumentation;
import org.jspecify.annotations.Nullable;

/**
 * Moves what was asked for, each as far as it can be had. Whatever is thrown on the way, an error
 * too: the JVM would not start.
 */
final class Takeover {
  private Takeover() {}

  static void run(AgentOptions options, Instrumentation instrumentation) {
    CoroutineSettings settings = options.coroutines() ? coroutineSettings() : null;
    EmbeddedLoader loader = new EmbeddedLoader();
    Object scheduler = null;
    if (options.virtualThreads()) {
      scheduler = moveVirtualThreads(loader, settings, instrumentation);
    }
    if (settings != null && scheduler != null) {
      settings.sayIfIoIsCut();
    }
    if (settings != null) {
      moveCoroutines(loader, settings, scheduler, instrumentation);
    }
  }

  private static @Nullable CoroutineSettings coroutineSettings() {
    try {
      return CoroutineSettings.read();
    } catch (IllegalStateException e) {
      Complaint.coroutinesStay(e);
      return null;
    }
  }

  /** The scheduler that they are on now; null: they are not. */
  private static @Nullable Object moveVirtualThreads(
      EmbeddedLoader loader,
      @Nullable CoroutineSettings settings,
      Instrumentation instrumentation) {
    try {
      return VirtualThreads.moveToCatnap(loader, settings, instrumentation);
    } catch (Throwable e) {
      Complaint.virtualThreadsStay(e);
      return null;
    }
  }

  private static void moveCoroutines(
      EmbeddedLoader loader,
      CoroutineSettings settings,
      @Nullable Object scheduler,
      Instrumentation instrumentation) {
    try {
      Coroutines.moveToCatnap(loader, settings, scheduler, instrumentation);
    } catch (Throwable e) {
      Complaint.coroutinesStay(e);
    }
  }
}
