package dev.catnap.agent;

import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Opens the JDK to the Catnap that the agent brings, and lets it take over. */
final class VirtualThreads {
  private static final int FIRST_JDK = 21;

  /** In catnap-loom-scheduler, which knows the rest. */
  private static final String INSTALLER = "dev.catnap.loom.internal.JvmScheduler";

  private VirtualThreads() {}

  /**
   * Either they run on Catnap after it, or nothing has changed.
   *
   * @param settings of the coroutines that will be on the same workers; null: there will be none
   * @return the scheduler
   */
  static Object moveToCatnap(
      EmbeddedLoader loader, @Nullable CoroutineSettings settings, Instrumentation instrumentation)
      throws ReflectiveOperationException, IOException {
    int jdk = Runtime.version().feature();
    if (jdk < FIRST_JDK) {
      throw new UnsupportedOperationException(
          "Catnap needs JDK " + FIRST_JDK + " or newer, and this is " + jdk);
    }
    open(instrumentation, loader.getUnnamedModule());
    loader.defineAll(AgentJar.library("catnap-core"));
    loader.defineAll(AgentJar.library("catnap-loom-scheduler"));
    return installer(loader, settings).get();
  }

  private static Supplier<?> installer(EmbeddedLoader loader, @Nullable CoroutineSettings settings)
      throws ReflectiveOperationException {
    var constructor =
        loader.loadClass(INSTALLER).getConstructor(String.class, int.class, int.class);
    Object installer =
        settings == null
            ? constructor.newInstance(
                "catnap-virtual", Runtime.getRuntime().availableProcessors(), 0)
            : constructor.newInstance(
                "catnap-jvm", settings.parallelism(), settings.ioParallelism());
    return (Supplier<?>) installer;
  }

  /** What {@code --add-opens} and {@code --add-exports} would do, for that module only. */
  private static void open(Instrumentation instrumentation, Module module) {
    Set<Module> toIt = Set.of(module);
    instrumentation.redefineModule(
        Object.class.getModule(),
        Set.of(),
        Map.of("jdk.internal.misc", toIt),
        Map.of("java.lang", toIt),
        Set.of(),
        Map.of());
  }
}
