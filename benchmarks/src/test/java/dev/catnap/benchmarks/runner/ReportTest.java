package dev.catnap.benchmarks.runner;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.catnap.benchmarks.plan.Family;
import dev.catnap.benchmarks.plan.Row;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReportTest {
  private static final Row ROW = new Row("X1", "a row", Family.COROUTINES, List.of());
  private static final Judge JUDGE = new Judge(true);
  private static final Report REPORT = new Report(JUDGE);

  @Test
  void of_allForks_figuresAndVerdicts() {
    Measured measured = SampleCase.measured(new double[] {9, 10, 11}, new double[] {14, 15, 15});
    assertEquals(
        """
        X1  a row: made up; 2 workers
          per operation       time us       [range]  over floor
          catnap                 10.0  [9.00..11.0]        5.00
          default                15.0  [14.0..15.0]        10.0
          unconfined (floor)     5.00  [5.00..5.00]

          ratio of medians                                 [95%]  target
          time: best peer (default) / catnap  1.50  [1.27..1.67]  >= 1.3  met?
          time over floor: catnap / default   0.50  [0.40..0.67]  <= 0.5  met?
        """,
        REPORT.of(new Outcome(ROW, measured)));
  }

  @Test
  void of_failedFork_notCompared() {
    Measured measured = SampleCase.measured(new double[] {10}, new double[] {15});
    assertEquals(
        """
        X1  a row: made up; 2 workers
          per operation       time us  [range]  over floor
          catnap                    -   [-..-]           -
          default                   -   [-..-]           -
          unconfined (floor)        -   [-..-]
          not compared: forks failed
        """,
        REPORT.of(new Outcome(ROW, new Measured(measured.program(), 2, 1))));
  }

  @Test
  void families_ratiosToTheFamilysPeer() {
    List<Outcome> outcomes =
        List.of(
            new Outcome(ROW, SampleCase.measured(new double[] {10}, new double[] {20})),
            new Outcome(ROW, SampleCase.measured(new double[] {10}, new double[] {5})));
    assertEquals(
        """
          over all cases that were run                                                      [95%]   target
          geometric mean of C rows (2 run), 2 workers, time: default / catnap  1.00  [1.00..1.00]  >= 1.35  missed
          geometric mean of C rows (2 run), 2 workers, CPU: default / catnap   1.00  [1.00..1.00]   >= 1.5  missed
        """,
        Report.of(Families.HEADING, new Families(JUDGE).of(outcomes)));
  }
}
