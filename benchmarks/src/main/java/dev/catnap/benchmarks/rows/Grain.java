package dev.catnap.benchmarks.rows;

import dev.catnap.benchmarks.plan.Case;
import dev.catnap.benchmarks.plan.Lineup;
import dev.catnap.benchmarks.plan.Metric;
import dev.catnap.benchmarks.plan.Ratio;
import dev.catnap.benchmarks.plan.Scale;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** How long the pieces are, in the rows in which each piece is worth a core of its own. */
final class Grain {
  /** Microseconds; from where a wake just pays to where any scheduler notices. */
  private static final List<Integer> PIPELINE = List.of(20, 50, 100, 200, 400);

  /** Microseconds. */
  private static final List<Integer> BESIDE = List.of(50, 200);

  /** Of an operation, which is long beside entering and leaving the pool. */
  private static final int MICROS_OF_EACH_STAGE = 10_000;

  /**
   * At 2,500 pieces a second the compilers are busy for more than five seconds, on a core that the
   * stages would need. So they see short ones first, which take the same ways.
   */
  private static final Duration WARM_UP = Duration.ofMillis(Scale.of(4_000));

  private static final int WARM_UP_MICROS = PIPELINE.get(0);

  /** A program of so many pieces that take so long. */
  @FunctionalInterface
  interface Program {
    long run(int items, int micros) throws InterruptedException;
  }

  private Grain() {}

  /** Runs them in turn, of short pieces. */
  static void warmUp(Program first, Program second) throws InterruptedException {
    int items = MICROS_OF_EACH_STAGE / WARM_UP_MICROS;
    for (long end = System.nanoTime() + WARM_UP.toNanos(); System.nanoTime() - end < 0; ) {
      long ignored = first.run(items, WARM_UP_MICROS) + second.run(items, WARM_UP_MICROS);
    }
  }

  /**
   * Two stages, by a method {@code pipeline}; and what is started beside its starter's own work.
   *
   * @param method starts it, and computes on
   */
  static List<Case> cases(Class<?> benchmark, Lineup lineup, String beside, String method) {
    List<Case> cases = new ArrayList<>();
    PIPELINE.forEach(
        micros -> cases.add(program("two stages", benchmark, "pipeline", micros, lineup)));
    BESIDE.forEach(micros -> cases.add(program(beside, benchmark, method, micros, lineup)));
    return List.copyOf(cases);
  }

  private static Case program(
      String name, Class<?> benchmark, String method, int micros, Lineup lineup) {
    return new Case(
        name + ", " + micros + " us",
        benchmark,
        method,
        Map.of(
            "micros", String.valueOf(micros),
            "items", String.valueOf(MICROS_OF_EACH_STAGE / micros)),
        lineup,
        Metric.TIMES,
        List.of(Ratio.bestPeer(Metric.TIME).atLeast(1), Ratio.bestPeer(Metric.CPU).atLeast(1)));
  }
}
