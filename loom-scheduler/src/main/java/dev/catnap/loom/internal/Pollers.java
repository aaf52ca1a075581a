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

  static {
    Thread outside = Thread.ofPlatform().daemon().unstarted(Toucher::touchOnDefaultScheduler);
    outside.start();
    boolean ignored = Joins.uninterruptibly(outside, Toucher.LIMIT);
  }

  private Pollers() {}

  /** Once per JVM, before the first virtual thread on a pool. */
  static void settle() {
    // The initialiser of this class has done it.
  }

  /**
   * A class of its own, which uses nothing of the outer one: that is being initialised while this
   * runs, and waits for it.
   */
  private static final class Toucher {
    /** It takes some 10 ms. */
    static final Duration LIMIT = Duration.ofSeconds(10);

    private Toucher() {}

    /** In a platform thread: started by a virtual one, it would go to the scheduler of that. */
    static void touchOnDefaultScheduler() {
      Thread toucher = Thread.ofVirtual().start(Toucher::touch);
      boolean ignored = Joins.uninterruptibly(toucher, LIMIT);
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
}
