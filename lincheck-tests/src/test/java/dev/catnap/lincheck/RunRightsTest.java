package dev.catnap.lincheck;

import dev.catnap.internal.blocking.RunRights;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * G9 of the rights to run alone: a right that a blocked worker gave back is held by a spare as soon
 * as there is one, and no right is held twice or lost.
 *
 * <p>The crew is a fake with at most two spares and no further threads, so each right must find one
 * of these. A spare that nobody claims hangs in a monitor.
 */
class RunRightsTest extends ModelCheckedSuite {
  /** All interleavings of most checks; every known wrong version is found within 80. */
  private static final int INVOCATIONS = 300;

  @BeforeAll
  static void lincheckSeesSuchRaces() {
    Canary.LOST_UPDATE_IN_THREADS.assertReported();
    Canary.LOST_WAKEUP.assertReported();
    // The spare's read after its latch is the caller's part of the protocol.
    Canary.assertReported(
        "hung", () -> exploreCanary(INVOCATIONS, () -> releaseWhileASpareParks(Read.NEVER)));
    Canary.assertReported(
        "hung", () -> exploreCanary(INVOCATIONS, () -> releaseWhileOneWaits(Read.NEVER)));
  }

  @Test
  void oneRightIsTakenByOneOfTwo() {
    explore(INVOCATIONS, RunRightsTest::takeTwice);
  }

  private static void takeTwice() {
    Crew crew = new Crew(0);
    crew.rights.release(); // nobody can have it
    AtomicInteger taken = new AtomicInteger();
    Runnable take =
        () -> {
          if (crew.rights.tryTake()) {
            taken.incrementAndGet();
          }
        };
    Thread other = startElsewhere(take);
    take.run();
    Canary.join(other);
    check(taken.get() == 1, "taken", taken);
    check(crew.rights.unclaimed() == 0, "unclaimed", crew);
  }

  @Test
  void oneSurplusIsGivenUpByOneOfTwo() {
    explore(INVOCATIONS, RunRightsTest::giveUpTwice);
  }

  private static void giveUpTwice() {
    Crew crew = new Crew(0);
    crew.rights.reclaim();
    AtomicInteger givenUp = new AtomicInteger();
    Runnable giveUp =
        () -> {
          if (crew.rights.tryGiveUp()) {
            givenUp.incrementAndGet();
          }
        };
    Thread other = startElsewhere(giveUp);
    giveUp.run();
    Canary.join(other);
    check(givenUp.get() == 1, "given up", givenUp);
    check(crew.rights.unclaimed() == 0, "unclaimed", crew);
  }

  /** A worker that blocks and one that gives up a surplus: one of the two goes without a right. */
  @Test
  void aSurplusIsSettledOnce() {
    explore(INVOCATIONS, RunRightsTest::giveUpAndTake);
  }

  private static void giveUpAndTake() {
    Crew crew = new Crew(0);
    crew.rights.reclaim();
    AtomicInteger held = new AtomicInteger(2); // one too many
    Thread other =
        startElsewhere(
            () -> {
              held.decrementAndGet();
              crew.rights.release();
              if (crew.rights.tryTake()) {
                held.incrementAndGet();
              }
            });
    if (crew.rights.tryGiveUp()) {
      held.decrementAndGet();
    }
    Canary.join(other);
    check(held.get() + crew.rights.unclaimed() == 1, "held and unclaimed", crew);
  }

  /** The script in the documentation of {@link RunRights}. */
  @Test
  void aRightThatIsHandedOutMeetsASpareThatParks() {
    explore(INVOCATIONS, () -> releaseWhileASpareParks(Read.AFTER_THE_LATCH));
  }

  private static void releaseWhileASpareParks(Read read) {
    Crew crew = new Crew(1);
    crew.rights.reclaim(); // the spare to be came back and runs: there is one worker too many
    Thread spare = startElsewhere(() -> crew.last.standBy(read));
    crew.rights.release();
    Canary.join(spare);
    check(crew.rights.unclaimed() == 0, "unclaimed", crew);
  }

  /** Two rights, a spare that is parked, and one that is about to park. */
  @Test
  void twoRightsReachTwoSpares() {
    explore(2 * INVOCATIONS, RunRightsTest::releaseTwoWhileASpareParks);
  }

