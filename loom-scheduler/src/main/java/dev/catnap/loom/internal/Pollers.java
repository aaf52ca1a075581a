package dev.catnap.loom.internal;

import dev.catnap.loom.internal.jdk.JdkBridge;
import dev.catnap.loom.internal.jdk.JdkProbe;
import dev.catnap.loom.internal.jdk.Joins;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The JDK's network pollers. They serve all virtual threads of the JVM, and are in part virtual
 * threads themselves, on the scheduler of whoever uses the network first. On a pool they would
 * depend on its hogs and its end; on the JDK's default scheduler every event would be handed over
 * from there, by a thread that is woken for it. So they are called into being by us, on a {@link
 * PollerScheduler}, by the first pool. Thread-safe.
 *
 * <p>Where the network was used by a virtual thread before, they are what they are, on the JDK's
 * default scheduler; and where they are platform threads, on JDK 21 and by {@code
 * -Djdk.pollerMode=1}, there is nothing to choose. Neither needs to be known here.
 */
final class Pollers {
  /** The class whose initialiser starts them; on a JDK without it there is nothing to do. */
  private static final String POLLER = "sun.nio.ch.Poller";

  /** That initialiser takes some 10 ms. */
  private static final Duration LIMIT = Duration.ofSeconds(10);

  static final Pollers OF_THIS_JVM = new Pollers(OpenPools.OF_THIS_JVM, Pollers::settle);

  private final OpenPools pools;
  private final BooleanSupplier settle;

  /** A virtual thread that waits for it leaves its carrier. */
  private final ReentrantLock settling = new ReentrantLock();

  private volatile @Nullable Boolean canBeCarried;

  /**
   * Those of this JVM, or, for tests, others.
   *
   * @param settle calls them into being; whether they can be carried
   */
  Pollers(OpenPools pools, BooleanSupplier settle) {
    this.pools = pools;
    this.settle = settle;
  }

  /** The pool carries them from now on, if it is the only one. Before its first virtual thread. */
  void serve(OpenPools.Host pool) {
    if (mayBeCarried()) {
      pools.add(pool);
    }
  }

  /** Where threads have run out the next pool finds out; this one counts as one of several then. */
  private boolean mayBeCarried() {
    Boolean known = canBeCarried;
    if (known != null) {
      return known;
    }
    settling.lock();
    try {
      known = canBeCarried;
      if (known == null) {
        known = settle.getAsBoolean();
        canBeCarried = known;
      }
      return known;
    } catch (OutOfMemoryError e) {
      return true;
    } finally {
      settling.unlock();
    }
  }

  private static boolean settle() {
    if (!Spacers.isRoom()) {
      // Their initialiser would fail, and nobody in this JVM had a network any more.
      throw new OutOfMemoryError("no thread can be started");
    }
    JdkBridge jdk = JdkProbe.require();
    PollerScheduler scheduler = new PollerScheduler(OpenPools.OF_THIS_JVM, new Fallback(jdk));
    scheduler.settling(true);
    try {
      // In a virtual thread: those that it starts inherit its scheduler.
      Thread toucher = jdk.newBuilder(scheduler).start(Pollers::touch);
      boolean ignored = Joins.uninterruptibly(toucher, LIMIT);
    } finally {
      scheduler.settling(false);
    }
    return jdk.tellsSchedulers() && !isReplaced(jdk.defaultScheduler());
  }

  private static void touch() {
    try {
      Class<?> ignored = Class.forName(POLLER);
    } catch (ClassNotFoundException | LinkageError | OutOfMemoryError e) {
      // No such class, or it cannot poll: whoever uses the network learns the reason there.
      return;
    }
  }

  /**
   * By the agent, perhaps with another copy of these classes: then a pool is never the only one,
   * and the pollers do best on the scheduler of everybody else.
   */
  private static boolean isReplaced(@Nullable Executor defaultScheduler) {
    return defaultScheduler != null && defaultScheduler.getClass() != ForkJoinPool.class;
  }
}
