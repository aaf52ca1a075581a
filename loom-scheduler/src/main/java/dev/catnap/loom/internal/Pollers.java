package dev.catnap.loom.internal;

import dev.catnap.loom.internal.jdk.Joins;
import java.time.Duration;

/**
 * The JDK's network pollers. They serve all virtual threads of the JVM, and are in part virtual
 * threads themselves, on the scheduler of whoever uses the network first. On a pool they would make
 * everybody's network wait for the hogs of that pool. So they are called into being before, on the
 * JDK's default scheduler.
 */
final class Pollers {
  /** The class whose initialiser starts them; on a JDK without it there is nothing to do. */
  private static final String POLLER = "sun.nio.ch.Poller";

  /** It takes some 10 ms. */
  private static final Duration LIMIT = Duration.ofSeconds(10);

  static {
    // From a platform thread a virtual one goes to the default scheduler, from a virtual one to its
    // own.
    Thread platform =
        Thread.ofPlatform()
            .daemon()
            .unstarted(
                () -> {
                  Thread toucher = Thread.ofVirtual().start(Pollers::touch);
                  boolean ignored = Joins.uninterruptibly(toucher, LIMIT);
                });
    platform.start();
    boolean ignored = Joins.uninterruptibly(platform, LIMIT);
  }

  private Pollers() {}

  /** Once per JVM, before the first virtual thread on a pool. */
  static void settle() {
    // The initialiser of this class has done it.
  }

  private static void touch() {
    try {
      Class<?> ignored = Class.forName(POLLER);
    } catch (ClassNotFoundException | LinkageError e) {
      // No such class, or it cannot poll: whoever uses the network learns the reason there.
      return;
    }
  }
}
