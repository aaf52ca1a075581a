package dev.catnap.internal.worker;

import dev.catnap.internal.atomic.SpinLock;
import dev.catnap.internal.blocking.RunRights;
import dev.catnap.internal.sleep.Sleep;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The workers of a pool, by their numbers. None ever goes: one whose thread has ended is retired,
 * and may get another. Thread-safe.
 */
final class Roster {
  private final Pool pool;
  private final PoolConfig config;
  private final Sleep sleep;
  private final RunRights rights;

  /** Runs on threads that are not its own; null: workers have threads. */
  private final @Nullable CallerWorker caller;

  private final AtomicReferenceArray<@Nullable Worker> workers;

  /** Workers below this index exist; grows only, under the lock. */
  private volatile int size;

  private final SpinLock growth = new SpinLock();

  Roster(Pool pool, PoolConfig config, Sleep sleep, RunRights rights) {
    this.pool = pool;
    this.config = config;
    this.sleep = sleep;
    this.rights = rights;
    this.workers = new AtomicReferenceArray<>(config.maxThreads());
    this.caller = config.onCaller() ? new CallerWorker(pool, sleep, rights, config.tuning()) : null;
  }

  int size() {
    return size;
  }

  /** No worker can be added. */
  boolean isFull() {
    return size == config.maxThreads();
  }

  Worker worker(int index) {
    return Objects.requireNonNull(workers.get(index));
  }

  /** The only worker of a pool that has no threads; null: it has. */
  @Nullable CallerWorker caller() {
    return caller;
  }

  /** A worker whose thread the caller must start; null: there are as many as there may be. */
  @Nullable Worker add() {
    growth.lock();
    try {
      if (isFull()) {
        return null;
      }
      Worker w = newWorker();
      // Before it can be seen: else somebody who looks for a retired worker takes this one, and it
      // gets two threads.
      sleep.revive(w);
      append(w);
      return w;
    } finally {
      growth.unlock();
    }
  }

  /** The same, first from those that have retired. */
  @Nullable Worker retiredOrNew() {
    for (int i = 0; i < size; i++) {
      Worker w = worker(i);
      if (sleep.revive(w)) {
        return w;
      }
    }
    return add();
  }

  /** Workers up to that index exist. Those that had to be added are as if they had retired. */
  void addUpTo(int index) {
    Objects.checkIndex(index, config.maxThreads());
    growth.lock();
    try {
      while (size <= index) {
        append(newWorker());
      }
    } finally {
      growth.unlock();
    }
  }

  /** Under the lock. */
  private Worker newWorker() {
    return caller != null
        ? caller
        : new Worker(pool, sleep, rights, config.tuning(), pool.firstWorker() + size);
  }

  /** Under the lock. */
  private void append(Worker w) {
    int index = size;
    workers.set(index, w);
    sleep.add(w);
    size = index + 1;
  }

  boolean hasRetired() {
    for (int i = 0; i < size; i++) {
      if (sleep.isRetired(worker(i))) {
        return true;
      }
    }
    return false;
  }

  int spareCount() {
    int spares = 0;
    for (int i = 0; i < size; i++) {
      if (sleep.isSpare(worker(i))) {
        spares++;
      }
    }
    return spares;
  }

  /** The latest of each worker; they may be over. */
  List<Thread> threads() {
    List<Thread> all = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      Thread t = worker(i).thread();
      if (t != null) {
        all.add(t);
      }
    }
    return all;
  }
}
