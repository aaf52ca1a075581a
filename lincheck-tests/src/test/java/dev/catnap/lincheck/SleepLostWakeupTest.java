package dev.catnap.lincheck;

import static dev.catnap.lincheck.SleepRig.Start.ASLEEP;
import static dev.catnap.lincheck.SleepRig.Start.AWAKE;
import static dev.catnap.lincheck.SleepRig.Start.SEARCHING;
import static dev.catnap.lincheck.SleepRig.Task.END;
import static dev.catnap.lincheck.SleepRig.Task.MEET;
import static dev.catnap.lincheck.SleepRig.Task.SPAWN_AND_MEET;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * G1 of the sleep module alone: once a publish has returned, the task starts without any further
 * event. The publisher hangs after its publish, on a latch that the task opens.
 */
class SleepLostWakeupTest extends ModelCheckedSuite {
  /** Every known wrong version of the protocol but one hangs one of these within 1,000. */
  private static final int INVOCATIONS = 500;

  @BeforeAll
  static void lincheckSeesSuchRaces() {
    Canary.LOST_UPDATE_IN_THREADS.assertReported();
    Canary.LOST_WAKEUP.assertReported();
  }

  /** F3. */
  @Test
  void aPublishReachesAWorkerThatFallsAsleep() {
    explore(INVOCATIONS, SleepLostWakeupTest::publishToOneAwake);
  }

  private static void publishToOneAwake() {
    SleepRig rig = new SleepRig(1, END, AWAKE);
    rig.publish();
    rig.ran.await();
    rig.end();
  }

  /** F5: the JEC has one bit here, so an announcement and a publish later it is the same again. */
  @Test
  void theJecMayRollOver() {
    explore(INVOCATIONS, SleepLostWakeupTest::publishTwiceWithOneBit);
  }

  private static void publishTwiceWithOneBit() {
    SleepRig rig = new SleepRig(1, 2, END, AWAKE);
    rig.publish();
    rig.publish();
    rig.ran.await();
    rig.end();
  }

  /** The first publish wakes nobody, because a searcher exists; its task needs the second. */
  @Test
  void aSearcherHandsTheDutyToWakeOn() {
    explore(INVOCATIONS, SleepLostWakeupTest::publishTwiceToSearcherAndSleeper);
  }

  private static void publishTwiceToSearcherAndSleeper() {
    SleepRig rig = new SleepRig(2, MEET, SEARCHING, ASLEEP);
    rig.publish();
    rig.publish();
    rig.ran.await();
    rig.end();
  }

  /** The script in Crew.setParallelism. */
  @Test
  void aWorkerThatFallsAsleepSeesThatThereAreTooMany() {
    explore(INVOCATIONS, SleepLostWakeupTest::shrinkBesideOneAwake);
  }

  private static void shrinkBesideOneAwake() {
    SleepRig rig = new SleepRig(0, END, AWAKE);
    rig.shrink();
    rig.steppedDown.await();
    rig.end();
  }

  @Test
  void twoThatFallAsleepAreBothReached() {
    explore(INVOCATIONS, SleepLostWakeupTest::publishTwiceToTwoAwake);
  }

  private static void publishTwiceToTwoAwake() {
    SleepRig rig = new SleepRig(2, MEET, AWAKE, AWAKE);
    rig.publish();
    rig.publish();
    rig.ran.await();
    rig.end();
  }

  @Test
  void twoPublishersWakeTwoSleepers() {
    explore(INVOCATIONS, SleepLostWakeupTest::publishFromTwoThreadsToTwoAsleep);
  }

  private static void publishFromTwoThreadsToTwoAsleep() {
    SleepRig rig = new SleepRig(2, MEET, ASLEEP, ASLEEP);
    rig.publishElsewhere();
    rig.publish();
    rig.ran.await();
    rig.end();
  }

  /**
   * The first worker is claimed before it parks, and goes on, though its waker has not finished its
   * publish; so what the first publishes then must reach the second.
   */
  @Test
  void aWakeUnderWayDoesNotHideASleeper() {
    // Two switches at exact points: "searching == 0" instead of "<= 0" hangs it at about 1,700.
    explore(4 * INVOCATIONS, SleepLostWakeupTest::publishToSpawnerBesideSleeper);
  }

  private static void publishToSpawnerBesideSleeper() {
    SleepRig rig = new SleepRig(2, SPAWN_AND_MEET, SEARCHING, ASLEEP);
    rig.publish();
    rig.ran.await();
    rig.end();
  }

  @Test
  void aNotificationReachesAWorkerThatFallsAsleep() {
    explore(INVOCATIONS, SleepLostWakeupTest::notifyOneAwake);
  }

  private static void notifyOneAwake() {
    SleepRig rig = new SleepRig(1, END, AWAKE);
    rig.sendToFirst();
    rig.delivered.await();
    rig.end();
  }

  /** One to the worker and one to everybody: neither uses up the wake of the other. */
  @Test
  void aNotificationDoesNotSwallowAPublish() {
    explore(INVOCATIONS, SleepLostWakeupTest::notifyAndPublishToTwo);
  }

  private static void notifyAndPublishToTwo() {
    SleepRig rig = new SleepRig(1, END, ASLEEP, AWAKE);
    Thread publisher = rig.publishElsewhere();
    rig.sendToFirst();
    rig.delivered.await();
    rig.ran.await();
    Canary.join(publisher);
    rig.end();
  }

  /** The twin of this suite that must fail: a parker that forgets one unpark. */
  @Test
  void aLostUnparkIsReported() {
    Canary.assertReported(
        "deadlock", () -> exploreCanary(INVOCATIONS, SleepLostWakeupTest::publishWithoutUnpark));
  }

  private static void publishWithoutUnpark() {
    SleepRig rig =
        new SleepRig(1, END, AWAKE) {
          @Override
          public void unpark(Thread thread) {}
        };
    rig.publish();
    rig.ran.await();
    rig.end();
  }
}
