package dev.catnap.coroutines.internal;

import dev.catnap.WorkStealingScheduler;
import dev.catnap.spi.Parker;
import dev.catnap.spi.WorkerThread;
import reactor.blockhound.BlockHound;
import reactor.blockhound.integration.BlockHoundIntegration;

/**
 * Tells BlockHound that workers must not block, unless the task says that it does: inside {@code
 * io()} and {@code WorkStealingScheduler.blocking}. BlockHound finds it by {@link
 * java.util.ServiceLoader}, on the class path.
 *
 * <p>What the core may do is listed by the methods that do it, none of which stays on a stack for
 * long: BlockHound may be installed while workers run, and does not change a method that is under
 * way. In {@code Worker.run} the list would miss every worker that is there already.
 */
public final class CatnapBlockHoundIntegration implements BlockHoundIntegration {
  private static final String CORE = "dev.catnap.internal.";

  /** Made by the service loader. */
  public CatnapBlockHoundIntegration() {}

  @Override
  public void applyTo(BlockHound.Builder builder) {
    builder.nonBlockingThreadPredicate(others -> others.or(WorkerThread.class::isInstance));
    allowDeclaredSections(builder);
    allowIdleWorkers(builder);
    allowMoments(builder);
  }

  private static void allowDeclaredSections(BlockHound.Builder builder) {
    builder.allowBlockingCallsInside("dev.catnap.coroutines.LaneRunner", "runDeclared");
    builder.allowBlockingCallsInside(WorkStealingScheduler.class.getName(), "blocking");
  }

  private static void allowIdleWorkers(BlockHound.Builder builder) {
    String lockSupport = Parker.LOCK_SUPPORT.getClass().getName();
    builder.allowBlockingCallsInside(lockSupport, "park");
    builder.allowBlockingCallsInside(lockSupport, "parkNanos");
    // For other parkers.
    builder.allowBlockingCallsInside(CORE + "sleep.Sleep", "sleep");
    builder.allowBlockingCallsInside(CORE + "sleep.Sleep", "parkSpare");
    builder.allowBlockingCallsInside(CORE + "sleep.Sleep", "await");
    builder.allowBlockingCallsInside(CORE + "worker.Search", "searchRounds"); // yields
  }

  /** Spins and yields until another thread has done a few steps. */
  private static void allowMoments(BlockHound.Builder builder) {
    builder.allowBlockingCallsInside(CORE + "atomic.SpinLock", "lock");
    builder.allowBlockingCallsInside(CORE + "timer.TimerQueue", "awaitFiring");
    builder.allowBlockingCallsInside(CORE + "worker.Pool", "awaitSweep");
    // Reads service files, once.
    builder.allowBlockingCallsInside("dev.catnap.CommonScheduler", "buildOnce");
  }
}
