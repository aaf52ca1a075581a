package dev.catnap.internal.worker;

import dev.catnap.internal.queue.Inbox;
import dev.catnap.internal.queue.Injector;
import dev.catnap.internal.queue.WorkerDeque;
import dev.catnap.spi.SchedulerTuning;
import org.jspecify.annotations.Nullable;

/** The queues of a pool that are no worker's own. Thread-safe. */
final class SharedQueues {
  private final Pool pool;
  private final Injector injector;
  private final int batchLimit;

  /** Tasks that give way to all others. */
  private final Inbox background;

  /** Where full queues of workers overflow to once the injector is closed; looked at only then. */
  private final Injector afterClose;

  SharedQueues(Pool pool, SchedulerTuning tuning) {
    this.pool = pool;
    batchLimit = Math.min(tuning.dequeCapacity() / 2, tuning.injectorInterval() - 1);
    injector = new Injector(tuning.segmentSize());
    background = new Inbox(tuning.segmentSize());
    afterClose = new Injector(tuning.segmentSize());
  }

  Injector injector() {
    return injector;
  }

  Inbox background() {
    return background;
  }

  Injector afterClose() {
    return afterClose;
  }

  /** False: closed. */
  boolean pushBackground(Runnable task) {
    background.open();
    return background.push(task);
  }

  /** For tasks that are accepted already. */
  void pushOverflow(Runnable task) {
    if (!injector.push(task) && !afterClose.push(task)) {
      throw new AssertionError("the queue for the time after close is never closed");
    }
  }

  /** Each push came before, or is refused. */
  void close() {
    injector.close();
    background.close();
  }

  /** How many tasks come to a worker at once. */
  int batchLimit() {
    return batchLimit;
  }

  /**
   * A share of what was injected: one to run, the others into the caller's deque. Fewer than the
   * injector's interval, so that they are gone before the caller looks at the injector again: what
   * was injected in order is not overtaken by what was injected later.
   */
  @Nullable Runnable pollInjected(WorkerDeque into) {
    Runnable task = injector.poll(into, sharers(), batchLimit);
    return task == null && pool.phase() >= Lifecycle.DRAINING ? afterClose.poll() : task;
  }

  /**
   * A share of what was injected goes into the caller's deque, of which no more than a batch is
   * filled: nothing overflows back.
   *
   * @return false: there was none, or no room
   */
  boolean moveInjected(WorkerDeque into) {
    int most = batchLimit - into.size();
    return most > 0 && injector.move(into, sharers(), most);
  }

  /**
   * Who shares what was injected: those that are awake. Who is woken later steals its share from a
   * deque; with a share for each of many that sleep, those that run come back for each task.
   */
  private int sharers() {
    return Math.max(1, pool.parallelism() - pool.sleep().sleepingCount());
  }

  /** Tasks that wait here for a worker; a moment old. */
  int size() {
    return injector.size() + background.size();
  }
}
