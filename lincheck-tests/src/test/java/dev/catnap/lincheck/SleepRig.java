package dev.catnap.lincheck;

import dev.catnap.internal.sleep.CounterWord;
import dev.catnap.internal.sleep.Sleep;
import dev.catnap.internal.sleep.Sleeper;
import dev.catnap.internal.sleep.WorkView;
import dev.catnap.spi.Parker;
import dev.catnap.spi.WorkerBody;
import dev.catnap.spi.WorkerThread;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A pool that consists of the production sleep module and nothing else: one queue that is a number,
 * and workers that do what a worker without work does, step by step in the production order.
 *
 * <p>Workers can start in the middle of the protocol ({@link Start}). Lincheck explores
 * interleavings with few switches first, so a check must begin close to the race. The steps before
 * are made by the thread that builds the rig, before anything is shared: they cost no switch
 * points. A worker that starts asleep has no running thread; the first unpark starts it.
 */
class SleepRig implements WorkView, Parker {
  /** Where in the protocol a worker is when the check begins. */
  enum Start {
    /** About to look at the queue. */
    AWAKE,
    /** After StartSearch. */
    SEARCHING,
    /** Parked. */
    ASLEEP
  }

  /** What a task does after it has opened {@link #ran}. */
  enum Task {
    END,
    /** Blocks until all tasks have started: they need a worker each. */
    MEET,
    /** The same; the first publishes the second before. */
    SPAWN_AND_MEET
  }

  /**
   * A count of sixteen bits that fell below zero shows at least this. It may well exceed the number
   * of workers: one that was claimed can register again before its waker has decremented.
   */
  private static final int BELOW_ZERO = 1 << 15;

  /** Two bits, so that the JEC rolls over within one check. */
  private static final int JEC_BITS = 2;

  final Sleep sleep;
  final ModelCheckedParker parker;

  /** Opened by each task that runs. */
  final ModelCheckedLatch ran;

  /** Opened by a worker for each notification that it was sent. */
  final ModelCheckedLatch delivered = new ModelCheckedLatch();

  /** Opened by a worker that has seen that there are too many. */
  final ModelCheckedLatch steppedDown = new ModelCheckedLatch();

  private final Task task;
  private final int workers;
  private final Sleeper first;
  private final AtomicInteger queue = new AtomicInteger();
  private final AtomicInteger spawned = new AtomicInteger();
  private final AtomicInteger surplus = new AtomicInteger();
  private final AtomicInteger mail = new AtomicInteger();
  private final AtomicInteger wakes = new AtomicInteger();

  /** Notifications sent by the thread that waits for quiescence; each may be one unpark. */
  private int notified;

  /**
   * Starts the workers.
   *
   * @param tasks how many will be published
   * @param task what each does
   * @param starts where each worker begins
   */
  SleepRig(int tasks, Task task, Start... starts) {
    this(JEC_BITS, tasks, task, starts);
  }

  SleepRig(int jecBits, int tasks, Task task, Start... starts) {
    this.task = task;
    workers = starts.length;
    ran = new ModelCheckedLatch(tasks);
    parker = new ModelCheckedParker(workers);
    sleep = new Sleep(new CounterWord(jecBits, 0), this, this, workers, Math.max(1, workers / 2));
    RigWorker[] all = new RigWorker[workers];
    for (int i = 0; i < workers; i++) {
      all[i] = new RigWorker(this, i, starts[i]);
      all[i].begin();
    }
    first = all[0].sleeper;
    for (RigWorker w : all) {
      if (w.start != Start.ASLEEP) {
        w.start();
      }
    }
  }

  /** Publish, all steps; at most one unpark (G3). */
  void publish() {
    queue.incrementAndGet();
    countWakes(sleep.publish());
  }

  /** The same on a thread of its own, which is returned. */
  Thread publishElsewhere() {
    Thread publisher = new Publisher(this);
    publisher.start();
    return publisher;
  }

  /** There is a worker too many from now on, as Crew.setParallelism says it. */
  void shrink() {
    surplus.set(1);
    sleep.wakeIfAsleep(first);
  }

  /** Addresses something to the first worker. */
  void sendToFirst() {
    notified = 1;
    mail.set(1);
    sleep.sendNotification(first);
  }

  private void runTask() {
    boolean spawns = task == Task.SPAWN_AND_MEET && spawned.compareAndSet(0, 1);
    ran.open();
    if (spawns) {
      publish();
    }
    if (task != Task.END) {
      ran.await();
    }
  }

  private void countWakes(int n) {
    if (n != 0) {
      ModelCheckedSuite.check(n == 1, "unparks by one call", n);
      wakes.incrementAndGet();
    }
  }

