package dev.catnap.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.agent.testing.AgentJvm;
import dev.catnap.agent.testing.AgentJvm.Result;
import dev.catnap.agent.testing.DroppedApplication;
import dev.catnap.agent.testing.ExecutableJar;
import dev.catnap.agent.testing.InOwnLoaders;
import dev.catnap.agent.testing.InVirtualThread;
import dev.catnap.agent.testing.Libraries;
import dev.catnap.agent.testing.OnePool;
import dev.catnap.agent.testing.OwnDispatcher;
import dev.catnap.agent.testing.Threads;
import dev.catnap.agent.testing.Views;
import dev.catnap.agent.testing.WhoRuns;
import dev.catnap.loom.programs.Storms;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Unchanged programs, whose coroutines are on Catnap (G12). */
class CoroutinesOnCatnapTest {
  private static final String BOTH = "=virtual-threads,coroutines";
  private static final String COROUTINES = "=coroutines";

  /** What {@link WhoRuns} says, with N for the number of a worker. */
  static List<String> all(String worker) {
    return List.of(
        "Dispatchers.Default[Catnap] Dispatchers.IO[Catnap]",
        "launched: " + worker,
        "after a yield: " + worker,
        "after a delay: " + worker,
        "in IO: " + worker,
        "in IO after a delay: " + worker,
        "timed out",
        "after a timeout: " + worker,
        "as an executor: " + worker,
        "Dispatchers.Default[Catnap] cannot be closed");
  }

  @Test
  void whereverTheyRun() throws Exception {
    assertEquals(
        new Result(0, all("catnap-jvm-worker-N"), List.of()),
        AgentJvm.run(BOTH, List.of(), WhoRuns.class));
  }

  @Test
  void withoutVirtualThreads() throws Exception {
    assertEquals(
        new Result(0, all("catnap-coroutines-worker-N"), List.of()),
        AgentJvm.run(COROUTINES, List.of(), WhoRuns.class));
  }

  @Test
  void onTheSameWorkersAsVirtualThreads() throws Exception {
    assertEquals(
        new Result(
            0, List.of("workers: [catnap-jvm-worker-N]", "of both: true", "others: 0"), List.of()),
        AgentJvm.run(BOTH, List.of(), OnePool.class));
  }

  @Test
  void besideAStormOfVirtualThreads() throws Exception {
    assertEquals(
        new Result(0, StormsOnCatnapTest.accounts(), List.of()),
        AgentJvm.run(BOTH, List.of(StormsOnCatnapTest.SCALE), Storms.class));
  }

  /** The dispatchers are made by the only worker, in a virtual thread that it carries. */
  @Test
  void firstUsedInAVirtualThread() throws Exception {
    List<String> expected = new ArrayList<>(all("catnap-jvm-worker-N"));
    expected.add("failure: null");
    assertEquals(
        new Result(0, expected, List.of()),
        AgentJvm.run(
            BOTH,
            List.of("-Djdk.virtualThreadScheduler.parallelism=1"),
            InVirtualThread.class,
            WhoRuns.class.getName()));
  }

  // ---- where kotlinx.coroutines is
  // ---------------------------------------------------------------

  /** Each copy gets its own dispatchers, all on the same workers. */
  @Test
  void inManyLoadersAtOnceEachWithItsVersion() throws Exception {
    List<String> arguments = new ArrayList<>(List.of(WhoRuns.class.getName()));
    List<String> expected = new ArrayList<>();
    for (String version : Libraries.KNOWN) {
      arguments.add(Libraries.classPath(Libraries.coroutines(version)));
      expected.addAll(all("catnap-jvm-worker-N"));
    }
    expected.add("loaders: " + Libraries.KNOWN.size());
    assertEquals(
        new Result(0, expected, List.of()),
        AgentJvm.run(
            BOTH,
            List.of(),
            Libraries.programs().toString(),
            InOwnLoaders.class,
            arguments.toArray(String[]::new)));
  }

  /** And coroutines find the classes of the application by their context class loader. */
  @ParameterizedTest
  @ValueSource(strings = {"1.8.1", "1.11.0"})
  void inAnExecutableJar(String version, @TempDir Path folder) throws Exception {
    Path jar = ExecutableJar.write(folder.resolve("application.jar"), WhoRuns.class, version);
    assertEquals(
        new Result(0, all("catnap-jvm-worker-N"), List.of()),
        AgentJvm.run(BOTH, List.of("-jar", jar.toString())));
  }

