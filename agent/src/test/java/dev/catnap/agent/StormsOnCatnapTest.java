package dev.catnap.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.catnap.agent.testing.AgentJvm;
import dev.catnap.agent.testing.AgentJvm.Result;
import dev.catnap.loom.programs.DeepUnparks;
import dev.catnap.loom.programs.PinnedService;
import dev.catnap.loom.programs.Storms;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * G1, G2, G7, G9, G11, G12: unchanged programs give the same account with and without the agent,
 * and their JVM ends, since a thread that stays would be waited for.
 */
class StormsOnCatnapTest {
  /** For the JVM of the storms: that of this one. */
  static final String SCALE = "-Dcatnap.stress.scale=" + Storms.SCALE;

  /** What it must print. */
  static List<String> accounts() {
    return Storms.all().entrySet().stream()
        .map(s -> s.getKey() + ": " + s.getValue().expected())
        .toList();
  }

  @Tag("long")
  @Test
  void everyStormAccountsForEachThread_on8() throws Exception {
    everyStormAccountsForEachThread(8);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void everyStormAccountsForEachThread(int carriers) throws Exception {
    Result expected = new Result(0, accounts(), List.of());
    List<String> options = List.of(parallelism(carriers), SCALE);
    assertEquals(expected, AgentJvm.run("=off", options, Storms.class), "JDK");
    assertEquals(expected, AgentJvm.run("", options, Storms.class), "Catnap");
  }

  /** On JDK 21 it is stuck without the agent: {@code PinnedCarriersTest} of the pool. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8})
  void aServiceWhoseCarriersAreAllPinnedAnswers(int carriers) throws Exception {
    Result result = AgentJvm.run("", List.of(parallelism(carriers)), PinnedService.class, "60");
    int requests = 2 * carriers;
    assertEquals(
        new Result(0, List.of("answered " + requests + " of " + requests), List.of()), result);
  }

  /** The pool that has no room for one more gives it to the JDK's scheduler, not to itself. */
  @Test
  void whoIsUnparkedAtTheEndOfAStackGoesOn() throws Exception {
    Result result = AgentJvm.run("", List.of(parallelism(2)), DeepUnparks.class, "60");
    assertEquals(new Result(0, List.of("went on"), List.of()), result);
  }

  private static String parallelism(int carriers) {
    return "-Djdk.virtualThreadScheduler.parallelism=" + carriers;
  }
}
