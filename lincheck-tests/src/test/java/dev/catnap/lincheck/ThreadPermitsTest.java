package dev.catnap.lincheck;

import dev.catnap.internal.blocking.RunRights;
import dev.catnap.internal.blocking.ThreadPermits;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * G9 of pools that share threads: a right to run that finds no thread left gets the next one that
 * another pool gives back, whatever that races with.
 *
 * <p>The rights and the permits are those of production; the pools are fakes, which start a thread
 * for a right by counting it.
 */
class ThreadPermitsTest extends ModelCheckedSuite {
  /** The weakened twin is found within 50. */
  private static final int INVOCATIONS = 300;

  @BeforeAll
  static void lincheckSeesSuchRaces() {
    Canary.LOST_UPDATE_IN_THREADS.assertReported();
    // In line before the right is there again: who is called finds none.
    Canary.assertReported(
        "stranded",
        () -> exploreCanary(INVOCATIONS, () -> giveBackWhileAnotherBlocks(Line.TOO_EARLY)));
  }

  /** The scripts in the documentation of {@link ThreadPermits}. */
  @Test
  void aThreadThatComesBackMeetsARightThatFindsNone() {
    explore(INVOCATIONS, () -> giveBackWhileAnotherBlocks(Line.AFTER_THE_RIGHT));
  }

  private static void giveBackWhileAnotherBlocks(Line line) {
    ThreadPermits permits = new ThreadPermits(1);
    FakePool a = new FakePool(permits, line);
    FakePool b = new FakePool(permits, line);
    check(b.share.tryTake(1), "taken", permits);
    Thread blocks = startElsewhere(a.rights::release);
    b.giveBack();
    Canary.join(blocks);
    check(a.threads.get() == 1 && a.rights.unclaimed() == 0, "stranded", a);
    check(permits.free() == 0, "free", permits);
  }

  /** Two pools wait, or are about to; each of two threads reaches one of them. */
  @Test
  void twoThreadsReachTwoPools() {
    explore(INVOCATIONS, ThreadPermitsTest::giveBackTwoWhileTwoBlock);
  }

  private static void giveBackTwoWhileTwoBlock() {
    ThreadPermits permits = new ThreadPermits(2);
    FakePool a = new FakePool(permits, Line.AFTER_THE_RIGHT);
    FakePool b = new FakePool(permits, Line.AFTER_THE_RIGHT);
    FakePool c = new FakePool(permits, Line.AFTER_THE_RIGHT);
    check(b.share.tryTake(2), "taken", permits);
    Thread first = startElsewhere(a.rights::release);
    Thread second = startElsewhere(b::giveBack);
    c.rights.release();
    b.giveBack();
    Canary.join(first);
    Canary.join(second);
    check(a.threads.get() == 1 && a.rights.unclaimed() == 0, "stranded", a);
    check(c.threads.get() == 1 && c.rights.unclaimed() == 0, "stranded", c);
    check(permits.free() == 0, "free", permits);
  }

  /** The section is over before the thread comes: nobody takes it, and nobody lost it. */
  @Test
  void aThreadThatNobodyNeedsAnyMoreStaysFree() {
    explore(INVOCATIONS, ThreadPermitsTest::giveBackWhileASectionEnds);
  }

  private static void giveBackWhileASectionEnds() {
    ThreadPermits permits = new ThreadPermits(1);
    FakePool a = new FakePool(permits, Line.AFTER_THE_RIGHT);
    FakePool b = new FakePool(permits, Line.AFTER_THE_RIGHT);
    check(b.share.tryTake(1), "taken", permits);
    Thread section =
        startElsewhere(
            () -> {
              a.rights.release();
              a.rights.reclaim();
            });
    b.giveBack();
    Canary.join(section);
    check(a.threads.get() + permits.free() == 1, "threads", permits);
    check(a.rights.unclaimed() == -a.threads.get(), "a surplus for each thread", a);
  }

  /** When a pool that was refused stands in line. */
  private enum Line {
    AFTER_THE_RIGHT,
    TOO_EARLY
  }

  /** Starts a thread for each right, as far as there are permits. */
  private static final class FakePool implements RunRights.Crew {
    final RunRights rights = new RunRights(this);
    final AtomicInteger threads = new AtomicInteger();
    final ThreadPermits.Share share;
    private final Line line;

    FakePool(ThreadPermits permits, Line line) {
      this.share = permits.share(rights::handOut);
      this.line = line;
    }

    @Override
    public boolean activate() {
      if (share.tryTake(1) || (line == Line.TOO_EARLY && share.awaitOne() && share.tryTake(1))) {
        threads.incrementAndGet();
        return true;
      }
      return false;
    }

    @Override
    public boolean hasSpare() {
      return line == Line.AFTER_THE_RIGHT && share.awaitOne();
    }

    @Override
    public boolean needsMore() {
      return true;
    }

    @Override
    public void recall() {
      // Nobody waits in the middle of a task here.
    }

    void giveBack() {
      share.putBack(1);
      share.callNext();
    }

    @Override
    public String toString() {
      return threads + " threads, " + rights.unclaimed() + " unclaimed";
    }
  }
}
