package dev.catnap.lincheck;

import dev.catnap.internal.sleep.CounterWord;
import dev.catnap.internal.sleep.Sleep;
import dev.catnap.internal.sleep.Sleeper;
import dev.catnap.spi.MonotonicClock;
import dev.catnap.spi.WorkerBody;
import dev.catnap.spi.WorkerThread;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The latch of a worker, through the methods of the sleep module: each transition is made by one
 * thread. What is claimed is neither withdrawn nor retired, so a sleeper is counted once (G4) and a
 * worker has one thread; what is addressed to a worker reaches it, whether it runs, sleeps or is a
 * spare (G1).
 */
class LatchTest extends ModelCheckedSuite {
  /** All interleavings of most checks; every known wrong version is found within 100. */
  private static final int INVOCATIONS = 300;

  /** Longer than a check: {@link ModelCheckedParker} never times out. */
  private static final long KEEP_ALIVE_NANOS = Long.MAX_VALUE;

  @BeforeAll
  static void lincheckSeesSuchRaces() {
    Canary.LOST_UPDATE_IN_THREADS.assertReported();
    Canary.LOST_WAKEUP.assertReported();
  }

  // ---- asleep ----------------------------------------------------------------------------------

  /** Claim, or Withdraw after a FinalCheck that found the task: one of them decrements. */
  @Test
  void aSleeperIsClaimedOrWithdraws() {
    explore(INVOCATIONS, LatchTest::publishWhileCommitting);
  }

  private static void publishWhileCommitting() {
    Rig rig = new Rig();
    rig.prepareToSleep();
    rig.start(rig.sleep::sleep);
    int wakes = rig.publish();
    rig.join();
    check(wakes <= 1 && rig.parker.unparks() == wakes, "unparks", rig.parker.unparks());
    rig.checkAwake();
  }

  /** A claim and a notification: one of them wakes it. */
  @Test
  void aSleeperIsClaimedOrNotified() {
    explore(INVOCATIONS, LatchTest::publishAndNotify);
  }

  private static void publishAndNotify() {
    Rig rig = new Rig();
    rig.prepareToSleep();
    rig.start(rig.sleep::sleep);
    Thread notifier = startElsewhere(() -> rig.sleep.sendNotification(rig.sleeper));
    rig.publish();
    Canary.join(notifier);
    rig.join();
    check(rig.parker.unparks() <= 1, "unparks", rig.parker.unparks());
    rig.checkAwake();
  }

  @Test
  void twoNotificationsDecrementOnce() {
    explore(INVOCATIONS, LatchTest::notifyTwice);
  }

  private static void notifyTwice() {
    Rig rig = new Rig();
    rig.prepareToSleep();
    rig.start(rig.sleep::sleep);
    Thread notifier = startElsewhere(() -> rig.sleep.sendNotification(rig.sleeper));
    rig.sleep.sendNotification(rig.sleeper);
    Canary.join(notifier);
    rig.join();
    check(rig.parker.unparks() <= 1, "unparks", rig.parker.unparks());
    rig.checkAwake();
  }

  // ---- spare -----------------------------------------------------------------------------------

  /** The keep-alive ends while a right is handed out: it has the right, or the thread ends. */
  @Test
  void aSpareIsClaimedOrRetires() {
    explore(INVOCATIONS, LatchTest::claimAndRetire);
  }

  private static void claimAndRetire() {
    Rig rig = new Rig();
    check(rig.sleep.becomeSpare(rig.sleeper), "a spare", rig);
    AtomicInteger won = new AtomicInteger();
    Thread retiring = Rig.countElsewhere(() -> rig.sleep.retire(rig.sleeper), won);
    if (rig.sleep.claimSpare(rig.sleeper)) {
      won.incrementAndGet();
    }
    Canary.join(retiring);
    check(won.get() == 1, "claimed or retired", won);
  }

  @Test
  void aSpareIsClaimedByOneOfTwo() {
    explore(INVOCATIONS, LatchTest::claimTwice);
  }

  private static void claimTwice() {
    Rig rig = new Rig();
    check(rig.sleep.becomeSpare(rig.sleeper), "a spare", rig);
    AtomicInteger won = new AtomicInteger();
    Thread other = Rig.countElsewhere(() -> rig.sleep.claimSpare(rig.sleeper), won);
    if (rig.sleep.claimSpare(rig.sleeper)) {
      won.incrementAndGet();
    }
    Canary.join(other);
    check(won.get() == 1, "claimed", won);
  }

  /** Else a worker gets two threads. */
  @Test
  void aRetiredWorkerIsRevivedByOneOfTwo() {
    explore(INVOCATIONS, LatchTest::reviveTwiceWhileRetiring);
  }

  private static void reviveTwiceWhileRetiring() {
    Rig rig = new Rig();
    check(rig.sleep.becomeSpare(rig.sleeper), "a spare", rig);
    AtomicInteger won = new AtomicInteger();
    Thread other = Rig.countElsewhere(() -> rig.sleep.revive(rig.sleeper), won);
    Thread third = Rig.countElsewhere(() -> rig.sleep.revive(rig.sleeper), won);
    check(rig.sleep.retire(rig.sleeper), "nobody claimed", rig);
    Canary.join(other);
    Canary.join(third);
    if (rig.sleep.revive(rig.sleeper)) {
      won.incrementAndGet();
    }
    check(won.get() == 1, "revived", won);
  }