  @Test
  void asNamedModules() throws Exception {
    String modules = Libraries.coroutines("1.11.0") + File.pathSeparator + Libraries.kotlin();
    assertEquals(
        new Result(0, all("catnap-jvm-worker-N"), List.of()),
        AgentJvm.run(
            BOTH,
            List.of("-p", modules, "--add-modules", "kotlinx.coroutines.core"),
            Libraries.programs().toString(),
            WhoRuns.class));
  }

  @Test
  void besideAnApplicationsOwnCatnap() throws Exception {
    assertEquals(
        new Result(
            0,
            List.of(
                "default on catnap-jvm-worker-N",
                "own on own-worker-N",
                "io on catnap-jvm-worker-N",
                "after close on catnap-jvm-worker-N"),
            List.of()),
        AgentJvm.run(BOTH, List.of(), OwnDispatcher.class));
  }

  /**
   * Nothing of the agent's keeps them, once other tasks went through the queues and timers. On JDK
   * 21 virtual threads that sleep use none of the scheduler's timers. No spare comes here.
   */
  @Test
  @EnabledForJreRange(min = JRE.JAVA_25)
  void classesOfAnApplicationThatIsDroppedGo() throws Exception {
    dropsAnApplication(
        List.of(
            "-Djdk.virtualThreadScheduler.parallelism=2",
            "-Djdk.virtualThreadScheduler.maxPoolSize=2"),
        List.of(
            "catnap-agent: jdk.virtualThreadScheduler.maxPoolSize=2 leaves Dispatchers.IO 1 task at"
                + " once instead of 64"));
  }

  /** A spare keeps what it ran last until its thread ends, after 30 s. */
  @Tag("long")
  @Test
  @EnabledForJreRange(min = JRE.JAVA_25)
  void classesOfAnApplicationThatIsDroppedGo_whenSparesDo() throws Exception {
    dropsAnApplication(List.of(), List.of());
  }

  private static void dropsAnApplication(List<String> jvmOptions, List<String> said)
      throws Exception {
    Result result =
        AgentJvm.run(
            BOTH,
            jvmOptions,
            Libraries.programs().toString(),
            DroppedApplication.class,
            WhoRuns.class.getName(),
            Libraries.classPath(Libraries.coroutines("1.11.0")));
    assertEquals(said, result.err());
    assertEquals("gone: true", result.out().get(result.out().size() - 1));
  }

  // ---- how many
  // ----------------------------------------------------------------------------------

  static final List<String> versions = Libraries.KNOWN;

  @ParameterizedTest
  @FieldSource("versions")
  void viewsKeepTheirLimits(String version) throws Exception {
    assertEquals(
        new Result(
            0,
            List.of("one at once: 1", "in IO at once: 64", "in a view of IO at once: 100"),
            List.of()),
        AgentJvm.run(
            BOTH, List.of(), Libraries.classPath(Libraries.coroutines(version)), Views.class));
  }

  @Test
  void workersAsTheLibraryIsTold() throws Exception {
    assertEquals(
        3, workers(COROUTINES, List.of("-Dkotlinx.coroutines.scheduler.core.pool.size=3")));
    assertEquals(3, workers(BOTH, List.of("-Dkotlinx.coroutines.scheduler.core.pool.size=3")));
  }

  @Test
  void workersOfBothAsTheJdkIsTold() throws Exception {
    assertEquals(
        5,
        workers(
            BOTH,
            List.of(
                "-Djdk.virtualThreadScheduler.parallelism=5",
                "-Dkotlinx.coroutines.scheduler.core.pool.size=3")));
  }

  private static int workers(String agentOptions, List<String> jvmOptions) throws Exception {
    Result result = AgentJvm.run(agentOptions, jvmOptions, Threads.class);
    assertEquals(List.of(), result.err());
    List<String> workers = new ArrayList<>(result.out());
    workers.removeIf(line -> !line.contains("-worker-"));
    assertEquals(
        Collections.nCopies(workers.size(), true),
        workers.stream().map(line -> line.endsWith(" daemon")).toList());
    assertTrue(!workers.isEmpty());
    return workers.size();
  }
}
