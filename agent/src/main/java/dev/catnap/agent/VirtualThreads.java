package dev.catnap.agent;

import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.util.Map;
import java.util.Set;

/** Opens the JDK to the Catnap that the agent brings, and lets it take over. */
final class VirtualThreads {
  private static final int FIRST_JDK = 21;

  /** In catnap-loom-scheduler, which knows the rest. */
  private static final String INSTALLER = "dev.catnap.loom.internal.JvmScheduler";

  private VirtualThreads() {}

  static void moveToCatnap(Instrumentation instrumentation)
      throws ReflectiveOperationException, IOException {
    int jdk = Runtime.version().feature();
    if (jdk < FIRST_JDK) {
      throw new UnsupportedOperationException(
          "Catnap needs JDK " + FIRST_JDK + " or newer, and this is " + jdk);
    }
    EmbeddedLoader loader = EmbeddedLoader.open();
    open(instrumentation, loader.getUnnamedModule());
    loader.loadAll();
    ((Runnable) loader.loadClass(INSTALLER).getConstructor().newInstance()).run();
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