  private static void releaseTwoWhileASpareParks() {
    Crew crew = new Crew(2);
    crew.rights.reclaim();
    Spare parked = crew.last;
    parked.state.set(Spare.SPARE);
    Thread parks = startElsewhere(() -> parked.next.standBy(Read.AFTER_THE_LATCH));
    Thread blocks = startElsewhere(crew.rights::release);
    crew.rights.release();
    parked.park();
    Canary.join(parks);
    Canary.join(blocks);
    check(crew.rights.unclaimed() == 0, "unclaimed", crew);
  }

  /** A right that nobody can have stays to be claimed; the worker that returns finds it. */
  @Test
  void aRightThatNobodyCanHaveStays() {
    explore(INVOCATIONS, RunRightsTest::releaseAndReclaimTwice);
  }

  private static void releaseAndReclaimTwice() {
    Crew crew = new Crew(0);
    Runnable section =
        () -> {
          crew.rights.release();
          crew.rights.reclaim();
        };
    Thread other = startElsewhere(section);
    section.run();
    Canary.join(other);
    check(crew.rights.unclaimed() == 0, "unclaimed", crew);
  }

  /** G9: either the one that blocks sees the task, or the one that publishes sees the right. */
  @Test
  void aRightIsHandedOutWhenATaskNeedsIt() {
    explore(INVOCATIONS, RunRightsTest::releaseWhileATaskIsPublished);
  }

  private static void releaseWhileATaskIsPublished() {
    Crew crew = new Crew(1);
    crew.last.state.set(Spare.SPARE);
    Thread publishes = startElsewhere(crew::publish);
    crew.rights.releaseOnDemand();
    Canary.join(publishes);
    crew.last.park(); // until it has the right
    check(crew.rights.unclaimed() == 0, "unclaimed", crew);
  }

  @Test
  void twoTasksGetTwoRights() {
    explore(2 * INVOCATIONS, RunRightsTest::publishTwice);
  }

  private static void publishTwice() {
    Crew crew = new Crew(2);
    crew.last.state.set(Spare.SPARE);
    crew.last.next.state.set(Spare.SPARE);
    crew.rights.releaseOnDemand();
    crew.rights.releaseOnDemand();
    Thread publishes = startElsewhere(crew::publish);
    crew.publish();
    Canary.join(publishes);
    check(crew.rights.unclaimed() == 0, "unclaimed", crew);
  }

  /** A right that comes while another task learns that there is none is there for the next one. */
  @Test
  void aRightIsNotForgottenBesideATaskThatFindsNone() {
    explore(INVOCATIONS, RunRightsTest::releaseWhileThereIsNone);
  }

  private static void releaseWhileThereIsNone() {
    Crew crew = new Crew(1);
    crew.last.state.set(Spare.SPARE);
    crew.rights.releaseOnDemand();
    crew.rights.reclaim(); // a section that is over
    Thread publishes = startElsewhere(crew.rights::handOutOnDemand);
    crew.rights.releaseOnDemand();
    Canary.join(publishes);
    crew.publish();
    check(crew.rights.unclaimed() == 0, "unclaimed", crew);
  }

  /**
   * The script in the documentation of {@link RunRights}; nobody completes what the worker waits
   * for.
   */
  @Test
  void aRightThatNobodyCanHaveRecallsTheOneThatWaits() {
    explore(INVOCATIONS, () -> releaseWhileOneWaits(Read.AFTER_THE_LATCH));
  }

  private static void releaseWhileOneWaits(Read read) {
    Crew crew = new Crew(0);
    Spare waits = crew.addWaiter();
    crew.rights.reclaim(); // there is one worker too many
    Thread sentinel = startElsewhere(crew.rights::release);
    waits.waitReplaced(read);
    Canary.join(sentinel);
    check(crew.rights.unclaimed() == 0, "unclaimed", crew);
  }

  /** Two try to hand out the rights of two, and so hold both for a moment. */
  @Test
  void aRightThatIsTakenForNobodyReplacesNobody() {
    explore(2 * INVOCATIONS, RunRightsTest::blockWhileOneWaits);
  }

