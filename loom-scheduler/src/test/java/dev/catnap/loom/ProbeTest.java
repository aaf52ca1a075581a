package dev.catnap.loom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.WorkStealingScheduler;
import dev.catnap.loom.testing.ForkedJvm;
import dev.catnap.loom.testing.ProbeMain;
import java.io.File;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the JVM does not allow is said in one sentence, which names the option. */
class ProbeTest {
  private static final String OPENS = "--add-opens=java.base/java.lang=";
  private static final String EXPORTS = "--add-exports=java.base/jdk.internal.misc=";

  @Test
  void withoutAnyOption() throws Exception {
    List<String> said = ForkedJvm.run(ForkedJvm.onClassPath(), ProbeMain.class);
    String sentence =
        "java.lang.IllegalStateException: Catnap cannot choose the scheduler of virtual threads"
            + " unless the JVM is started with --add-opens java.base/java.lang=ALL-UNNAMED";
    assertEquals(
        List.of(
            "create: " + sentence,
            "carriers: " + sentence,
            "common: " + sentence,
            "common again: " + sentence,
            "scheduler: runs",
            "module: null"),
        said);
  }

  @Test
  void withTheExportAloneTheOtherOptionIsNamed() throws Exception {
    List<String> said =
        ForkedJvm.run(ForkedJvm.onClassPath(EXPORTS + "ALL-UNNAMED"), ProbeMain.class);
    assertTrue(said.get(0).contains("--add-opens java.base/java.lang=ALL-UNNAMED"), said::toString);
  }

  @Test
  void withTheOpensAloneThereArePlatformThreads() throws Exception {
    List<String> said =
        ForkedJvm.run(ForkedJvm.onClassPath(OPENS + "ALL-UNNAMED"), ProbeMain.class);
    assertEquals(
        List.of(
            "create: PLATFORM_THREADS",
            "carriers: java.lang.IllegalStateException: Catnap cannot make carrier threads unless"
                + " the JVM is started with --add-exports java.base/jdk.internal.misc=ALL-UNNAMED",
            "common: PLATFORM_THREADS",
            "common again: PLATFORM_THREADS",
            "scheduler: runs",
            "module: null"),
        said);
  }

  @Test
  void withBothThereAreCarriersIfTheJdkIsFitForThem() throws Exception {
    List<String> said =
        ForkedJvm.run(
            ForkedJvm.onClassPath(OPENS + "ALL-UNNAMED", EXPORTS + "ALL-UNNAMED"), ProbeMain.class);
    assertEquals("create: " + expectedMode(), said.get(0));
    assertEquals("common: " + expectedMode(), said.get(2));
  }

  /** On JDK 21 what is forked on a carrier of ours gets lost; see {@code ForkCheck}. */
  private static CarrierPool.Mode expectedMode() {
    return Runtime.version().feature() >= 24
        ? CarrierPool.Mode.CARRIER_THREADS
        : CarrierPool.Mode.PLATFORM_THREADS;
  }

  @Test
  void asANamedModule() throws Exception {
    List<String> said =
        ForkedJvm.run(
            asNamedModule(OPENS + "dev.catnap.loom", EXPORTS + "dev.catnap.loom"), ProbeMain.class);
    assertEquals("create: " + expectedMode(), said.get(0));
    assertEquals("common: " + expectedMode(), said.get(2), "the provider is found");
    assertEquals("module: dev.catnap.loom", said.get(5));
  }

  @Test
  void asANamedModuleTheModuleIsNamed() throws Exception {
    List<String> said = ForkedJvm.run(asNamedModule(OPENS + "ALL-UNNAMED"), ProbeMain.class);
    assertTrue(
        said.get(0).endsWith("--add-opens java.base/java.lang=dev.catnap.loom"), said::toString);
    said = ForkedJvm.run(asNamedModule(OPENS + "dev.catnap.loom"), ProbeMain.class);
    assertEquals("create: PLATFORM_THREADS", said.get(0));
    assertTrue(
        said.get(1).endsWith("--add-exports java.base/jdk.internal.misc=dev.catnap.loom"),
        said::toString);
  }

  private static List<String> asNamedModule(String... more) {
    List<String> options = new ArrayList<>(List.of(more));
    options.add("--module-path");
    options.add(
        ForkedJvm.locationOf(WorkStealingScheduler.class)
            + File.pathSeparator
            + ForkedJvm.locationOf(CarrierPool.class));
    options.add("--add-modules=dev.catnap.loom");
    options.add("-cp");
    options.add(ForkedJvm.locationOf(ProbeMain.class));
    return options;
  }
}
