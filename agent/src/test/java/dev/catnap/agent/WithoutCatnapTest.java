package dev.catnap.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.agent.testing.AgentJvm;
import dev.catnap.agent.testing.AgentJvm.Result;
import dev.catnap.agent.testing.Threads;
import dev.catnap.agent.testing.WhoCarries;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What cannot be had is said in one sentence, and the program runs as without the agent. */
class WithoutCatnapTest {

  @Test
  void offLeavesNoTrace() throws Exception {
    assertEquals(
        new Result(0, List.of("main ran"), List.of()),
        AgentJvm.run("=off", List.of(), Threads.class));
  }

  @ParameterizedTest
  @ValueSource(strings = {"=coroutines,coroutines", "=virtual-threads,fast", "=,"})
  void aBadOptionIsRefused(String options) throws Exception {
    Result result = AgentJvm.run(options, List.of(), Threads.class);
    assertEquals(List.of("main ran"), result.out());
    assertSaid("catnap-agent: nothing is changed, because ", result);
  }

  /** The last one is read by the JDK only. */
  @ParameterizedTest
  @ValueSource(strings = {"parallelism", "maxPoolSize", "minRunnable"})
  void aBadSettingIsRefused(String name) throws Exception {
    Result result =
        AgentJvm.run("", List.of("-Djdk.virtualThreadScheduler." + name + "=many"), Threads.class);
    assertEquals(List.of("main ran"), result.out());
    assertStays("many", result);
  }

  /** The JDK refuses it as well, at the first virtual thread. */
  @Test
  void moreWorkersThanThereCanBeAreRefused() throws Exception {
    Result result =
        AgentJvm.run("", List.of("-Djdk.virtualThreadScheduler.parallelism=40000"), Threads.class);
    assertEquals(List.of("main ran"), result.out());
    assertStays(
        "jdk.virtualThreadScheduler.parallelism must be at most 32767 and is 40000", result);
  }

  @Test
  void aJvmWithoutContinuations() throws Exception {
    Result result =
        AgentJvm.run(
            "", List.of("-XX:+UnlockExperimentalVMOptions", "-XX:-VMContinuations"), Threads.class);
    assertEquals(List.of("main ran"), result.out());
    assertStays("on JDK " + Runtime.version(), result);
  }

  /** Its VirtualThread, with the field under another name. */
  @Test
  void aJdkThatIsBuiltOtherwise(@TempDir Path patch) throws Exception {
    Path file = patch.resolve("java/lang/VirtualThread.class");
    Files.createDirectories(file.getParent());
    Files.write(file, renamed("DEFAULT_SCHEDULER", "RENAMED_SCHEDULER"));
    Result result =
        AgentJvm.run("", List.of("--patch-module", "java.base=" + patch), WhoCarries.class);
    assertEquals("builder: ForkJoinPool-1-worker-N", result.out().get(0));
    assertStays("it lacks the field java.lang.VirtualThread.DEFAULT_SCHEDULER", result);
  }

  /** Names of one length: the constant in the class file is replaced in its place. */
  private static byte[] renamed(String from, String to) throws Exception {
    try (InputStream in = Object.class.getResourceAsStream("/java/lang/VirtualThread.class")) {
      String code = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
      assertTrue(code.contains(from) && from.length() == to.length());
      return code.replace(from, to).getBytes(StandardCharsets.ISO_8859_1);
    }
  }

  private static void assertStays(String why, Result result) {
    assertSaid("catnap-agent: virtual threads stay on the JDK's scheduler: ", result);
    assertTrue(result.err().get(0).contains(why), result::toString);
  }

  private static void assertSaid(String beginning, Result result) {
    assertEquals(0, result.exitCode());
    assertEquals(1, result.err().size(), result::toString);
    assertTrue(result.err().get(0).startsWith(beginning), result::toString);
  }
}
