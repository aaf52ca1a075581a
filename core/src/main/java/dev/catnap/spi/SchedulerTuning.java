package dev.catnap.spi;

import java.util.Objects;

/**
 * Every size, interval and number of rounds of a scheduler. The defaults are for production; a
 * model checker runs the same classes with the smallest numbers ({@link #smallest}). Immutable.
 *
 * @param dequeCapacity tasks in a worker's own queue, a power of two, 2 to 65,536; more overflow
 *     into the injector, a segment at a time, but no more than half of the queue. 1,024: what a
 *     thousand launches need, in 4 KB
 * @param segmentSize cells per segment of the injector, 1 to 65,536: one allocation per so many
 *     tasks
 * @param injectorInterval a worker looks at the injector at least once in so many tasks, at least
 *     2, so that its own queue cannot starve it (G5); 61, as in Go and Tokio: prime, so it does not
 *     fall into step with loops
 * @param lifoBudget tasks taken in a row from the LIFO slot before the queue gets its turn, at
 *     least 1 (G5)
 * @param searchRounds looks at all queues before a worker prepares to sleep, at least 0; after each
 *     it gives way to another thread on its processor, if there is one
 * @param spinNanos how long it spins after each further look, where it waits for longer, and while
 *     it leaves a short queue to its owner; in nanoseconds by the clock, at least 0. 900: looks
 *     some 1 us apart
 * @param jecBits width of the jobs event counter, 1 to 32
 * @param initialJec its first value, so that a test can start just below its wrap
 * @param initialIndex first index of every worker's queue, for the same reason
 * @param slotTickNanos how often the sentinel looks at slots while a worker sleeps or searches, an
 *     eighth as often where it finds them all empty; a task in the slot of a worker that does not
 *     come back is taken out after two ticks, in a busy pool nine at most (G1); in nanoseconds. 0:
 *     there is no sentinel, every push into a slot is a publish with all its steps, and undeclared
 *     blocking is not noticed
 * @param stallTickNanos how often it looks while every worker runs; a worker that waits in one and
 *     the same task while other tasks wait is relieved after two ticks at most, one that computes
 *     after about five (G9). Also how long it lingers off duty, to be called without being woken,
 *     before its thread parks without a timeout. In nanoseconds
 * @param parker how workers park
 * @param clock the time, and how the timer thread and the sentinel wait for it
 * @param wakeRule when a publish wakes a worker
 * @param processors how many workers are to be awake before what is published is left to them: more
 *     would only take the processors from each other. Further ones are on standby, asleep, until
 *     the sentinel finds that those which are awake do not get on. 0: as many as the JVM says there
 *     are when the scheduler is built or resized
 */