  /** Claimed between the latch and the park. */
  @Test
  void aSpareThatIsClaimedDoesNotPark() {
    explore(INVOCATIONS, LatchTest::claimWhileParking);
  }

  private static void claimWhileParking() {
    Rig rig = new Rig();
    check(rig.sleep.becomeSpare(rig.sleeper), "a spare", rig);
    rig.start(rig::parkAsSpare);
    check(rig.sleep.claimSpare(rig.sleeper), "not claimable", rig);
    rig.sleep.unpark(rig.sleeper);
    rig.join();
  }

  // ---- notified --------------------------------------------------------------------------------

  /** Whatever the worker is doing when something is addressed to it. */
  @Test
  void aNotificationReachesAWorkerThatBecomesASpare() {
    explore(INVOCATIONS, LatchTest::notifyWhileBecomingSpare);
  }

  private static void notifyWhileBecomingSpare() {
    Rig rig = new Rig();
    rig.start(rig::lookAtMailOrParkAsSpare);
    rig.send();
    rig.join();
    check(rig.mail.get() == 0, "not read", rig.mail);
  }

  /** A spare that is claimed and notified at once runs, and reads what was sent. */
  @Test
  void aNotificationSurvivesAClaim() {
    explore(INVOCATIONS, LatchTest::notifyAndClaimSpare);
  }

  private static void notifyAndClaimSpare() {
    Rig rig = new Rig();
    check(rig.sleep.becomeSpare(rig.sleeper), "a spare", rig);
    rig.start(
        sleeper -> {
          rig.parkAsSpare(sleeper);
          rig.lookAtMailOrParkAsSpare(sleeper);
        });
    Thread claimer =
        startElsewhere(
            () -> {
              if (rig.sleep.claimSpare(rig.sleeper)) {
                rig.sleep.unpark(rig.sleeper);
              }
            });
    rig.send();
    Canary.join(claimer);
    rig.join();
    check(rig.mail.get() == 0, "not read", rig.mail);
  }

  /** A notification keeps a spare from retiring, or comes too late and owes nothing. */
  @Test
  void aSpareIsNotifiedOrRetires() {
    explore(INVOCATIONS, LatchTest::notifyAndRetire);
  }

  private static void notifyAndRetire() {
    Rig rig = new Rig();
    check(rig.sleep.becomeSpare(rig.sleeper), "a spare", rig);
    AtomicInteger retired = new AtomicInteger();
    Thread retiring = Rig.countElsewhere(() -> rig.sleep.retire(rig.sleeper), retired);
    rig.sleep.sendNotification(rig.sleeper);
    Canary.join(retiring);
    check(
        rig.sleeper.latchState().equals(retired.get() == 1 ? "retired" : "notified"), "latch", rig);
  }

  /** What a worker does on its own thread. */
  private interface Part {
    void play(Sleeper self);
  }

  /** A sleep module with one worker, and a queue that is a number. */
  private static final class Rig {
    final ModelCheckedParker parker = new ModelCheckedParker(1);
    final AtomicInteger queue = new AtomicInteger();
    final AtomicInteger mail = new AtomicInteger();
    final Sleep sleep = new Sleep(new CounterWord(2, 0), parker, () -> queue.get() > 0, 1, 1);
    final Sleeper sleeper = new Sleeper();
    private Thread thread;

    Rig() {
      sleep.add(sleeper);
      sleep.revive(sleeper);
      sleep.begin(sleeper);
    }

    void prepareToSleep() {
      sleep.startSearch();
      sleep.announce(sleeper);
      check(sleep.register(sleeper), "something was published", sleep);
    }

    void start(Part part) {
      Thread worker = new LatchWorker(sleeper, part);
      thread = worker;
      sleeper.setThread(worker);
      worker.start();
    }

    void join() {
      Canary.join(thread);
    }

    static Thread countElsewhere(BooleanSupplier attempt, AtomicInteger successes) {
      return startElsewhere(
          () -> {
            if (attempt.getAsBoolean()) {
              successes.incrementAndGet();
            }
          });
    }

    int publish() {
      queue.incrementAndGet();
      return sleep.publish();
    }

    void send() {
      mail.set(1);
      sleep.sendNotification(sleeper);
    }

    void parkAsSpare(Sleeper self) {
      check(sleep.parkSpare(self, KEEP_ALIVE_NANOS, MonotonicClock.SYSTEM), "timed out", self);
    }

    /** As a worker: acknowledge, then look; nothing there: become a spare, and park. */
    void lookAtMailOrParkAsSpare(Sleeper self) {
      for (; ; ) {
        sleep.acknowledge(self);
        if (mail.getAndSet(0) != 0) {
          return;
        }
        if (sleep.becomeSpare(self)) {
          parkAsSpare(self);
        }
      }
    }

    /** It left the protocol as a searcher, and is not counted as asleep. */
    void checkAwake() {
      check(sleep.sleepingCount() == 0 && sleep.searchingCount() == 1, "neither once awake", sleep);
    }

    @Override
    public String toString() {
      return sleeper.latchState();
    }
  }

  private static final class LatchWorker extends Thread implements WorkerThread, WorkerBody {
    private final Sleeper sleeper;
    private final Part part;

    LatchWorker(Sleeper sleeper, Part part) {
      super(null, null, "worker", 0, false);
      setDaemon(true);
      this.sleeper = sleeper;
      this.part = part;
    }

    @Override
    public void run() {
      part.play(sleeper);
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
