package dev.catnap.agent;

import java.io.IOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes the copies of kotlinx.coroutines that will be loaded ask {@link Handover}. */
final class Coroutines {
  private static final String DISPATCHERS = "kotlinx.coroutines.Dispatchers";
  private static final String INSIDE = "dev.catnap.agent.inside";

  private Coroutines() {}

  /**
   * @param scheduler that of the virtual threads; null: coroutines get one of their own
   */
  static void moveToCatnap(
      EmbeddedLoader loader,
      CoroutineSettings settings,
      @Nullable Object scheduler,
      Instrumentation instrumentation)
      throws ReflectiveOperationException, IOException {
    if (Arrays.stream(instrumentation.getAllLoadedClasses())
        .anyMatch(type -> type.getName().equals(DISPATCHERS))) {
      throw new IllegalStateException(
          "another agent has loaded them already, which must come after this one");
    }
    if (scheduler == null) {
      loader.defineAll(AgentJar.library("catnap-core"));
    }
    for (String library : List.of("asm", "asm-tree")) {
      loader.defineAll(AgentJar.library(library));
    }
    loader.defineAll(AgentJar.ownPackage(INSIDE));
    Object workers = scheduler != null ? scheduler : newScheduler(loader, settings);
    Handover.to(source(loader, workers));
    instrumentation.addTransformer(
        (ClassFileTransformer)
            loader.loadClass(INSIDE + ".DispatchersTransformer").getConstructor().newInstance());
  }

  private static Object newScheduler(EmbeddedLoader loader, CoroutineSettings settings)
      throws ReflectiveOperationException {
    return loader
        .loadClass(INSIDE + ".PlainWorkers")
        .getMethod("start", int.class, int.class)
        .invoke(null, settings.parallelism(), settings.ioParallelism());
  }

  private static DispatcherSource source(EmbeddedLoader loader, Object scheduler)
      throws ReflectiveOperationException, IOException {
    Map<String, byte[]> code = new HashMap<>(AgentJar.library("catnap-dispatcher"));
    // For BlockHound, which is not there.
    code.keySet().removeIf(name -> name.startsWith("dev.catnap.coroutines.internal."));
    return (DispatcherSource)
        loader
            .loadClass(INSIDE + ".CatnapDispatcherSource")
            .getConstructor(Object.class, Map.class)
            .newInstance(scheduler, code);
  }
}
