package dev.catnap.benchmarks.workloads;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;

/**
 * Computing, in steps that depend on each other. Not until a clock says so: a thread that is
 * preempted meanwhile has not worked.
 */
public final class Work {
  /** A shift, an exclusive or and a multiplication take five cycles, of some 3 GHz. */
  private static final int STEPS_PER_MICROSECOND = 600;

  /** What the workloads must yield; each is computed once in a JVM, while that warms up. */
  private static final ConcurrentMap<Expected, Long> EXPECTED = new ConcurrentHashMap<>();

  private record Expected(Shape shape, int items, int micros) {}

  private enum Shape {
    BOTH_STAGES,
    BOTH_HALVES,
    ONE_AFTER_THE_OTHER
  }

  private Work() {}

  /**
   * Steps of a mixing function. Without the exclusive or the compiler would make one of many.
   *
   * @param seed where to begin
   * @param micros about so many microseconds
   * @return where that led
   */
  public static long compute(long seed, int micros) {
    long x = seed;
    for (int i = micros * STEPS_PER_MICROSECOND; i > 0; i--) {
      x = (x ^ x >>> 29) * 0xbf58476d1ce4e5b9L + 1;
    }
    return x;
  }

  /** The sum of what comes out of two stages into which the numbers from 0 on go. */
  static long bothStages(int items, int micros) {
    return expected(
        new Expected(Shape.BOTH_STAGES, items, micros), i -> compute(compute(i, micros), micros));
  }

  /** The sum of what each of these numbers and its negative lead to. */
  static long bothHalves(int items, int micros) {
    return expected(
        new Expected(Shape.BOTH_HALVES, items, micros),
        i -> compute(i, micros) + compute(-i, micros));
  }

  /** The sum of what each of these numbers leads to. */
  static long oneAfterTheOther(int items, int micros) {
    return expected(
        new Expected(Shape.ONE_AFTER_THE_OTHER, items, micros), i -> compute(i, micros));
  }

  private static long expected(Expected of, LongUnaryOperator each) {
    return EXPECTED.computeIfAbsent(of, key -> LongStream.range(0, key.items()).map(each).sum());
  }
}
