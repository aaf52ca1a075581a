package dev.catnap.lincheck;

import dev.catnap.internal.sleep.Awaited;
import dev.catnap.internal.sleep.CounterWord;
import dev.catnap.internal.sleep.Sleep;
import dev.catnap.internal.sleep.Sleeper;
import dev.catnap.spi.WorkerBody;
import dev.catnap.spi.WorkerThread;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The sleep module with one worker that waits in the middle of a task, and a thread that completes
 * what it waits for: it is woken, however it sleeps, and by one thread (G1, G4).
 */
class WaiterTest extends ModelCheckedSuite {
  /** All interleavings of most checks. */
  private static final int INVOCATIONS = 300;

  @BeforeAll
  static void lincheckSeesSuchRaces() {
    Canary.LOST_UPDATE_IN_THREADS.assertReported();
    Canary.LOST_WAKEUP.assertReported();
  }

  @Test
  void aWorkerThatFallsAsleepSeesThatItIsDone_orIsWoken() {
    explore(INVOCATIONS, () -> completeWhileItFallsAsleep(false));
  }

  /** A publish claims it for a task at the same time: one of both wakes it. */
  @Test
  void aWorkerThatFallsAsleepIsWokenOnceForBoth() {
    explore(INVOCATIONS, () -> completeWhileItFallsAsleep(true));
  }

  private static void completeWhileItFallsAsleep(boolean publish) {
    Rig rig = new Rig();
    rig.sleep.startSearch();
    rig.sleep.announce(rig.worker);
    check(rig.sleep.register(rig.worker), "something was published", rig.sleep);
    rig.start(rig.worker::sleepUntilDone);
    Thread publisher = publish ? startElsewhere(rig::publish) : null;
    rig.complete();
    if (publisher != null) {
      Canary.join(publisher);
    }
    Canary.join(rig.worker.carrier);
    check(
        rig.sleep.sleepingCount() == 0 && rig.sleep.searchingCount() == 1,
        "neither once awake",
        rig.sleep);
  }

  @Test
  void aWorkerThatParksUncountedSeesThatItIsDone_orIsWoken() {
    explore(INVOCATIONS, () -> completeWhileItParks(false));
  }

  /** A notification at the same time ends neither the wait nor gets in the way of its end. */
  @Test
  void aWorkerThatParksUncountedIsNotified() {
    explore(INVOCATIONS, () -> completeWhileItParks(true));
  }

  private static void completeWhileItParks(boolean notify) {
    Rig rig = new Rig();
    rig.start(rig.worker::parkUntilDone);
    Thread notifier = notify ? startElsewhere(() -> rig.sleep.sendNotification(rig.worker)) : null;
    rig.complete();
    if (notifier != null) {
      Canary.join(notifier);
    }
    Canary.join(rig.worker.carrier);
    check(rig.sleep.sleepingCount() == 0, "counted", rig.sleep);
    check(rig.parker.unparks() <= (notify ? 2 : 1), "unparks", rig.parker.unparks());
  }

  private static final class Rig implements Awaited {
    final ModelCheckedParker parker = new ModelCheckedParker(1);
    final AtomicInteger queue = new AtomicInteger();
    final AtomicInteger done = new AtomicInteger();
    final Sleep sleep = new Sleep(new CounterWord(2, 0), parker, () -> queue.get() > 0, 1, 1);
    final WaitingWorker worker = new WaitingWorker(this);

    Rig() {
      sleep.add(worker);
      sleep.revive(worker);
      sleep.begin(worker);
    }

    void start(Runnable part) {
      Carrier carrier = new Carrier(part);
      worker.carrier = carrier;
      worker.setThread(carrier);
      Thread thread = carrier;
      thread.start();
    }

    void publish() {
      queue.incrementAndGet();
      sleep.publish();
    }

    void complete() {
      done.set(1);
      sleep.wakeWaiter(worker);
    }

    @Override
    public boolean isDone() {
      return done.get() != 0;
    }
  }

  private static final class WaitingWorker extends Sleeper {
    private final Rig rig;
    Thread carrier;

    WaitingWorker(Rig rig) {
      this.rig = rig;
    }

    @Override
    protected boolean hasAddressedWork() {
      return rig.isDone();
    }

    /** As Search.search: it takes what is queued, and goes back to sleep until it is done. */
    void sleepUntilDone() {
      rig.sleep.sleep(this);
      while (!rig.isDone()) {
        rig.queue.set(0);
        rig.sleep.announce(this);
        if (rig.sleep.register(this)) {
          rig.sleep.sleep(this);
        }
      }
    }

    void parkUntilDone() {
      rig.sleep.await(this, rig);
      check(rig.isDone(), "over too early", latchState());
    }
  }

  private static final class Carrier extends Thread implements WorkerThread, WorkerBody {
    private final Runnable part;

    Carrier(Runnable part) {
      super(null, null, "worker", 0, false);
      setDaemon(true);
      this.part = part;
    }

    @Override
    public void run() {
      part.run();
    }

    @Override
    public WorkerBody worker() {
      return this;
    }

    @Override
    public int index() {
      return 0;
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