  private static void blockWhileOneWaits() {
    Crew crew = new Crew(0);
    Spare waits = crew.addWaiter();
    Thread blocks = startElsewhere(crew.rights::release);
    Thread publishes = startElsewhere(crew.rights::handOut);
    waits.waitReplaced(Read.AFTER_THE_LATCH);
    Canary.join(blocks);
    Canary.join(publishes);
    check(crew.rights.unclaimed() == 1, "that of the one that blocks", crew);
  }

  /** The same on demand of a task. */
  @Test
  void aRightThatIsDemandedInVainRecallsTheOneThatWaits() {
    explore(INVOCATIONS, RunRightsTest::publishWhileOneWaits);
  }

  private static void publishWhileOneWaits() {
    Crew crew = new Crew(0);
    Spare waits = crew.addWaiter();
    crew.rights.reclaim();
    Thread publishes =
        startElsewhere(
            () -> {
              crew.rights.releaseOnDemand();
              crew.publish();
            });
    waits.waitReplaced(Read.AFTER_THE_LATCH);
    Canary.join(publishes);
    check(crew.rights.unclaimed() == 0, "unclaimed", crew);
  }

  /** When a worker that becomes a spare, or waits, reads the rights. */
  private enum Read {
    AFTER_THE_LATCH,
    NEVER
  }

  private static final class Crew implements RunRights.Crew {
    final RunRights rights = new RunRights(this);

    /** A chain: Lincheck switches threads before it reads an array, but not a final field. */
    final Spare last;

    /** A worker that waits in the middle of a task; null: there is none. */
    private volatile Spare waiter;

    /** A task. */
    private volatile boolean visible;

    Crew(int spares) {
      Spare spare = null;
      for (int i = 0; i < spares; i++) {
        spare = new Spare(this, spare);
      }
      last = spare;
    }

    Spare addWaiter() {
      waiter = new Spare(this, null);
      return waiter;
    }

    /** Everybody runs who holds a right. */
    void publish() {
      visible = true;
      if (rights.awaitsDemand()) {
        rights.handOutOnDemand();
      }
    }

    @Override
    public boolean needsMore() {
      return visible;
    }

    @Override
    public boolean activate() {
      for (Spare s = last; s != null; s = s.next) {
        if (s.state.compareAndSet(Spare.SPARE, Spare.RUNNING)) {
          s.unpark();
          return true;
        }
      }
      return false;
    }

    @Override
    public boolean hasSpare() {
      for (Spare s = last; s != null; s = s.next) {
        if (s.state.get() == Spare.SPARE) {
          return true;
        }
      }
      return false;
    }

    @Override
    public void recall() {
      Spare w = waiter;
      if (w != null && w.state.compareAndSet(Spare.SPARE, Spare.RUNNING)) {
        w.unpark();
      }
    }

    @Override
    public String toString() {
      return rights.unclaimed() + " unclaimed";
    }
  }

  /** A worker that becomes a spare as {@code dev.catnap.internal.worker.Worker} does. */
  private static final class Spare {
    static final int RUNNING = 0;
    static final int SPARE = 1;

    final Spare next;
    final AtomicInteger state = new AtomicInteger(RUNNING);
    private final Crew crew;

    Spare(Crew crew, Spare next) {
      this.crew = crew;
      this.next = next;
    }

    /** Returns with a right. */
    void standBy(Read read) {
      if (!crew.rights.tryGiveUp()) {
        return;
      }
      state.set(SPARE);
      if (read == Read.AFTER_THE_LATCH && crew.rights.tryTake()) {
        if (!state.compareAndSet(SPARE, RUNNING)) {
          crew.rights.release(); // it was handed another one meanwhile
        }
        return;
      }
      park();
    }

    /** As {@code dev.catnap.internal.worker.Forks} does; returns with a right. */
    void waitReplaced(Read read) {
      if (crew.rights.tryRelease()) {
        state.set(SPARE);
        if (read == Read.AFTER_THE_LATCH && crew.rights.unclaimed() > 0) {
          state.compareAndSet(SPARE, RUNNING);
        }
        park();
      }
      crew.rights.reclaim();
    }

    synchronized void park() {
      while (state.get() == SPARE) {
        try {
          wait();
        } catch (InterruptedException e) {
          throw new AssertionError("nobody interrupts here", e);
        }
      }
    }

    synchronized void unpark() {
      notifyAll();
    }
  }
}
