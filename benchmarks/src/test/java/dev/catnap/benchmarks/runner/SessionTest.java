package dev.catnap.benchmarks.runner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.benchmarks.plan.Case;
import dev.catnap.benchmarks.plan.Family;
import dev.catnap.benchmarks.plan.Row;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.runner.RunnerException;

class SessionTest {
  private static final Case PROGRAM =
      SampleCase.measured(new double[] {1}, new double[] {1}).program();

  private final List<String> order = new ArrayList<>();
  private final ByteArrayOutputStream tables = new ByteArrayOutputStream();
  private final ByteArrayOutputStream progress = new ByteArrayOutputStream();

  @Test
  void run_forksInTurn_andGoesOnAfterFailures() {
    Row row = new Row("X1", "a row", Family.COROUTINES, List.of(PROGRAM));
    Session session =
        new Session(
            new Settings(List.of(row), List.of(2, 8), false, 3, null, null, false, List.of(), null),
            (program, peer, workers) -> {
              order.add(peer.label() + workers);
              throw new RunnerException(new IllegalStateException("part 3 of 9 is 7, not 8"));
            },
            new NativePrograms(Map.of(), Pace.SHORT, Path.of("run.log")),
            new PrintStream(tables, true, StandardCharsets.UTF_8),
            new PrintStream(progress, true, StandardCharsets.UTF_8));
    session.run();

    List<String> turn2 = List.of("catnap2", "default2", "unconfined2");
    List<String> turn8 = List.of("catnap8", "default8"); // of what scales
    List<String> expected = new ArrayList<>();
    List.of(turn2, turn2, turn2, turn8, turn8, turn8).forEach(expected::addAll);
    assertEquals(expected, order);
    assertEquals(expected.size(), session.failed());
    String lines = progress.toString(StandardCharsets.UTF_8);
    assertTrue(lines.contains("[15/15] X1 made up, 8 workers, fork 3, default: FAILED"), lines);
    assertTrue(lines.contains("part 3 of 9 is 7, not 8"), lines);
    assertTrue(tables.toString(StandardCharsets.UTF_8).contains("not compared: forks failed"));
  }

  @Test
  void run_againstAnotherBuild_theTwoAlone() {
    Row row = new Row("X1", "a row", Family.COROUTINES, List.of(PROGRAM));
    Session session =
        new Session(
            new Settings(
                List.of(row),
                List.of(2, 8),
                false,
                3,
                null,
                null,
                false,
                List.of(),
                Path.of("old")),
            (program, peer, workers) -> {
              order.add(peer.label() + ", " + workers);
              throw new RunnerException("not run");
            },
            new NativePrograms(Map.of(), Pace.SHORT, Path.of("run.log")),
            new PrintStream(tables, true, StandardCharsets.UTF_8),
            new PrintStream(progress, true, StandardCharsets.UTF_8));
    session.run();

    List<String> expected = new ArrayList<>();
    for (int workers : new int[] {2, 8}) {
      for (int fork = 0; fork < 3; fork++) {
        expected.add("catnap, " + workers);
        expected.add("catnap of old, " + workers);
      }
    }
    assertEquals(expected, order);
  }
}