public record SchedulerTuning(
    int dequeCapacity,
    int segmentSize,
    int injectorInterval,
    int lifoBudget,
    int searchRounds,
    int spinNanos,
    int jecBits,
    int initialJec,
    long initialIndex,
    long slotTickNanos,
    long stallTickNanos,
    Parker parker,
    MonotonicClock clock,
    WakeRule wakeRule,
    int processors) {

  private static final int LARGEST_QUEUE = 1 << 16;
  private static final int WIDEST_JEC = 32;
  private static final long LONGEST_TICK_NANOS = 60_000_000_000L;

  private static final SchedulerTuning PRODUCTION =
      new SchedulerTuning(
          1_024,
          128,
          61,
          3,
          3,
          900,
          32,
          0,
          0,
          300_000,
          5_000_000,
          Parker.LOCK_SUPPORT,
          MonotonicClock.SYSTEM,
          WakeRule.ONE_AT_A_TIME,
          0);

  private static final SchedulerTuning SMALLEST =
      new SchedulerTuning(
          2,
          2,
          2,
          1,
          0,
          0,
          2,
          0,
          0,
          0,
          0,
          Parker.LOCK_SUPPORT,
          MonotonicClock.SYSTEM,
          WakeRule.ONE_AT_A_TIME,
          0);

  /**
   * Checks every value.
   *
   * @throws IllegalArgumentException naming the value that is out of its range
   */
  public SchedulerTuning {
    check("dequeCapacity", dequeCapacity, 2, LARGEST_QUEUE);
    if (Integer.bitCount(dequeCapacity) != 1) {
      throw new IllegalArgumentException("dequeCapacity must be a power of two: " + dequeCapacity);
    }
    check("segmentSize", segmentSize, 1, LARGEST_QUEUE);
    check("injectorInterval", injectorInterval, 2, Integer.MAX_VALUE);
    check("lifoBudget", lifoBudget, 1, Integer.MAX_VALUE);
    check("searchRounds", searchRounds, 0, Integer.MAX_VALUE);
    check("spinNanos", spinNanos, 0, Integer.MAX_VALUE);
    check("jecBits", jecBits, 1, WIDEST_JEC);
    checkTick("slotTickNanos", slotTickNanos, 0);
    checkTick("stallTickNanos", stallTickNanos, slotTickNanos);
    check("processors", processors, 0, Integer.MAX_VALUE);
    Objects.requireNonNull(parker, "parker");
    Objects.requireNonNull(clock, "clock");
    if (Objects.requireNonNull(wakeRule, "wakeRule") == WakeRule.ONE_PER_INSERT
        && jecBits != WIDEST_JEC) {
      throw new IllegalArgumentException(
          "jecBits must be " + WIDEST_JEC + " with " + wakeRule + ": " + jecBits);
    }
  }

  private static void check(String name, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(name + " must be " + least + " to " + most + ": " + value);
    }
  }

  private static void checkTick(String name, long nanos, long least) {
    if (nanos < least || nanos > LONGEST_TICK_NANOS) {
      throw new IllegalArgumentException(
          name + " must be " + least + " to " + LONGEST_TICK_NANOS + ": " + nanos);
    }
  }

  /**
   * The values in use unless others are given.
   *
   * @return the defaults
   */
  public static SchedulerTuning production() {
    return PRODUCTION;
  }

  /**
   * The smallest values with which every path is still taken: what a model checker can explore.
   *
   * @return deques of two, segments of two, no search rounds, a JEC of two bits
   */
  public static SchedulerTuning smallest() {
    return SMALLEST;
  }

  /**
   * The same with another parker.
   *
   * @param other how workers park
   * @return a copy
   */
  public SchedulerTuning withParker(Parker other) {
    return new SchedulerTuning(
        dequeCapacity,
        segmentSize,
        injectorInterval,
        lifoBudget,
        searchRounds,
        spinNanos,
        jecBits,
        initialJec,
        initialIndex,
        slotTickNanos,
        stallTickNanos,
        other,
        clock,
        wakeRule,
        processors);
  }

  /**
   * The same with another width and start of the jobs event counter.
   *
   * @param bits 1 to 32
   * @param initial the first value, cut to that width
   * @return a copy
   */
  public SchedulerTuning withJec(int bits, int initial) {
    return new SchedulerTuning(
        dequeCapacity,
        segmentSize,
        injectorInterval,
        lifoBudget,
        searchRounds,
        spinNanos,
        bits,
        initial,
        initialIndex,
        slotTickNanos,
        stallTickNanos,
        parker,
        clock,
        wakeRule,
        processors);
  }

  /**
   * The same with other queues.
   *
   * @param capacity of each worker's queue, a power of two
   * @param firstIndex where its indices start
   * @param segment cells per segment of the injector
   * @return a copy
   */
  public SchedulerTuning withQueues(int capacity, long firstIndex, int segment) {
    return new SchedulerTuning(
        capacity,
        segment,
        injectorInterval,
        lifoBudget,
        searchRounds,
        spinNanos,
        jecBits,
        initialJec,
        firstIndex,
        slotTickNanos,
        stallTickNanos,
        parker,
        clock,
        wakeRule,
        processors);
  }

  /**
   * The same with another discipline of search.
   *
   * @param rounds looks at all queues before a worker prepares to sleep
   * @param nanos how long it spins after each further one, where it waits for longer
   * @return a copy
   */
  public SchedulerTuning withSearch(int rounds, int nanos) {
    return new SchedulerTuning(
        dequeCapacity,
        segmentSize,
        injectorInterval,
        lifoBudget,
        rounds,
        nanos,
        jecBits,
        initialJec,
        initialIndex,
        slotTickNanos,
        stallTickNanos,
        parker,
        clock,
        wakeRule,
        processors);
  }

  /**
   * The same with other bounds of fairness.
   *
   * @param interval tasks between two looks at the injector
   * @param budget tasks in a row from the LIFO slot
   * @return a copy
   */
  public SchedulerTuning withFairness(int interval, int budget) {
    return new SchedulerTuning(
        dequeCapacity,
        segmentSize,
        interval,
        budget,
        searchRounds,
        spinNanos,
        jecBits,
        initialJec,
        initialIndex,
        slotTickNanos,
        stallTickNanos,
        parker,
        clock,
        wakeRule,
        processors);
  }

  /**
   * The same with another sentinel.
   *
   * @param slotTick nanoseconds between two looks while a worker sleeps or searches; 0: none
   * @param stallTick nanoseconds between two looks while every worker runs, not less
   * @return a copy
   */
  public SchedulerTuning withSentinel(long slotTick, long stallTick) {
    return new SchedulerTuning(
        dequeCapacity,
        segmentSize,
        injectorInterval,
        lifoBudget,
        searchRounds,
        spinNanos,
        jecBits,
        initialJec,
        initialIndex,
        slotTick,
        stallTick,
        parker,
        clock,
        wakeRule,
        processors);
  }

  /**
   * The same with another time: what the sentinel, timers and keep-alives go by.
   *
   * @param other the time, and how helper threads wait for it
   * @return a copy
   */
  public SchedulerTuning withClock(MonotonicClock other) {
    return new SchedulerTuning(
        dequeCapacity,
        segmentSize,
        injectorInterval,
        lifoBudget,
        searchRounds,
        spinNanos,
        jecBits,
        initialJec,
        initialIndex,
        slotTickNanos,
        stallTickNanos,
        parker,
        other,
        wakeRule,
        processors);
  }

  /**
   * The same with another rule of wakes.
   *
   * @param rule when a publish wakes a worker
   * @return a copy
   * @throws IllegalArgumentException if the rule needs a wider jobs event counter
   */
  public SchedulerTuning withWakeRule(WakeRule rule) {
    return new SchedulerTuning(
        dequeCapacity,
        segmentSize,
        injectorInterval,
        lifoBudget,
        searchRounds,
        spinNanos,
        jecBits,
        initialJec,
        initialIndex,
        slotTickNanos,
        stallTickNanos,
        parker,
        clock,
        rule,
        processors);
  }

  /**
   * The same with another number of processors.
   *
   * @param number how many workers are to be awake before what is published is left to them; 0: as
   *     many as the JVM says there are
   * @return a copy
   */
  public SchedulerTuning withProcessors(int number) {
    return new SchedulerTuning(
        dequeCapacity,
        segmentSize,
        injectorInterval,
        lifoBudget,
        searchRounds,
        spinNanos,
        jecBits,
        initialJec,
        initialIndex,
        slotTickNanos,
        stallTickNanos,
        parker,
        clock,
        wakeRule,
        number);
  }
}
