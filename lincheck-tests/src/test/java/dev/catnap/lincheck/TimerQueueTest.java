package dev.catnap.lincheck;

import dev.catnap.internal.timer.TimerBatch;
import dev.catnap.internal.timer.TimerNode;
import dev.catnap.internal.timer.TimerQueue;
import dev.catnap.spi.MonotonicClock;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * G11 of the timer queue alone, with its production thread: a timer that was accepted fires or is
 * cancelled or is handed back, one of these and once, whatever it races with; the queue is reported
 * as drained once, and not while a timer fires.
 *
 * <p>Not covered: an unpark of the timer thread that is lost. Lincheck lets {@code
 * LockSupport.park} return for no reason, so the thread looks at its timers all the same. And every
 * deadline is now, since time stands still.
 */
class TimerQueueTest extends ModelCheckedSuite {
  private static final int INVOCATIONS = 200;
  private static final long AN_HOUR = 3_600_000_000_000L;

  @BeforeAll
  static void lincheckSeesSuchRaces() {
    Canary.LOST_UPDATE_IN_THREADS.assertReported();
    Canary.LOST_WAKEUP.assertReported();
    Canary.assertReported(
        "nobody went on", () -> exploreCanary(INVOCATIONS, TimerQueueTest::fireBesideAnother));
  }

  /**
   * While somebody looks at timers, nothing lets another thread go on but the explorer: a loop over
   * the lanes of ten turns does, for Lincheck takes it for a wait.
   */
  private static void fireBesideAnother() {
    TimerQueue queue =
        new TimerQueue(
            1,
            () -> 0,
            MonotonicClock.SYSTEM,
            threadNotNeeded -> true,
            () -> false,
            () -> {},
            Rig::uncaught);
    Node node = new Node(new Rig());
    check(queue.arm(node, 0), "not accepted", node);
    AtomicInteger other = new AtomicInteger();
    Thread thread = startElsewhere(other::incrementAndGet);
    queue.fireDue(0, new TimerBatch(), 2, () -> false);
    int wentOn = other.get();
    Canary.join(thread);
    check(wentOn > 0, "nobody went on", wentOn);
  }

  /** The first timer starts the thread; two first ones may start two, of which one is used. */
  @Test
  void twoFirstTimersFire() {
    explore(INVOCATIONS, TimerQueueTest::armTwo);
  }

  private static void armTwo() {
    Rig rig = new Rig();
    Node first = new Node(rig);
    Node second = new Node(rig);
    Thread other = startElsewhere(() -> second.armed = rig.queue.arm(second, 0));
    first.armed = rig.queue.arm(first, 0);
    Canary.join(other);
    check(first.armed && second.armed, "not accepted", rig);
    rig.close();
    first.checkFired(1);
    second.checkFired(1);
  }

  @Test
  void aTimerIsCancelledOrFires() {
    explore(INVOCATIONS, TimerQueueTest::cancelAndFire);
  }

  private static void cancelAndFire() {
    Rig rig = new Rig();
    Node node = new Node(rig);
    node.armed = rig.queue.arm(node, 0);
    boolean cancelled = rig.queue.cancel(node);
    rig.close();
    check(node.armed, "not accepted", rig);
    node.checkFired(cancelled ? 0 : 1);
  }

  /** Accepted means fired, also if the close came right after. */
  @Test
  void closeRacesWithAnArm() {
    explore(INVOCATIONS, TimerQueueTest::armAndClose);
  }

  private static void armAndClose() {
    Rig rig = new Rig();
    Node node = new Node(rig);
    Thread other = startElsewhere(() -> node.armed = rig.queue.arm(node, 0));
    rig.close();
    Canary.join(other);
    rig.joinThreads();
    node.checkFired(node.armed ? 1 : 0);
  }

  /** One that does not survive a shutdown fires or is dropped. */
  @Test
  void closeRacesWithATimerThatDoesNotSurviveIt() {
    explore(INVOCATIONS, TimerQueueTest::closeAndFireOrDrop);
  }

  private static void closeAndFireOrDrop() {
    Rig rig = new Rig();
    Node node = new Node(rig);
    node.survives = false;
    node.armed = rig.queue.arm(node, 0);
    rig.close();
    check(node.armed, "not accepted", rig);
    node.checkFired(1 - node.dropped.get());
  }

  /** F14: what {@code closeNow} hands back does not fire, and what it does not has fired. */
  @Test
  void closeNowRacesWithATimerThatFires() {
    explore(INVOCATIONS, TimerQueueTest::closeNowAndFire);
  }

  private static void closeNowAndFire() {
    Rig rig = new Rig();
    Node node = new Node(rig);
    node.armed = rig.queue.arm(node, 0);
    boolean handedBack = rig.queue.closeNow().contains(node);
    check(node.armed, "not accepted", rig);
    node.checkFired(handedBack ? 0 : 1); // already, for the caller sweeps the queues next
    rig.joinThreads();
    node.checkFired(handedBack ? 0 : 1);
    rig.checkDrained();
  }

