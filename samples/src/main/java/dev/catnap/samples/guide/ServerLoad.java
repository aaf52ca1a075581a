package dev.catnap.samples.guide;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;

/**
 * A server in one process: connections whose requests take three steps each (read, handle, answer),
 * each a task of its own with some work. A step is published by the step before it. Each run checks
 * that every request was answered once, and that the work was done: by the sum of its results.
 */
final class ServerLoad {
  static final int STEPS = 3;

  /** One connection in so many is heavy under uneven load. */
  static final int ONE_IN = 16;

  private static final long LONGEST_WAIT_SECONDS = 60;

  private final Executor steps;
  private final IntFunction<Executor> homeOf;
  private final int[] unitsOf;
  private final long[] resultOf;

  /**
   * A load.
   *
   * @param steps runs what a step publishes
   * @param homeOf runs the first step of the requests of a connection
   * @param unitsOf units of work per step, for each connection
   */
  ServerLoad(Executor steps, IntFunction<Executor> homeOf, int[] unitsOf) {
    this.steps = steps;
    this.homeOf = homeOf;
    this.unitsOf = unitsOf;
    resultOf = new long[unitsOf.length];
    for (int c = 0; c < resultOf.length; c++) {
      resultOf[c] = c;
      for (int s = 0; s < STEPS; s++) {
        resultOf[c] = Work.of(unitsOf[c], resultOf[c]);
      }
    }
  }

  /** Even: all connections alike. */
  static int[] even(int connections, int units) {
    int[] all = new int[connections];
    Arrays.fill(all, units);
    return all;
  }

  /**
   * Uneven: the same work in all if units are a multiple of 15 and connections of 16, three
   * quarters of it in one of sixteen connections; by chance in which.
   */
  static int[] uneven(int connections, int units, long seed) {
    int[] all = even(connections, units * 4 / 15);
    int[] shuffled = shuffled(connections, new SplittableRandom(seed));
    for (int i = 0; i < connections / ONE_IN; i++) {
      all[shuffled[i]] = 12 * units;
    }
    return all;
  }

  private static int[] shuffled(int n, SplittableRandom random) {
    int[] all = new int[n];
    for (int i = 0; i < n; i++) {
      int j = random.nextInt(i + 1);
      all[i] = all[j];
      all[j] = i;
    }
    return all;
  }

  /** When requests are due, and of which connections. */
  static final class Schedule {
    private final long[] dueNanos;
    private final int[] connections;

    private Schedule(long[] dueNanos, int[] connections) {
      this.dueNanos = dueNanos;
      this.connections = connections;
    }

    /**
     * At random, as those of many clients that know nothing of each other; each connection as often
     * as any other.
     */
    static Schedule of(int connections, double perSecond, double seconds, long seed) {
      SplittableRandom random = new SplittableRandom(seed);
      int turns = (int) Math.max(1, Math.round(perSecond * seconds / connections));
      long[] due = new long[turns * connections];
      int[] of = new int[due.length];
      double at = 0;
      for (int r = 0; r < due.length; r++) {
        at -= Math.log(1 - random.nextDouble()) * 1e9 / perSecond;
        due[r] = (long) at;
      }
      for (int t = 0; t < turns; t++) {
        System.arraycopy(shuffled(connections, random), 0, of, t * connections, connections);
      }
      return new Schedule(due, of);
    }

    int requests() {
      return dueNanos.length;
    }

    int connection(int request) {
      return connections[request];
    }
  }

  /** What was seen of each request of a schedule. */
  static final class Served {
    /** From the time at which it was due to its answer. */
    final long[] tookNanos;

    /** From the time at which it was due to when it was sent: no answer can be faster. */
    final long[] lateNanos;

    /** What its steps took, by the unit of work. */
    final double[] unitNanos;

    private Served(int requests) {
      tookNanos = new long[requests];
      lateNanos = new long[requests];
      unitNanos = new double[requests];
    }
  }

  /** One step after the other; {@code answered} after the last. */
  private final class Request implements Runnable {
    private final int connection;
    private final Answered answered;
    private int step;
    private long result;
    private long nanos;

    Request(int connection, Answered answered) {
      this.connection = connection;
      this.answered = answered;
      result = connection;
    }

    @Override
    public void run() {
      long start = System.nanoTime();
      result = Work.of(unitsOf[connection], result);
      long end = System.nanoTime();
      nanos += end - start;
      if (++step < STEPS) {
        steps.execute(this);
      } else {
        answered.run(result, end, nanos);
      }
    }
  }

  @FunctionalInterface
  private interface Answered {
    void run(long result, long at, long nanosOfSteps);
  }

  private void send(int connection, Answered answered) {
    homeOf.apply(connection).execute(new Request(connection, answered));
  }

  /**
   * A list of requests: so many of each connection, which sends the next when it has its answer.
   *
   * @return nanoseconds until the last was answered
   */
  long finish(int ofEach) {
    Check check = new Check();
    long start = System.nanoTime();
    for (int c = 0; c < unitsOf.length; c++) {
      int connection = c;
      send(
          connection,
          new Answered() {
            private int answers;

            @Override
            public void run(long result, long at, long nanosOfSteps) {
              if (++answers < ofEach) {
                send(connection, this);
              }
              check.answered(result);
            }
          });
    }
    check.await(ofEach * unitsOf.length, ofEach * Arrays.stream(resultOf).sum());
    return System.nanoTime() - start;
  }

  /** Requests at their times, whether answers come or not. */
  Served serve(Schedule schedule) {
    int requests = schedule.requests();
    Served served = new Served(requests);
    Check check = new Check();
    long sum = 0;
    long start = System.nanoTime();
    for (int i = 0; i < requests; i++) {
      int r = i;
      int connection = schedule.connections[r];
      sum += resultOf[connection];
      long due = start + schedule.dueNanos[r];
      long now = System.nanoTime();
      for (; now < due; now = System.nanoTime()) {
        LockSupport.parkNanos(due - now);
      }
      served.lateNanos[r] = now - due;
      send(
          connection,
          (result, at, nanosOfSteps) -> {
            served.tookNanos[r] = at - due;
            served.unitNanos[r] = (double) nanosOfSteps / STEPS / unitsOf[connection];
            check.answered(result);
          });
    }
    check.await(requests, sum);
    return served;
  }

  /** That all requests were answered once and right. */
  private static final class Check {
    private final Semaphore answers = new Semaphore(0);
    private final LongAdder sum = new LongAdder();

    void answered(long result) {
      sum.add(result);
      answers.release();
    }

    void await(int requests, long expectedSum) {
      boolean all;
      try {
        all = answers.tryAcquire(requests, LONGEST_WAIT_SECONDS, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        throw new IllegalStateException("interrupted while requests were answered", e);
      }
      if (!all || answers.availablePermits() != 0) {
        throw new IllegalStateException(
            (all ? requests : 0)
                + answers.availablePermits()
                + " answers to "
                + requests
                + " requests");
      }
      if (sum.sum() != expectedSum) {
        throw new IllegalStateException(requests + " answers, but not all are right");
      }
    }
  }
}
