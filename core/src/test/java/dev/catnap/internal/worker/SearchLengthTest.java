package dev.catnap.internal.worker;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.WorkStealingScheduler;
import dev.catnap.internal.sentinel.Sentinel;
import dev.catnap.spi.Placement;
import dev.catnap.spi.SchedulerTuning;
import dev.catnap.spi.WorkerThread;
import dev.catnap.testing.Await;
import dev.catnap.testing.CountingParker;
import dev.catnap.testing.NoThreadLeft;
import dev.catnap.testing.TestPools;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * G4: how long a worker looks for the next task before it sleeps. While a timer is armed each look
 * reads the clock, and so they can be counted.
 */
@ExtendWith(NoThreadLeft.class)
class SearchLengthTest {
  private static final int ROUNDS = 100;

  /** The second search goes round at the latest: one has, in vain, before the first. */
  private static final int TRIPS = 6;

  /** In a search of twelve times the rounds; one of {@link #ROUNDS} has some more than those. */
  private static final int MANY = 4 * ROUNDS;

  /** Of so many that another worker has queued a thief gets more than eight, and at once. */
  private static final int SEVERAL = 32;

  /** After so many looks a search has begun its second round. */
  private static final int LOOKS_IN_ROUNDS = 8;

  /** One in a round, and one at what time it is in between. */
  private static final int LOOKS_IN_TEN_ROUNDS = 20;

  /** With those looks more than 2 us for each of {@link #SEVERAL}, and no time slice. */
  private static final long LATE_NANOS = 20_000;

  private final AtomicLong now = new AtomicLong();
  private final AtomicLong looks = new AtomicLong();

  /** So much later it is with each look. */
  private volatile long nanosPerLook;

  private final CountingParker parker = new CountingParker();

  /** With that look the search waits. */
  private volatile long heldAt;

  private final CountDownLatch held = new CountDownLatch(1);
  private final CountDownLatch goesOn = new CountDownLatch(1);

  /** Its reads of the clock are no looks. */
  private volatile Thread busy;

  /** That one begins some tasks between two looks, and none meanwhile. */
  private volatile boolean goesThroughItsQueue;

  private volatile boolean mayGoOn;

  private final AtomicLong begunByBusy = new AtomicLong();

  private WorkStealingScheduler scheduler;
  private ScheduledFuture<?> timer;

  private void start(int workers) {
    start(workers, 0);
  }

  private void start(int workers, int spinNanos) {
    long never = TestPools.NEVER_NANOS;
    SchedulerTuning tuning =
        SchedulerTuning.production()
            .withSentinel(never, never)
            .withSearch(ROUNDS, spinNanos)
            .withClock(this::read)
            .withParker(parker)
            .withProcessors(2);
    scheduler = TestPools.withoutSpares(workers).tuning(tuning).build();
    timer = scheduler.schedule(() -> {}, 1, TimeUnit.HOURS);
    awaitSleep(workers);
  }

  private long read() {
    Thread self = Thread.currentThread();
    if (self instanceof WorkerThread && self != busy) {
      long look = looks.incrementAndGet();
      now.addAndGet(nanosPerLook);
      if (look == heldAt) {
        held.countDown();
        Await.quietly(goesOn);
      }
      if (look / LOOKS_IN_TEN_ROUNDS % 2 == 0) {
        awaitThatItGoesOn();
      }
    }
    return now.get();
  }

  private void awaitThatItGoesOn() {
    long enough = begunByBusy.get() + 2;
    mayGoOn = true;
    while (goesThroughItsQueue && begunByBusy.get() < enough) {
      Thread.yield();
    }
    mayGoOn = false;
  }

  @AfterEach
  void close() {
    assertTrue(timer.cancel(false));
    scheduler.close();
  }

  @Test
  void afterOneTaskFromOutsideItWaitsForTheNext() throws Exception {
    start(1);
    assertTrue(mostLooksAfter(() -> {}) >= MANY, looks::toString);
  }

  /** However much that has led to: who has sent it waits for the end of all. */
  @Test
  void afterOneTaskFromOutsideThatLedToManyItWaitsForTheNext() throws Exception {
    start(1);
    assertTrue(mostLooksAfter(() -> publish(10)) >= MANY, looks::toString);
  }

  /** Nobody waits for the answer of each. */
  @Test
  void afterManyTasksFromOutsideItDoesNot() throws Exception {
    start(1);
    assertTrue(mostLooksAfter(() -> sendMany(0), 1) < MANY, looks::toString);
  }