  /** A worker that has nothing else to do fires it, or the thread, or it is cancelled. */
  @Test
  void aWorkerFiresWhatTheThreadFiresOrSomebodyCancels() {
    explore(INVOCATIONS, TimerQueueTest::fireOnAWorkerAndCancel);
  }

  private static void fireOnAWorkerAndCancel() {
    Rig rig = new Rig();
    Node node = new Node(rig);
    node.armed = rig.queue.arm(node, 0);
    Thread worker = startElsewhere(() -> rig.queue.fireDue(1, new TimerBatch(), 2, () -> false));
    boolean cancelled = rig.queue.cancel(node);
    Canary.join(worker);
    rig.close();
    check(node.armed, "not accepted", rig);
    node.checkFired(cancelled ? 0 : 1);
  }

  /** The queue is not drained before the worker has fired; and the thread ends after that. */
  @Test
  void closeRacesWithAWorkerThatFires() {
    explore(INVOCATIONS, TimerQueueTest::closeAndFireOnAWorker);
  }

  private static void closeAndFireOnAWorker() {
    Rig rig = new Rig();
    Node node = new Node(rig);
    node.armed = rig.queue.arm(node, 0);
    Thread worker = startElsewhere(() -> rig.queue.fireDue(1, new TimerBatch(), 2, () -> false));
    rig.queue.close();
    Canary.join(worker);
    rig.joinThreads();
    rig.checkDrained();
    node.checkFired(1);
  }

  /** F14: as above, on a worker. */
  @Test
  void closeNowRacesWithAWorkerThatFires() {
    explore(INVOCATIONS, TimerQueueTest::closeNowAndFireOnAWorker);
  }

  private static void closeNowAndFireOnAWorker() {
    Rig rig = new Rig();
    Node node = new Node(rig);
    node.armed = rig.queue.arm(node, 0);
    Thread worker = startElsewhere(() -> rig.queue.fireDue(1, new TimerBatch(), 2, () -> false));
    boolean handedBack = rig.queue.closeNow().contains(node);
    node.checkFired(handedBack ? 0 : 1);
    Canary.join(worker);
    rig.joinThreads();
    node.checkFired(handedBack ? 0 : 1);
    rig.checkDrained();
  }

  /** A worker that keeps the timers itself is about to park: for good, or for an hour. */
  @Test
  void aKeeperSeesAnEarlierTimerOrIsWokenForIt() {
    explore(INVOCATIONS, () -> armBesideAKeeper(false));
    explore(INVOCATIONS, () -> armBesideAKeeper(true));
  }

  private static void armBesideAKeeper(boolean anotherIsArmed) {
    AtomicInteger wakes = new AtomicInteger();
    TimerQueue queue =
        new TimerQueue(MonotonicClock.SYSTEM, wakes::incrementAndGet, () -> {}, Rig::uncaught);
    Node late = new Node(new Rig());
    check(!anotherIsArmed || queue.arm(late, AN_HOUR), "not accepted", late);
    Node node = new Node(new Rig());
    Thread other = startElsewhere(() -> node.armed = queue.arm(node, 0));
    long park = queue.nanosToPark();
    Canary.join(other);
    check(node.armed, "not accepted", node);
    check(park <= 0 || wakes.get() == 1, "sleeps through a deadline", park);
  }

  private static final class Node extends TimerNode {
    final AtomicInteger fired = new AtomicInteger();
    final AtomicInteger dropped = new AtomicInteger();
    private final Rig rig;
    boolean armed;
    boolean survives = true;

    Node(Rig rig) {
      this.rig = rig;
    }

    @Override
    protected void fire() {
      // The pool closes its injector when the queue is drained: this task would be refused.
      if (rig.drained.get() == 0) {
        fired.incrementAndGet();
      }
    }

    @Override
    protected boolean survivesShutdown() {
      return survives;
    }

    @Override
    protected void dropped() {
      dropped.incrementAndGet();
    }

    void checkFired(int times) {
      check(fired.get() == times, "fired before the queue was drained", fired);
    }
  }

  /**
   * A queue whose threads can be joined. It has two shards: of the thread that makes it, and of
   * others.
   */
  private static final class Rig {
    final AtomicInteger drained = new AtomicInteger();
    private final Thread first = Thread.currentThread();
    final TimerQueue queue =
        new TimerQueue(
            2,
            () -> Thread.currentThread() == first ? 0 : 1,
            MonotonicClock.SYSTEM,
            this::startThread,
            () -> false,
            drained::incrementAndGet,
            Rig::uncaught);
    private Thread firstThread;
    private Thread secondThread;

    private synchronized boolean startThread(Runnable body) {
      Thread thread = startElsewhere(body);
      if (firstThread == null) {
        firstThread = thread;
      } else {
        secondThread = thread;
      }
      return true;
    }

    private static void uncaught(Throwable thrown) {
      throw new AssertionError("from a timer", thrown);
    }

    void close() {
      queue.close();
      joinThreads();
      checkDrained();
    }

    synchronized void joinThreads() {
      Canary.join(firstThread);
      Canary.join(secondThread);
    }

    void checkDrained() {
      check(drained.get() == 1 && queue.size() == 0, "not drained once", drained);
    }

    @Override
    public String toString() {
      return queue.size() + " armed";
    }
  }
}
