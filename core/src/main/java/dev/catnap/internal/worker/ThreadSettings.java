package dev.catnap.internal.worker;

import dev.catnap.WorkerHooks;
import org.jspecify.annotations.Nullable;

/**
 * What the application wants of the threads, whoever makes them; checked by the public builder.
 *
 * @param hooks called on each worker thread; null: none
 * @param priority of {@code Thread}, of worker threads; 0: as the factory made it
 * @param contextClassLoader of worker threads; null: as the factory made it
 * @param helperLoader that of the timer thread and the sentinel; null: the boot loader
 * @param group of all; null: that of the thread that happens to need the new one
 */
public record ThreadSettings(
    @Nullable WorkerHooks hooks,
    int priority,
    @Nullable ClassLoader contextClassLoader,
    @Nullable ClassLoader helperLoader,
    @Nullable ThreadGroup group) {

  /** Before the thread starts. */
  void applyTo(Thread worker) {
    if (priority != 0) {
      worker.setPriority(priority);
    }
    if (contextClassLoader != null) {
      worker.setContextClassLoader(contextClassLoader);
    }
  }

  /**
   * The same for a helper, which has the priority of the thread that needed it. Up to JDK 18 it
   * would have the loader of that one as well, and keep an application that is gone.
   */
  void applyToHelper(Thread helper) {
    helper.setContextClassLoader(helperLoader);
  }
}
