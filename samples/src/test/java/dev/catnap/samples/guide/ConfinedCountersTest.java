package dev.catnap.samples.guide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.samples.Printed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the guide shows is what the program prints. */
@Timeout(60)
class ConfinedCountersTest {
  private static final Path MODULE = Path.of(System.getProperty("basedir", ""));

  @Test
  void countsEveryWordWithoutALock() throws Exception {
    assertEquals(
        List.of("{park=1000, sleep=3000, steal=1000, wake=2000}"),
        Printed.by(ConfinedCounters::main));
  }

  @Test
  void coroutinesStayOnTheirWorker() throws Exception {
    assertEquals(
        List.of("1000 coroutines counted on 1 thread"),
        Printed.by(args -> ConfinedCoroutinesKt.main()));
  }

  @Test
  void theGuideShowsTheCoroutinesWithoutTheirPackageLine() throws IOException {
    String source =
        Files.readString(
            MODULE.resolve("src/main/kotlin/dev/catnap/samples/guide/ConfinedCoroutines.kt"));
    String shown = source.substring(source.indexOf("\n\n") + 2);
    String guide = Files.readString(MODULE.resolve("../docs/guide/confined.md"));
    assertTrue(guide.contains("\n" + shown + "```"), () -> "not in confined.md:\n" + shown);
  }
}