  @Test
  void afterManyCoarseTasksItDoes() throws Exception {
    start(1);
    assertTrue(
        mostLooksAfter(() -> sendMany(2 * Sentinel.FINE_TASK_NANOS), 1) >= MANY, looks::toString);
  }

  /** Both have had a task from outside, but one has not answered. */
  @Test
  void besideOneThatWorksItDoesNot() throws Exception {
    start(2);
    eachTakesATaskFromOutside();
    long most =
        beside(
            () -> mostLooksAfter(() -> scheduler.adapter().publish(() -> {}, Placement.QUEUED), 1));
    assertTrue(most < MANY, looks::toString);
  }

  /** Its owner may be about to run that itself, but does not come back. */
  @Test
  void aShortQueueIsTakenFromOnceItsOwnerHasBegunNoTaskInSomeLooks() throws Exception {
    start(2);
    long n = beside(() -> looksUntilTheOtherTakesATask(Placement.QUEUED));
    assertTrue(n > Patience.MOST_WITHOUT_PROGRESS, () -> "looks: " + n);
    assertTrue(n < ROUNDS, () -> "looks: " + n);
  }

  /**
   * Who begins tasks for ten rounds, then none for ten. With a look in each of those it would be
   * taken from.
   */
  @Test
  void aShortQueueIsLeftForAllRoundsToAnOwnerThatGoesOn() throws Exception {
    start(2);
    CompletableFuture<Long> taken = new CompletableFuture<>();
    try {
      scheduler.execute(() -> goThroughAQueue(taken));
      long n = taken.get(Await.DEADLINE_SECONDS, TimeUnit.SECONDS);
      assertTrue(n >= Patience.MOST_ROUNDS, () -> "looks: " + n);
    } finally {
      goesThroughItsQueue = false;
    }
    awaitSleep(2);
  }

  /** Whom it gives way to may wait for that very task, spinning. */
  @Test
  void aTaskThatHasYieldedIsTakenAtOnce() throws Exception {
    start(2);
    long n =
        beside(
            () -> {
              scheduler.adapter().publish(() -> {}, Placement.RESUMED); // in the slot, silently
              return looksUntilTheOtherTakesATask(Placement.YIELDED);
            });
    assertTrue(n < Patience.MOST_WITHOUT_PROGRESS, () -> "looks: " + n);
  }

  /**
   * So far apart are its looks then that any owner would have begun a task in between. Some
   * searches later: the first one may go without rounds because those before had been in vain.
   */
  @Test
  void whoLosesItsProcessorWhileItLeavesAQueueAloneSleepsWithoutRoundsFromThenOn()
      throws Exception {
    start(2);
    nanosPerLook = SearchRounds.LOST_NANOS;
    long most =
        beside(
            () -> {
              looksUntilTheOtherTakesATask(Placement.QUEUED);
              return mostLooksAfter(
                  () -> scheduler.adapter().publish(() -> {}, Placement.QUEUED), 1);
            });
    assertTrue(most < ROUNDS, () -> "looks: " + most);
  }

  /** It has yielded to their sender, who had more to do than to send them. */
  @Test
  void whoIsLateForSeveralThatWereSentSleepsWithoutRoundsFromThenOn() throws Exception {
    start(1);
    isLateFor(() -> scheduler.execute(this::isInTime));
    long most = mostLooksAfter(() -> {});
    assertTrue(most < ROUNDS, () -> "looks: " + most);
  }

  /** Their owner, who was not late, has run some of them meanwhile. */
  @Test
  void whoFindsSeveralOfAnotherWorkerGoesRoundWithTheNextOne() throws Exception {
    start(2);
    Runnable one = () -> scheduler.adapter().publish(this::isInTime, Placement.QUEUED);
    long most =
        beside(
            () -> {
              isLateFor(one);
              return mostLooksAfter(one, 1);
            });
    assertTrue(most >= ROUNDS, () -> "looks: " + most);
  }

  /** By the clock, not by so many hints. */
  @Test
  void whoWaitsLongerThanForTasksInARowSpinsBetweenTwoLooks() throws Exception {
    int readsPerSpin = 10;
    nanosPerLook = 1;
    start(1, readsPerSpin);
    long most = mostLooksAfter(() -> {});
    assertTrue(most >= (long) readsPerSpin * MANY, () -> "looks: " + most);
  }

