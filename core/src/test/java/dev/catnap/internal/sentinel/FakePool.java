package dev.catnap.internal.sentinel;

import dev.catnap.internal.blocking.WorkerRight;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A pool whose state a test writes down, and which counts what the sentinel does to it. */
class FakePool implements Watch {
  /** One worker, with everything that the sentinel may look at. */
  static final class FakeWorker implements Watched {
    boolean awake = true;
    long begun = 1;
    long slotted;
    boolean slotEmpty = true;
    boolean waiting;
    boolean keepsRight;
    long nanosInSection;
    boolean exposed;
    boolean beginsFew;
    boolean queued;
    private final WorkerRight right = new WorkerRight();

    FakeWorker() {
      right.receive();
    }

    @Override
    public boolean isAwake() {
      return awake;
    }

    @Override
    public long tasksBegun() {
      return begun;
    }

    @Override
    public long tasksSlotted() {
      return slotted;
    }

    @Override
    public boolean isSlotEmpty() {
      return slotEmpty;
    }

    @Override
    public boolean hasQueuedTasks() {
      return queued;
    }

    @Override
    public void expose(boolean e) {
      exposed = e;
    }

    @Override
    public void tellBeginsFew(boolean few) {
      beginsFew = few;
    }

    @Override
    public boolean isWaiting() {
      return waiting;
    }

    @Override
    public boolean keepsRight() {
      return keepsRight;
    }

    @Override
    public long nanosInSection() {
      return nanosInSection;
    }

    @Override
    public WorkerRight right() {
      return right;
    }

    /** A push into the slot, as its worker makes it. */
    void push() {
      slotEmpty = false;
      slotted++;
    }
  }

  final FakeWorker[] workers;
  boolean everybodyRuns;
  boolean workVisible;
  int publishes;
  int relieved;
  boolean standby;
  int processors = 2;

  /** How many each time. */
  final List<Integer> calledUp = new ArrayList<>();

  FakePool(int n) {
    workers = new FakeWorker[n];
    Arrays.setAll(workers, i -> new FakeWorker());
  }

  @Override
  public void releaseRightOf(Watched worker) {
    relieved++;
  }

  @Override
  public int size() {
    return workers.length;
  }

  @Override
  public FakeWorker worker(int index) {
    return workers[index];
  }

  @Override
  public boolean everybodyRuns() {
    return everybodyRuns;
  }

  @Override
  public boolean isWorkVisible() {
    return workVisible;
  }

  @Override
  public void publishWaiting() {
    publishes++;
  }

  @Override
  public void roundFailed(Throwable t) {
    throw new AssertionError("no round fails here", t);
  }

  @Override
  public boolean hasStandby() {
    return standby;
  }

  @Override
  public int processors() {
    return processors;
  }

  @Override
  public void callUp(int most) {
    calledUp.add(most);
  }
}
