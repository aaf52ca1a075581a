package dev.catnap.samples.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.SchedulerStats;
import dev.catnap.loom.CarrierPool;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A pool of two workers for each test, and what must be true of it when the server is closed. */
public final class PoolExtension implements BeforeEachCallback, AfterEachCallback {
  private static final int WORKERS = 2;
  private static final Pattern OURS =
      Pattern.compile("(test-web|qtp|HTTP-Dispatcher|HttpClient|Scheduler-|Session).*");

  private Set<Thread> before = Set.of();
  private CarrierPool pool;

  public CarrierPool pool() {
    return pool;
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    before = threads();
    pool = CarrierPool.builder().name("test-web").parallelism(WORKERS).build();
  }

  @Override
  public void afterEach(ExtensionContext context) {
    Await.until("nothing is left to do", () -> isAtRest(pool.scheduler().stats()));
    assertEquals(0, pool.scheduler().stats().uncaughtExceptions());
    pool.close();
    Await.until("no thread is left", () -> before.containsAll(threads()));
  }

  /** A worker that was relieved may still be in its last task when all others are asleep. */
  private static boolean isAtRest(SchedulerStats stats) {
    return stats.parkedWorkers() == WORKERS
        && stats.relievedWorkers() == 0
        && stats.published() == stats.executed()
        && stats.queued() == 0
        && stats.armedTimers() == 0;
  }

  /** Those of servers, clients and pools; the JDK starts and keeps others. */
  private static Set<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(t -> !t.isDaemon() || OURS.matcher(t.getName()).matches())
        .filter(t -> t.isAlive() && !t.getName().startsWith("junit-"))
        .collect(Collectors.toSet());
  }

  /** A virtual thread on one of this pool's workers. */
  public void assertCarried(String thread) {
    assertTrue(thread.startsWith("VirtualThread["), thread);
    assertTrue(thread.matches(".*@test-web-worker-[0-9]+"), thread);
  }
}
