package dev.catnap.loom.internal;

import dev.catnap.loom.internal.OpenPools.Host;
import java.util.concurrent.Executor;

/**
 * The scheduler of the JDK's network pollers, as far as those are virtual threads. They serve all
 * virtual threads of the JVM and outlive every pool, so their scheduler is none: each time that one
 * goes on, this chooses who carries it. If one pool is open, that does, and whoever is woken for
 * the network is woken by a worker, without a way over threads of the JDK. Else the JDK's default
 * scheduler does: nobody's network is to depend on a pool that it has nothing to do with.
 *
 * <p>Thread-safe. Refuses nothing: a poller that is stranded takes the network with it.
 */
final class PollerScheduler implements Executor {
  private final OpenPools pools;
  private final Executor otherwise;

  /** While the pollers are made; see {@link Pollers}. */
  private volatile boolean settling;

  /**
   * A scheduler.
   *
   * @param pools whose workers carry, if it is one
   * @param otherwise carries in any other case, and never refuses
   */
  PollerScheduler(OpenPools pools, Executor otherwise) {
    this.pools = pools;
    this.otherwise = otherwise;
  }

  /**
   * Whether each continuation gets a thread of its own. So it does while whoever made a pool waits
   * for the pollers, perhaps on the only carrier of the scheduler that they would run on.
   */
  void settling(boolean now) {
    settling = now;
  }

  @Override
  public void execute(Runnable continuation) {
    if (!isCarried(continuation)) {
      otherwise.execute(continuation);
    }
  }

  // The choice holds for one submission, and may be out of date when it is used:
  //   T1 unparks a poller            T2
  //   only() is A
  //                                  closes A, which drains and ends
  //   A.carry(): refused, so the poller goes elsewhere
  // or
  //   A.carry(): accepted, since the injector was not yet closed: A runs it while it drains
  //                                  A's worker runs it, it yields: A is not open, see
  //                                  ContinuationRouter.publish
  private boolean isCarried(Runnable continuation) {
    try {
      if (settling) {
        Thread.ofPlatform()
            .name("catnap-pollers")
            .daemon()
            .inheritInheritableThreadLocals(false)
            .start(continuation);
        return true;
      }
      Host host = pools.only();
      return host != null && host.hasSpares() && host.carry(continuation);
    } catch (OutOfMemoryError e) {
      // Not accepted. Thrown at the JDK's master poller it would end that, and all network with it.
      return false;
    }
  }

  @Override
  public String toString() {
    return "network pollers";
  }
}