  /**
   * The pool comes to rest (G4), every worker is counted as asleep, and there was no unpark that
   * nobody accounts for (G3). Every publish must have returned.
   */
  void awaitQuiescence() {
    parker.awaitAllParked();
    ModelCheckedSuite.check(
        sleep.sleepingCount() == workers && sleep.searchingCount() == 0, "at quiescence", sleep);
    ModelCheckedSuite.check(
        parker.unparks() <= wakes.get() + notified, "unparks without a wake", parker.unparks());
    end();
  }

  void end() {
    parker.dismissAll();
  }

  @Override
  public boolean isWorkVisible() {
    return queue.get() > 0;
  }

  @Override
  public boolean isSurplus() {
    return surplus.get() > 0;
  }

  private boolean takeTask() {
    for (; ; ) {
      int n = queue.get();
      if (n == 0) {
        return false;
      }
      if (queue.compareAndSet(n, n - 1)) {
        return true;
      }
    }
  }

  @Override
  public void park(Object blocker) {
    if (Thread.currentThread() instanceof RigWorker) {
      ModelCheckedSuite.check(sleep.sleepingCount() < BELOW_ZERO, "sleeping below zero", sleep);
      parker.park(blocker);
    } else {
      throw new Seated();
    }
  }

  @Override
  public void parkNanos(Object blocker, long nanos) {
    throw new AssertionError("sleepers park without a timeout (G4)");
  }

  @Override
  public void unpark(Thread thread) {
    parker.unpark(thread);
    if (((RigWorker) thread).start == Start.ASLEEP && thread.getState() == Thread.State.NEW) {
      thread.start();
    }
  }

  /** Leaves {@code sleep} in the middle, where a thread would be parked. */
  private static final class Seated extends Error {
    private static final long serialVersionUID = 1;

    private Seated() {
      super(null, null, false, false);
    }
  }

  private static final class Publisher extends Thread {
    private final SleepRig rig;

    Publisher(SleepRig rig) {
      super(null, null, "publisher", 0, false);
      setDaemon(true);
      this.rig = rig;
    }

    @Override
    public void run() {
      rig.publish();
    }
  }

  /** The loop of {@code dev.catnap.internal.worker.Worker}, without queues of its own. */
  private static final class RigWorker extends Thread implements WorkerThread, WorkerBody {
    final Start start;
    final Sleeper sleeper = new Sleeper();
    private final SleepRig rig;
    private final Sleep sleep;
    private final int index;

    RigWorker(SleepRig rig, int index, Start start) {
      super(null, null, "worker-" + index, 0, false);
      setDaemon(true);
      this.rig = rig;
      this.sleep = rig.sleep;
      this.index = index;
      this.start = start;
    }

    /** Called by the thread that builds the rig: the steps up to where this worker starts. */
    void begin() {
      sleep.add(sleeper);
      sleep.revive(sleeper);
      sleep.begin(sleeper);
      sleeper.setThread(this);
      if (start == Start.AWAKE) {
        return;
      }
      sleep.startSearch();
      if (start == Start.SEARCHING) {
        return;
      }
      sleep.announce(sleeper);
      ModelCheckedSuite.check(sleep.register(sleeper), "something was published", sleep);
      try {
        sleep.sleep(sleeper);
        throw new AssertionError("did not sleep");
      } catch (Seated e) {
        rig.parker.assumeParked(this);
      }
    }

    @Override
    public void run() {
      try {
        boolean inSearch = start != Start.AWAKE;
        if (start == Start.ASLEEP) {
          rig.parker.park(this);
          sleep.acknowledge(sleeper);
        }
        for (; ; ) {
          if (inSearch || !rig.takeTask()) {
            search(inSearch);
          }
          inSearch = false;
          rig.runTask();
        }
      } catch (ModelCheckedParker.Dismissal e) {
        return; // the check is over
      }
    }

    /** Returns with a task. */
    private void search(boolean started) {
      if (!started) {
        sleep.startSearch();
      }
      for (; ; ) {
        do {
          sleep.announce(sleeper);
          lookAtMail();
          if (rig.takeTask()) {
            rig.countWakes(sleep.endSearch());
            return;
          }
        } while (!sleep.register(sleeper));
        sleep.sleep(sleeper);
        sleep.acknowledge(sleeper);
        if (rig.isSurplus()) {
          rig.steppedDown.open(); // and searches on: what follows is not the subject
        }
      }
    }

    private void lookAtMail() {
      if (sleeper == rig.first && rig.mail.get() != 0) {
        rig.mail.set(0);
        rig.delivered.open();
      }
    }

    @Override
    public WorkerBody worker() {
      return this;
    }

    @Override
    public int index() {
      return index;
    }

    @Override
    public String threadName() {
      return getName();
    }

    @Override
    public int queuedTasks() {
      return 0;
    }
  }
}
