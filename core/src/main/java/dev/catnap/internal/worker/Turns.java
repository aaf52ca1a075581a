package dev.catnap.internal.worker;

import dev.catnap.internal.atomic.Padding;
import dev.catnap.internal.sentinel.Sentinel;
import dev.catnap.spi.SchedulerTuning;
import java.util.function.LongSupplier;

/**
 * Whose turn it is when a worker takes a task: the bounds of G5, counted in tasks of that worker.
 * By its own thread.
 *
 * <p>A bound in tasks is none in time: 61 tasks of 2 ms each keep what was injected waiting for 122
 * ms, and then one of it runs. So the worker looks earlier where tasks take long, as Tokio does,
 * and if its own have had more than {@link #LOOK_NANOS} since the last look, then others have a
 * turn of the same time, not of one task. The clock is read once per look, and once per task in
 * such a turn.
 *
 * <p>Written for each task, and so padded on both sides.
 */
@SuppressWarnings("unused")
final class Turns extends Padding {
  /**
   * A task in the background is run at least once in so many {@code injectorInterval}s, whatever
   * else waits: about one task in 500, so that background work never stops and is never felt.
   */
  static final int BACKGROUND_INTERVAL = 8;

  /**
   * One in 500 tasks of 10 us is six sevenths of the time, if it takes 30 ms. So the others have so
   * many times as long before the next one.
   */
  static final int OTHERS_PER_BACKGROUND = 16;

  /** But not longer than that: it may have blocked for an hour. */
  static final long LONGEST_BACKGROUND_WAIT_NANOS = 1_000_000_000;

  /** The worker looks about so often, if its tasks leave it the choice. */
  static final long LOOK_NANOS = 200_000;

  /** A worker that was not run for a second does not owe others a second. */
  static final long LONGEST_TURN_NANOS = 10_000_000;

  /** Ten times what it costs to wake a worker, which is not felt beside that. */
  static final long LONG_TASK_NANOS = 100_000;

  private static final int SHORTEST_INTERVAL = 2;

  /** So many tasks after a pause nobody may have looked at this worker yet. */
  static final int SOON = 16;

  private final int injectorInterval;
  private final int lifoBudget;
  private final LongSupplier clock;

  /** Without a sentinel nothing depends on time, so that a model checker can repeat a run. */
  private final boolean timed;

  // Task numbers, in the order in which this worker takes them.
  private long tasks;
  private long nextInjectorAt;
  private long nextBackgroundAt;

  /** The present task is one of the background's turn; since then. */
  private boolean inBackground;

  private long backgroundSince;
  private long backgroundNotBefore;
  private long nextTimersAt;
  private long nextLookAt;

  /** The present interval, in tasks. */
  private int interval;

  /** Since then this worker has run its own tasks, from this number on; not while paused. */
  private long since;

  private long first;

  /** The last pause ended with this task. */
  private long resumedAt;

  /** How long its own tasks took, on an average, up to the last look or pause. */
  private long grain;

  /**
   * It searches, sleeps, has no thread, or blocks without its right: that is no time of its own
   * tasks.
   */
  private boolean paused = true;

  /** A turn of others that is counted in time, and its end. */
  private boolean turnLasts;

  private long turnEndsAt;

  /** Inbox and injector come first in turn. */
  private boolean inboxFirst;

  private int lifoStreak;

  private byte q00, q01, q02, q03, q04, q05, q06, q07, q08, q09, q0a, q0b, q0c, q0d, q0e, q0f;
  private byte q10, q11, q12, q13, q14, q15, q16, q17, q18, q19, q1a, q1b, q1c, q1d, q1e, q1f;
  private byte q20, q21, q22, q23, q24, q25, q26, q27, q28, q29, q2a, q2b, q2c, q2d, q2e, q2f;
  private byte q30, q31, q32, q33, q34, q35, q36, q37, q38, q39, q3a, q3b, q3c, q3d, q3e, q3f;
  private byte q40, q41, q42, q43, q44, q45, q46, q47, q48, q49, q4a, q4b, q4c, q4d, q4e, q4f;
  private byte q50, q51, q52, q53, q54, q55, q56, q57, q58, q59, q5a, q5b, q5c, q5d, q5e, q5f;
  private byte q60, q61, q62, q63, q64, q65, q66, q67, q68, q69, q6a, q6b, q6c, q6d, q6e, q6f;
  private byte q70, q71, q72, q73, q74, q75, q76, q77, q78, q79, q7a, q7b, q7c, q7d, q7e, q7f;

  /** {@code alone}: no other thread fires timers when this worker always has something to run. */
  Turns(SchedulerTuning tuning, boolean alone, LongSupplier clock) {
    this.clock = clock;
    timed = tuning.stallTickNanos() > 0;
    injectorInterval = tuning.injectorInterval();
    interval = injectorInterval;
    lifoBudget = tuning.lifoBudget();
    nextBackgroundAt = backgroundInterval();
    backgroundNotBefore = now();
    nextTimersAt = alone ? injectorInterval : Long.MAX_VALUE;
    lookAtInjectorIn(injectorInterval);
  }

  /** The next task. True: before that, it is time to look elsewhere. */
  boolean next() {
    return ++tasks >= nextLookAt;
  }

