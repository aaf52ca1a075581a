package dev.catnap.agent;

import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
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
    return installer(loader, settings, () -> dropCompiled(instrumentation)).get();
  }

  private static Supplier<?> installer(
      EmbeddedLoader loader, @Nullable CoroutineSettings settings, Runnable dropCompiled)
      throws ReflectiveOperationException {
    var constructor =
        loader
            .loadClass(INSTALLER)
            .getConstructor(String.class, int.class, int.class, Runnable.class);
    Object installer =
        settings == null
            ? constructor.newInstance(
                "catnap-virtual", Runtime.getRuntime().availableProcessors(), 0, dropCompiled)
            : constructor.newInstance(
                "catnap-jvm", settings.parallelism(), settings.ioParallelism(), dropCompiled);
    return (Supplier<?>) installer;
  }

  /** A class that is given its own code once more has none that is compiled, inlined or not. */
  private static void dropCompiled(Instrumentation instrumentation) {
    try {
      instrumentation.retransformClasses(
          Class.forName("java.lang.VirtualThread", false, Object.class.getClassLoader()));
    } catch (ReflectiveOperationException | UnmodifiableClassException | RuntimeException e) {
      throw new UnsupportedOperationException(
          "this JVM does not drop what it has compiled of virtual threads: " + e, e);
    }
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
