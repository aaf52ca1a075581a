package dev.catnap.benchmarks.runner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.benchmarks.peers.CoroutinePeer;
import dev.catnap.benchmarks.plan.Case;
import dev.catnap.benchmarks.plan.Lineup;
import dev.catnap.benchmarks.plan.Metric;
import dev.catnap.benchmarks.rows.C4Yields;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.RunnerException;

/** In a JVM of its own, whose start is most of the time. */
class SharedJvmsTest {
  private static final int WORKERS = 3;

  @TempDir private Path folder;

  /** Default checks in that JVM that it has as many workers. */
  @Test
  void run_afterFailure_nextOneStillRuns() throws RunnerException {
    try (Forks forks = new SharedJvms(folder.resolve("run.log"))) {
      Case broken = yields("noSuchMethod");
      assertThrows(RunnerException.class, () -> forks.run(broken, CoroutinePeer.DEFAULT, WORKERS));
      RunResult result = forks.run(yields("loops"), CoroutinePeer.DEFAULT, WORKERS);
      assertEquals("DEFAULT", result.getParams().getParam("scheduler"));
      assertTrue(Fork.of(result).figure(Metric.TIME) > 0);
    }
  }

  private static Case yields(String method) {
    return new Case(
        "yields",
        C4Yields.class,
        method,
        Map.of(),
        new Lineup(CoroutinePeer.CATNAP, List.of(CoroutinePeer.DEFAULT), null),
        Metric.TIMES,
        List.of());
  }
}
