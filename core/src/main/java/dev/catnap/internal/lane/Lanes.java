package dev.catnap.internal.lane;

import dev.catnap.spi.SchedulerAdapter.TaskReclaimer;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The lanes of one scheduler, which end with it. A lane that nobody holds is forgotten: one with
 * tasks is held by its runners, which are in the scheduler's queues or on its threads. Thread-safe.
 */
public final class Lanes implements TaskReclaimer {
  private final AtomicReference<List<WeakReference<Lane>>> all = new AtomicReference<>(List.of());

  /** None. */
  public Lanes() {}

  /** Adds one; the caller looks afterwards whether the scheduler was shut down meanwhile. */
  public void add(Lane lane) {
    List<WeakReference<Lane>> before;
    List<WeakReference<Lane>> after;
    do {
      before = all();
      after = new ArrayList<>(before.size() + 1);
      for (WeakReference<Lane> r : before) {
        if (!r.refersTo(null)) {
          after.add(r);
        }
      }
      after.add(new WeakReference<>(lane));
    } while (!all.compareAndSet(before, after));
  }

  private List<WeakReference<Lane>> all() {
    return Objects.requireNonNull(all.get());
  }

  /** Each lane refuses from here on; what was accepted runs. */
  public void shutdown() {
    for (WeakReference<Lane> r : all()) {
      Lane lane = r.get();
      if (lane != null) {
        lane.shutdown();
      }
    }
  }

  /** Adds all tasks that have not begun. Those that have are the scheduler's to interrupt. */
  public void takeBack(List<Runnable> left) {
    for (WeakReference<Lane> r : all()) {
      Lane lane = r.get();
      if (lane != null) {
        left.addAll(lane.takeBack());
      }
    }
  }

  /** A runner holds no task of its own: those of its lane come back by themselves. */
  @Override
  public boolean reclaim(Runnable task) {
    return task instanceof LaneRunner;
  }
}
