package dev.catnap.benchmarks.runner;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.catnap.benchmarks.peers.CoroutinePeer;
import dev.catnap.benchmarks.plan.Family;
import dev.catnap.benchmarks.plan.Metric;
import dev.catnap.benchmarks.plan.Row;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ScalingTest {
  private static final Row ROW = new Row("X1", "a row", Family.COROUTINES, List.of());

  private final Measured two = SampleCase.measured(new double[] {10}, new double[] {20});

  @Test
  void summary_worstCaseAndLead() {
    assertEquals(
        """
          with more workers                                                                   [95%]  target
          the worst of C rows (1 run), 64 workers, time: catnap / catnap with 2  1.10  [1.10..1.10]  <= 1.2     met
          the worst of C rows (1 run), 64 workers, CPU: catnap / catnap with 2   2.00  [2.00..2.00]  <= 1.2  missed
          geometric mean of C rows (1 run), 64 workers, time: default / catnap   20.0  [20.0..20.0]   >= 10     met
        """,
        Report.of(Scaling.HEADING, new Scaling(new Judge(true)).summary(outcomes(11, 40, 220))));
  }

  @Test
  void cases_oneNumberOfWorkers_nothing() {
    assertEquals(List.of(), new Scaling(new Judge(true)).cases(List.of(new Outcome(ROW, two))));
  }

  private List<Outcome> outcomes(double time, double cpu, double theirs) {
    Measured many = new Measured(two.program(), 64, 1);
    many.add(CoroutinePeer.CATNAP, new Fork(Map.of(Metric.TIME, time, Metric.CPU, cpu)));
    many.add(CoroutinePeer.DEFAULT, new Fork(Map.of(Metric.TIME, theirs, Metric.CPU, theirs)));
    many.add(CoroutinePeer.UNCONFINED, new Fork(Map.of(Metric.TIME, 5.0, Metric.CPU, 5.0)));
    return List.of(new Outcome(ROW, two), new Outcome(ROW, many));
  }
}
