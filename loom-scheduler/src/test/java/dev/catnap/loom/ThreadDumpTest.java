package dev.catnap.loom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.loom.testing.ForkedJvm;
import dev.catnap.loom.testing.Side;
import dev.catnap.loom.testing.ThreadDumpProbe;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * G12, F25: {@code jcmd Thread.dump_to_file} has the virtual threads of a pool as it has those of
 * the JDK's scheduler, and they go on afterwards.
 */
class ThreadDumpTest {
  private static final String SIDES = "dev.catnap.loom.testing.Side#available";
  private static final String PARKS = "dev.catnap.loom.testing.ThreadDumpProbe.parkUntil";

  @ParameterizedTest
  @MethodSource(SIDES)
  void asText(Side side, @TempDir Path folder) throws Exception {
    String dump = dumpWhileThreadsLive(side, folder.resolve("threads.txt"), "plain");
    assertTrue(dump.matches("(?s).*\n#[0-9]+ \"parks\" virtual.*"), dump);
    assertTrue(dump.matches("(?s).*\n#[0-9]+ \"computes\" virtual.*"), dump);
    assertTrue(dump.contains(PARKS), dump);
  }

  @ParameterizedTest
  @MethodSource(SIDES)
  void asJson(Side side, @TempDir Path folder) throws Exception {
    String dump = dumpWhileThreadsLive(side, folder.resolve("threads.json"), "json");
    assertTrue(dump.contains("\"name\": \"parks\""), dump);
    assertTrue(dump.contains("\"name\": \"computes\""), dump);
    assertTrue(dump.contains(PARKS), dump);
  }

  private static String dumpWhileThreadsLive(Side side, Path file, String format) throws Exception {
    List<String> said =
        ForkedJvm.run(
            ForkedJvm.onClassPath(
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED"),
            ThreadDumpProbe.class,
            side.name(),
            format,
            file.toString());
    String whole = String.join("\n", said);
    assertTrue(Files.exists(file), whole);
    assertEquals("they go on", said.get(said.size() - 1), whole);
    return Files.readString(file);
  }
}
