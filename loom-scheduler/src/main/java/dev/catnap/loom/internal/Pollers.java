package dev.catnap.loom.internal;

import dev.catnap.loom.internal.jdk.JdkBridge;
import dev.catnap.loom.internal.jdk.JdkProbe;
import dev.catnap.loom.internal.jdk.Joins;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import org.jspecify.annotations.Nullable;

/**
 * The JDK's network pollers. They serve all virtual threads of the JVM, and are in part virtual
 * threads themselves, on the scheduler of whoever uses the network first. On a pool they would
 * depend on its hogs and its end; on the JDK's default scheduler every event would be handed over
 * from there, by a thread that is woken for it. So they are called into being by us, on a {@link
 * PollerScheduler}.
 *
 * <p>Where the network was used by a virtual thread before, they are what they are, on the JDK's
 * default scheduler; and where they are platform threads, on JDK 21 and by {@code
 * -Djdk.pollerMode=1}, there is nothing to choose. Neither needs to be known here.
 */
final class Pollers {
  /** The class whose initialiser starts them; on a JDK without it there is nothing to do. */
  private static final String POLLER = "sun.nio.ch.Poller";

  private static final boolean CAN_BE_CARRIED = settle();

  private Pollers() {}

  /** The pool carries them from now on, if it is the only one. Before its first virtual thread. */
  static void serve(OpenPools.Host pool) {
    if (CAN_BE_CARRIED) {
      OpenPools.OF_THIS_JVM.add(pool);
    }
  }

  private static boolean settle() {
    JdkBridge jdk = JdkProbe.require();
    PollerScheduler scheduler = new PollerScheduler(OpenPools.OF_THIS_JVM, new Fallback(jdk));
    scheduler.settling(true);
    Thread toucher = jdk.newBuilder(scheduler).start(Toucher::touch);
    boolean ignored = Joins.uninterruptibly(toucher, Toucher.LIMIT);
    scheduler.settling(false);
    return jdk.tellsSchedulers() && !isReplaced(jdk.defaultScheduler());
  }

  /**
   * By the agent, perhaps with another copy of these classes: then a pool is never the only one,
   * and the pollers do best on the scheduler of everybody else.
   */
  private static boolean isReplaced(@Nullable Executor defaultScheduler) {
    return defaultScheduler != null && defaultScheduler.getClass() != ForkJoinPool.class;
  }

  /**
   * A class of its own, which uses nothing of the outer one, no lambda either: that is being
   * initialised while this runs, and waits for it.
   */
  private static final class Toucher {
    /** It takes some 10 ms. */
    static final Duration LIMIT = Duration.ofSeconds(10);

    private Toucher() {}

    /** In a virtual thread: those that it starts inherit its scheduler. */
    static void touch() {
      try {
        Class<?> ignored = Class.forName(POLLER);
      } catch (ClassNotFoundException | LinkageError e) {
        // No such class, or it cannot poll: whoever uses the network learns the reason there.
        return;
      }
    }
  }
}
