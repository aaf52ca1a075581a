package dev.catnap.lincheck;

import static dev.catnap.lincheck.SleepRig.Start.ASLEEP;
import static dev.catnap.lincheck.SleepRig.Start.AWAKE;
import static dev.catnap.lincheck.SleepRig.Start.SEARCHING;
import static dev.catnap.lincheck.SleepRig.Task.END;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The counters of the sleep module: the pool comes to rest, at rest every worker is counted as
 * asleep and none as searching, on the way no count falls below zero (G4), and every unpark is one
 * that a publish or a find returned, at most one each (G3).
 *
 * <p>A count that is off by one hangs nobody at once; it strands a task later. So these checks look
 * at the counters themselves.
 */
class SleepCountersTest extends ModelCheckedSuite {
  /** Every known wrong version that a check of this suite shows is found within 1,000. */
  private static final int INVOCATIONS = 500;

  @BeforeAll
  static void lincheckSeesSuchRaces() {
    Canary.LOST_UPDATE_IN_THREADS.assertReported();
    Canary.LOST_WAKEUP.assertReported();
  }

  @Test
  void oneWorkerAndOnePublisher() {
    explore(INVOCATIONS, SleepCountersTest::publishToOneAwake);
  }

  private static void publishToOneAwake() {
    SleepRig rig = new SleepRig(1, END, AWAKE);
    rig.publish();
    rig.ran.await();
    rig.awaitQuiescence();
  }

  /** Nothing was ever published: an announcement is not taken for a publish. */
  @Test
  void aPoolWithoutWorkFallsAsleep() {
    explore(INVOCATIONS, SleepCountersTest::publishNothing);
  }

  private static void publishNothing() {
    new SleepRig(0, END, AWAKE, AWAKE).awaitQuiescence();
  }

  /**
   * The script behind "Commit comes after Register": the first worker is on its way to sleep when
   * T1 calls it; T1 publishes, so its registration fails. Was it claimable, then the second, which
   * sleeps, is uncounted.
   */
  @Test
  void aWorkerThatIsNotRegisteredIsNotClaimed() {
    explore(INVOCATIONS, SleepCountersTest::notifyAndPublishBesideSleeper);
  }

  private static void notifyAndPublishBesideSleeper() {
    SleepRig rig = new SleepRig(1, END, AWAKE, ASLEEP);
    rig.sendToFirst();
    rig.publish();
    rig.delivered.await();
    rig.ran.await();
    rig.awaitQuiescence();
  }

  /** The second publish comes while the first worker, which has run a task, falls asleep. */
  @Test
  void aWorkerFallsAsleepBesideASleeper() {
    explore(INVOCATIONS, SleepCountersTest::publishTwiceBesideSleeper);
  }

  private static void publishTwiceBesideSleeper() {
    SleepRig rig = new SleepRig(2, END, AWAKE, ASLEEP);
    rig.publish();
    rig.publish();
    rig.ran.await();
    rig.awaitQuiescence();
  }

  @Test
  void aSleeperIsWokenByOneOfTwoPublishers() {
    explore(INVOCATIONS, SleepCountersTest::publishFromTwoThreadsToOneAsleep);
  }

  private static void publishFromTwoThreadsToOneAsleep() {
    SleepRig rig = new SleepRig(2, END, ASLEEP);
    Thread publisher = rig.publishElsewhere();
    rig.publish();
    rig.ran.await();
    Canary.join(publisher);
    rig.awaitQuiescence();
  }

  @Test
  void twoSleepersAndTwoPublishers() {
    explore(INVOCATIONS, SleepCountersTest::publishFromTwoThreadsToTwoAsleep);
  }

  private static void publishFromTwoThreadsToTwoAsleep() {
    SleepRig rig = new SleepRig(2, END, ASLEEP, ASLEEP);
    Thread publisher = rig.publishElsewhere();
    rig.publish();
    rig.ran.await();
    Canary.join(publisher);
    rig.awaitQuiescence();
  }

  @Test
  void aSearcherBesideASleeper() {
    explore(INVOCATIONS, SleepCountersTest::publishToSearcherBesideSleeper);
  }

  private static void publishToSearcherBesideSleeper() {
    SleepRig rig = new SleepRig(1, END, SEARCHING, ASLEEP);
    rig.publish();
    rig.ran.await();
    rig.awaitQuiescence();
  }

  /** A notification that meets Register, Commit, FinalCheck or Park is settled like a claim. */
  @Test
  void aNotifiedWorkerIsCountedOnce() {
    explore(INVOCATIONS, SleepCountersTest::notifyAndPublishToOneAwake);
  }

  private static void notifyAndPublishToOneAwake() {
    SleepRig rig = new SleepRig(1, END, AWAKE);
    rig.sendToFirst();
    rig.publish();
    rig.delivered.await();
    rig.ran.await();
    rig.awaitQuiescence();
  }
}
