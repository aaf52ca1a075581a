package dev.catnap.internal.worker;

import dev.catnap.WorkerHooks;
import org.jspecify.annotations.Nullable;

/**
 * What the application wants of worker threads, whoever makes them; checked by the public builder.
 *
 * @param hooks called on each; null: none
 * @param priority of {@code Thread}; 0: as the factory made it
 * @param contextClassLoader that of the helper threads as well; null: as the factory made it
 */
public record ThreadSettings(
    @Nullable WorkerHooks hooks, int priority, @Nullable ClassLoader contextClassLoader) {

  /** Before the thread starts. */
  void applyTo(Thread worker) {
    if (priority != 0) {
      worker.setPriority(priority);
    }
    applyLoaderTo(worker);
  }

  /** The same for a helper, which has the priority of the thread that needed it. */
  void applyLoaderTo(Thread thread) {
    if (contextClassLoader != null) {
      thread.setContextClassLoader(contextClassLoader);
    }
  }
}
