package dev.catnap.internal.worker;

import dev.catnap.internal.sentinel.Watch;
import dev.catnap.internal.sentinel.Watched;

/** A pool as its sentinel sees it, and what that does there. */
final class WatchedPool implements Watch {
  private final Pool pool;

  WatchedPool(Pool pool) {
    this.pool = pool;
  }

  @Override
  public int size() {
    return pool.workerCount();
  }

  @Override
  public Worker worker(int index) {
    return pool.worker(index);
  }

  @Override
  public boolean everybodyRuns() {
    return pool.sleep().nobodyIsInactive();
  }

  @Override
  public boolean isWorkVisible() {
    return pool.isWorkVisible();
  }

  @Override
  public void releaseRightOf(Watched watched) {
    Worker worker = (Worker) watched;
    try {
      if (worker.keepsRight()) {
        // Declared: nothing to record.
        pool.sections().surprised(worker.section().nanosSinceBegin());
      } else {
        WorkerRelieved.report(pool, worker); // first: it tells what the worker does now
      }
    } catch (RuntimeException | Error e) {
      pool.reportUncaught(e); // what cannot be recorded must not keep the right
    } finally {
      pool.rights().release();
    }
  }

  @Override
  public void publishWaiting() {
    pool.publishWaiting();
  }

  @Override
  public boolean hasStandby() {
    return pool.crew().standby() > 0;
  }

  @Override
  public int processors() {
    return pool.crew().processors();
  }

  @Override
  public void roundFailed(Throwable t) {
    pool.reportUncaught(t);
  }

  @Override
  public void callUp(int most) {
    pool.callUp(most);
  }
}