  boolean isTimersTurn() {
    if (tasks < nextTimersAt) {
      return false;
    }
    nextTimersAt = tasks + interval;
    planLook();
    return true;
  }

  boolean isBackgroundsTurn() {
    if (tasks < nextBackgroundAt) {
      return false;
    }
    long now = now();
    boolean ended = inBackground;
    if (ended) {
      inBackground = false;
      long others = OTHERS_PER_BACKGROUND * (now - backgroundSince);
      backgroundNotBefore = now + Math.min(others, LONGEST_BACKGROUND_WAIT_NANOS);
    }
    nextBackgroundAt = tasks + backgroundInterval();
    planLook();
    return !ended && now - backgroundNotBefore >= 0;
  }

  /** In its turn, and there was something: the next task is the time to see how long it took. */
  void tookFromBackground() {
    inBackground = true;
    backgroundSince = now();
    nextBackgroundAt = tasks + 1;
    planLook();
  }

  boolean isInjectorsTurn() {
    if (tasks < nextInjectorAt) {
      return false;
    }
    long now = now();
    if (!turnLasts) {
      long own = now - since;
      measure(now);
      turnLasts = own > LOOK_NANOS;
      turnEndsAt = now + Math.min(own, LONGEST_TURN_NANOS);
    } else if (now - turnEndsAt >= 0) {
      endTurn(now);
      return false;
    }
    lookAtInjectorIn(turnLasts ? 1 : interval);
    return true;
  }

  /** A turn of others ends early, if it is one. */
  void nothingIsInjected() {
    if (turnLasts) {
      endTurn(now());
    }
  }

  private void endTurn(long now) {
    turnLasts = false;
    begin(now);
    lookAtInjectorIn(interval);
  }

  /**
   * The next look there can wait for the whole interval; the others cannot.
   *
   * @param queued so many tasks are in the deque, the last of them from there: they are gone before
   *     the next look, so that what was injected in order is not overtaken by what was injected
   *     later
   */
  void lookedAtInjector(int queued) {
    turnLasts = false;
    measure(now());
    lookAtInjectorIn(Math.max(interval, queued + 1));
  }

  /** From now on it runs no tasks of its own. */
  void pause() {
    if (!paused) {
      measureGrain(now() - since);
      paused = true;
    }
  }

  /**
   * From now on it does, if it does not already: what it has taken from the injector began that.
   *
   * @param hasTask false: it is about to look for one
   */
  void resume(boolean hasTask) {
    if (paused) {
      begin(now());
      resumedAt = tasks;
      if (!hasTask) {
        first++; // the look is counted as a task
      }
    }
  }

  /**
   * Whether the present task is likely to go on for long: it or those before it have. Reads the
   * clock.
   */
  boolean isInLongTask() {
    return !paused && now() - since > LONG_TASK_NANOS * Math.max(1, tasks - first);
  }

  /**
   * Whether its tasks are coarse, and so is the present one: those since the last look, or pause;
   * if it is the first, those before. Reads the clock.
   */
  boolean isCoarse() {
    if (paused) {
      return false;
    }
    long own = now() - since;
    long n = tasks - first;
    return own > Sentinel.FINE_TASK_NANOS * Math.max(1, n) || (n == 0 && wereCoarse());
  }

  /** Whether it has run few tasks since it last searched or slept. */
  boolean isSoonAfterPause() {
    return tasks - resumedAt <= SOON;
  }

  /** Whether its tasks up to the last look, or pause, were coarse. */
  boolean wereCoarse() {
    return grain > Sentinel.FINE_TASK_NANOS;
  }

  private void measureGrain(long own) {
    long n = tasks - first;
    if (n > 0) {
      grain = own / n;
    }
  }

  private void measure(long now) {
    long own = now - since;
    long n = tasks - first;
    if (!paused && n > 0 && own > 0) {
      measureGrain(own);
      long fits = LOOK_NANOS * n / own;
      interval = (int) Math.max(SHORTEST_INTERVAL, Math.min(injectorInterval, fits));
    }
    begin(now);
  }

  private void begin(long now) {
    paused = false;
    since = now;
    first = tasks;
  }

  /** 0 where nothing depends on time. */
  long now() {
    return timed ? clock.getAsLong() : 0;
  }

  private void lookAtInjectorIn(int tasksFromNow) {
    nextInjectorAt = tasks + tasksFromNow;
    planLook();
  }

  private void planLook() {
    nextLookAt = Math.min(nextInjectorAt, Math.min(nextBackgroundAt, nextTimersAt));
  }

  private long backgroundInterval() {
    return (long) BACKGROUND_INTERVAL * injectorInterval;
  }

  /** In turn, so that neither keeps the other waiting. */
  boolean isInboxFirst() {
    inboxFirst = !inboxFirst;
    return inboxFirst;
  }

  /** While the slot is refilled all the time, the queue has one turn in {@code lifoBudget + 1}. */
  boolean isSlotsTurn() {
    return lifoStreak < lifoBudget;
  }

  void tookFromSlot() {
    lifoStreak++;
  }

  void endSlotStreak() {
    lifoStreak = 0;
  }
}
