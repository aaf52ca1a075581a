package dev.catnap.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.agent.testing.AgentJvm;
import dev.catnap.agent.testing.AgentJvm.Result;
import dev.catnap.agent.testing.JarCopy;
import dev.catnap.agent.testing.Libraries;
import dev.catnap.agent.testing.Threads;
import dev.catnap.agent.testing.WhoRuns;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnNode;

/**
 * A library that the agent does not know is told of in one sentence, and runs coroutines as without
 * the agent.
 */
class CoroutinesStayTest {
  private static final String OPTION = "=virtual-threads,coroutines";
  private static final String SENTENCE =
      "catnap-agent: coroutines stay on the dispatchers of kotlinx.coroutines: ";
  private static final String VERSION = "META-INF/kotlinx_coroutines_core.version";

  @TempDir private Path folder;

  @Test
  void anOldVersion() throws Exception {
    assertStays(
        "its version is 1.6.4, and the agent knows 1.7 to 1.11",
        Libraries.coroutines(Libraries.TOO_OLD));
  }

  @Test
  void aNewVersion() throws Exception {
    assertStays(
        "its version is 1.12.0-RC, and the agent knows 1.7 to 1.11",
        changed(VERSION, content -> "1.12.0-RC".getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void noVersion() throws Exception {
    assertStays(
        "its version cannot be told, for there is no " + VERSION + " beside it",
        changed(VERSION, content -> null));
  }

  /** Its getter does something more. */
  @Test
  void anotherClass() throws Exception {
    assertStays(
        "the class Dispatchers is not one that the agent knows: "
            + "getDefault does more than to return a field",
        changed("kotlinx/coroutines/Dispatchers.class", CoroutinesStayTest::withAnotherGetter));
  }

  private static byte[] withAnotherGetter(byte[] content) {
    ClassNode type = new ClassNode();
    new ClassReader(content).accept(type, 0);
    type.methods.stream()
        .filter(method -> method.name.equals("getDefault"))
        .forEach(method -> method.instructions.insert(new InsnNode(Opcodes.NOP)));
    ClassWriter writer = new ClassWriter(0);
    type.accept(writer);
    return writer.toByteArray();
  }

  /** The library would fail by it too, once it is used. */
  @Test
  void aBadSetting() throws Exception {
    Result result =
        AgentJvm.run(
            OPTION, List.of("-Dkotlinx.coroutines.scheduler.core.pool.size=many"), Threads.class);
    assertEquals(0, result.exitCode());
    assertEquals(
        List.of(
            SENTENCE
                + "kotlinx.coroutines.scheduler.core.pool.size must be a number from 1 to 32767"
                + " and is \"many\""),
        result.err());
    assertTrue( // the sentinel may be there, too
        result.out().stream().anyMatch(line -> line.startsWith("catnap-virtual-worker-")),
        () -> "virtual threads do not stay: " + result);
  }

  /** By the command line and by an environment variable, for example. */
  @Test
  void theAgentGivenTwiceDoesNothingMore() throws Exception {
    String again = "-javaagent:" + System.getProperty("catnap.agent.jar") + "=off";
    assertEquals(
        new Result(
            0,
            CoroutinesOnCatnapTest.all("catnap-jvm-worker-N"),
            List.of("catnap-agent: the agent is given twice, and does what the first one says")),
        AgentJvm.run(OPTION, List.of(again), WhoRuns.class));
  }

  /** No class is there but those that read the option. */
  @Test
  void offLeavesNoTrace() throws Exception {
    Result result = AgentJvm.run("=off", List.of("-Xlog:class+load"), WhoRuns.class);
    assertEquals(List.of(), result.err());
    assertEquals(
        List.of("dev.catnap.agent.CatnapAgent", "dev.catnap.agent.AgentOptions"),
        result.out().stream()
            .filter(line -> line.contains("[class,load]") && line.contains(" dev.catnap."))
            .map(line -> line.replaceFirst(".* (dev[^ ]+) .*", "$1"))
            .filter(name -> !name.startsWith("dev.catnap.agent.testing."))
            .toList());
    assertEquals(
        own(), result.out().stream().filter(line -> !line.contains("[class,load]")).toList());
  }

  private void assertStays(String why, Path library) throws Exception {
    assertEquals(
        new Result(0, own(), List.of(SENTENCE + why)),
        AgentJvm.run(OPTION, List.of(), Libraries.classPath(library), WhoRuns.class));
  }

  /** What {@link WhoRuns} says without the agent. */
  private static List<String> own() {
    return CoroutinesOnCatnapTest.all("DefaultDispatcher-worker-N").stream()
        .map(line -> line.replace("[Catnap]", ""))
        .toList();
  }

  private Path changed(String entry, UnaryOperator<byte[]> change) throws Exception {
    return JarCopy.of(
        Libraries.coroutines("1.11.0"),
        folder.resolve("library.jar"),
        (name, content) -> name.equals(entry) ? change.apply(content) : content);
  }
}