  /**
   * The search after some task goes round, and finds several that were not there with its first
   * look.
   */
  private void isLateFor(Runnable sendsOne) {
    Await.until(
        "a search goes round",
        () -> {
          long slept = parker.parks();
          heldAt = 0; // of the search before, which ended without rounds: not in the next one
          scheduler.adapter().publish(this::willBeLate, Placement.QUEUED);
          Await.until(
              "it goes round or sleeps",
              () -> held.getCount() == 0 || parker.parks() > slept,
              scheduler::stats);
          return held.getCount() == 0;
        },
        scheduler::stats);
    for (int i = 0; i < SEVERAL; i++) {
      sendsOne.run();
    }
    goesOn.countDown();
    awaitSleep(1);
  }

  private void willBeLate() {
    nanosPerLook = LATE_NANOS;
    heldAt = looks.get() + LOOKS_IN_ROUNDS;
  }

  private void isInTime() {
    nanosPerLook = 0;
    heldAt = 0;
  }

  /** On one worker, while the other sleeps: nothing else makes that look for work. */
  private long beside(Callable<Long> publishes) throws Exception {
    return scheduler
        .submit(
            () -> {
              busy = Thread.currentThread();
              awaitSleep(1);
              return publishes.call();
            })
        .get(2 * Await.DEADLINE_SECONDS, TimeUnit.SECONDS);
  }

  private long looksUntilTheOtherTakesATask(Placement placement) throws Exception {
    long before = looks.get();
    CompletableFuture<Long> begins = new CompletableFuture<>();
    Runnable task =
        () -> {
          nanosPerLook = 0;
          begins.complete(looks.get());
        };
    scheduler.adapter().publish(task, placement);
    long taken = begins.get(Await.DEADLINE_SECONDS, TimeUnit.SECONDS);
    awaitSleep(1);
    return taken - before;
  }

  /** As the other worker, which sleeps, is to see it: some tasks queued, and another each time. */
  private void goThroughAQueue(CompletableFuture<Long> taken) {
    busy = Thread.currentThread();
    awaitSleep(1);
    looks.set(0);
    goesThroughItsQueue = true;
    for (int i = 0; i < 3; i++) {
      scheduler.adapter().publish(() -> goOn(taken), Placement.QUEUED);
    }
  }

  private void goOn(CompletableFuture<Long> taken) {
    if (Thread.currentThread() != busy) {
      goesThroughItsQueue = false;
      taken.complete(looks.get());
      return;
    }
    while (goesThroughItsQueue && !mayGoOn) {
      Thread.yield();
    }
    if (goesThroughItsQueue) {
      begunByBusy.incrementAndGet();
      scheduler.adapter().publish(() -> goOn(taken), Placement.QUEUED);
    }
  }

  /** While the first one has it there is but the other for the second. */
  private void eachTakesATaskFromOutside() {
    CountDownLatch end = new CountDownLatch(1);
    for (int i = 0; i < 2; i++) {
      CountDownLatch begun = new CountDownLatch(1);
      scheduler.execute(
          () -> {
            begun.countDown();
            Await.quietly(end);
          });
      Await.latch("it has begun", begun, scheduler::stats);
    }
    end.countDown();
    awaitSleep(2);
  }

  /** All are there before the first is done. */
  private void sendMany(long nanosEach) {
    CountDownLatch sent = new CountDownLatch(1);
    scheduler.execute(() -> Await.quietly(sent));
    for (int i = 0; i < 10; i++) {
      scheduler.execute(() -> now.addAndGet(nanosEach));
    }
    sent.countDown();
  }

  private void publish(int count) {
    for (int i = 0; i < count; i++) {
      scheduler.adapter().publish(() -> {}, Placement.QUEUED);
    }
  }

  private long mostLooksAfter(Runnable task) {
    return mostLooksAfter(() -> scheduler.execute(task), 1);
  }

  /** In the longest of some searches, each after the same had happened. */
  private long mostLooksAfter(Runnable sends, int sleepers) {
    long most = 0;
    for (int i = 0; i < TRIPS; i++) {
      long before = looks.get();
      long slept = parker.parks();
      sends.run();
      Await.until("it sleeps again", () -> parker.parks() > slept, scheduler::stats);
      awaitSleep(sleepers);
      most = Math.max(most, looks.get() - before);
    }
    return most;
  }

  private void awaitSleep(int workers) {
    Await.until("they sleep", () -> parker.parked() == workers, scheduler::stats);
  }
}
