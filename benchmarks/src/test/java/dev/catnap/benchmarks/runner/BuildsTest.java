package dev.catnap.benchmarks.runner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.benchmarks.peers.OtherBuild;
import dev.catnap.benchmarks.peers.Peer;
import dev.catnap.benchmarks.peers.TaskPeer;
import dev.catnap.benchmarks.plan.Case;
import dev.catnap.benchmarks.plan.Family;
import dev.catnap.benchmarks.plan.Metric;
import dev.catnap.benchmarks.plan.Row;
import dev.catnap.benchmarks.rows.Rows;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.TimeValue;

class BuildsTest {
  private static final Pace ONCE = new Pace(0, 1, TimeValue.milliseconds(1), 1, 0);

  private static Outcome twiceAndThrice() {
    Case program = SampleCase.measured(new double[] {1}, new double[] {1}).program();
    Peer subject = program.lineup().subject();
    OtherBuild other = new OtherBuild(subject, Path.of("folder", "old"));
    Measured measured = new Measured(program, 2, 3, List.of(subject, other));
    for (int i = 0; i < 3; i++) {
      measured.add(subject, new Fork(Map.of(Metric.TIME, 10.0, Metric.CPU, 10.0)));
      measured.add(other, new Fork(Map.of(Metric.TIME, 20.0, Metric.CPU, 30.0)));
    }
    return new Outcome(new Row("X1", "a row", Family.COROUTINES, List.of(program)), measured);
  }

  @Test
  void anotherBuild_isComparedInTimeAndCpu_withoutTargetsOrPeers() {
    List<Claim> claims = new Judge(true).of(twiceAndThrice());
    assertEquals(
        List.of("time: catnap of old / catnap", "CPU: catnap of old / catnap"),
        claims.stream().map(Claim::what).toList());
    assertEquals(List.of(2.0, 3.0), claims.stream().map(Claim::value).toList());
    assertTrue(claims.stream().allMatch(claim -> claim.limit() == null), claims::toString);
  }

  @Test
  void anotherBuild_theMeanOverCases() {
    List<Claim> claims = new Builds(new Judge(true)).of(List.of(twiceAndThrice()));
    assertEquals(2, claims.size());
    assertEquals(2.0, claims.get(0).value(), 1e-9);
    assertEquals(3.0, claims.get(1).value(), 1e-9);
  }

  @Test
  void anotherBuild_itsClassesComeFirst(@TempDir Path checkout) throws IOException {
    for (String module : List.of("core", "dispatcher", "loom-scheduler")) {
      Files.createDirectories(checkout.resolve(module + "/target/classes/dev/catnap"));
    }
    Path broken = checkout.resolve("core/target/classes/dev/catnap/WorkStealingScheduler.class");
    Files.write(broken, new byte[] {0});
    Case program =
        Rows.ALL.stream()
            .flatMap(row -> row.cases().stream())
            .filter(c -> c.lineup().subject().equals(TaskPeer.CATNAP_JOIN))
            .findFirst()
            .orElseThrow();
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    ForkRunner forks = new ForkRunner(ONCE, new PrintStream(log, true, StandardCharsets.UTF_8));
    Peer other = new OtherBuild(TaskPeer.CATNAP_JOIN, checkout);
    assertThrows(RunnerException.class, () -> forks.run(program, other, 2));
    String said = log.toString(StandardCharsets.UTF_8);
    assertTrue(said.contains("ClassFormatError"), said);
  }
}
