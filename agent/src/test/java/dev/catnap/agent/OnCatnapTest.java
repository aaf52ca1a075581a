package dev.catnap.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.agent.testing.AgentJvm;
import dev.catnap.agent.testing.AgentJvm.Result;
import dev.catnap.agent.testing.Monitoring;
import dev.catnap.agent.testing.Threads;
import dev.catnap.agent.testing.UsesThemBefore;
import dev.catnap.agent.testing.WhoCarries;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

/** Unchanged programs, whose virtual threads are on Catnap (G12). */
class OnCatnapTest {
  private static final String WORKER = "catnap-virtual-worker-N";

  private static final List<String> ALL_ON_CATNAP =
      List.of("builder: " + WORKER, "start: " + WORKER, "executor: " + WORKER, "child: " + WORKER);

  /** The beginning of what {@code ForkJoinPool.toString} says. */
  private static final Pattern AS_A_POOL_OF_THE_JDK =
      Pattern.compile(
          "[\\w.$]+@[0-9a-f]+\\[Running, parallelism = \\d+, size = \\d+, active = \\d+,"
              + " running = \\d+, steals = \\d+, tasks = \\d+, submissions = \\d+[],]");

  /** What makes a virtual thread is compiled at its first call, and inlined; nothing else is. */
  private static final List<String> COMPILED_AT_ONCE =
      List.of(
          "-Xcomp",
          "-XX:CompileCommand=quiet",
          "-XX:CompileCommand=compileonly,java.lang.VirtualThread::*",
          "-XX:CompileCommand=compileonly,java.lang.ThreadBuilders*::*");

  @Test
  void howeverAVirtualThreadIsMade() throws Exception {
    assertEquals(
        new Result(0, ALL_ON_CATNAP, List.of()), AgentJvm.run("", List.of(), WhoCarries.class));
  }

  /** The first virtual thread finds the new scheduler: compiled code has its value built in. */
  @Test
  void whereTheFirstCallIsCompiledAlready() throws Exception {
    assertEquals(
        new Result(0, ALL_ON_CATNAP, List.of()),
        AgentJvm.run("", COMPILED_AT_ONCE, WhoCarries.class));
  }

  /** What was compiled for it is dropped; its own virtual threads stay where they are. */
  @Test
  void whereAnotherAgentHasUsedThemBefore(@TempDir Path folder) throws Exception {
    Path other = UsesThemBefore.writeAgent(folder.resolve("other.jar"));
    List<String> expected = new ArrayList<>(ALL_ON_CATNAP);
    expected.add("early: ForkJoinPool-1-worker-N");
    assertEquals(
        new Result(0, expected, List.of()),
        AgentJvm.runAfter(other, COMPILED_AT_ONCE, UsesThemBefore.class));
  }

  @Test
  @EnabledForJreRange(
      min = JRE.JAVA_25,
      max = JRE.JAVA_25,
      disabledReason = "StructuredTaskScope is a preview, and another one in each JDK")
  void inAStructuredTaskScope() throws Exception {
    Result result =
        AgentJvm.run(
            "=virtual-threads", List.of("--enable-preview"), WhoCarries.class, "with scope");
    assertEquals(List.of(), result.err());
    assertEquals("scope: " + WORKER, result.out().get(4));
  }

  @Test
  void theThreadsOfCatnapAreDaemons() throws Exception {
    Result result = AgentJvm.run("", List.of(), Threads.class);
    assertEquals(0, result.exitCode());
    assertTrue(result.out().size() > 1, result::toString);
    assertTrue(
        result.out().stream().noneMatch(line -> line.endsWith("NO DAEMON")), result::toString);
  }

  @Test
  @EnabledForJreRange(
      min = JRE.JAVA_25,
      disabledReason = "there is no VirtualThreadSchedulerMXBean before JDK 24")
  void monitoringShowsItWithTheParallelismThatWasAskedFor() throws Exception {
    Result result =
        AgentJvm.run("", List.of("-Djdk.virtualThreadScheduler.parallelism=3"), Monitoring.class);
    assertEquals(List.of(), result.err());
    assertEquals(
        List.of(
            "parallelism 3",
            "enough threads true",
            "one mounted true",
            "queued 0",
            "changed to 5",
            "parallelism must be 1 to maxThreads 256: 100000"),
        result.out().subList(0, 6));
    String last = result.out().get(result.out().size() - 1);
    assertTrue(AS_A_POOL_OF_THE_JDK.matcher(last).lookingAt(), last);
    assertTrue(last.contains("catnap-virtual") && last.contains("parallelism = 5"), last);
  }

  @Test
  @EnabledForJreRange(
      min = JRE.JAVA_25,
      disabledReason = "there is no VirtualThreadSchedulerMXBean before JDK 24")
  void theMaximumOfThreadsLimitsTheParallelismAsInTheJdk() throws Exception {
    Result result =
        AgentJvm.run(
            "",
            List.of(
                "-Djdk.virtualThreadScheduler.parallelism=8",
                "-Djdk.virtualThreadScheduler.maxPoolSize=3"),
            Monitoring.class);
    assertEquals("parallelism 3", result.out().get(0));
  }

  /** More threads than a pool can have are as many as it can have, as in the JDK. */
  @Test
  void aMaximumAboveTheLargestIsTheLargest() throws Exception {
    assertEquals(
        new Result(0, ALL_ON_CATNAP, List.of()),
        AgentJvm.run(
            "", List.of("-Djdk.virtualThreadScheduler.maxPoolSize=100000"), WhoCarries.class));
  }
}
