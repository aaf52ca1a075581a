package dev.catnap.agent.inside;

import dev.catnap.WorkStealingScheduler;
import dev.catnap.agent.DispatcherSource;
import java.lang.reflect.Constructor;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Loads the coroutine face once for each copy of kotlinx.coroutines, all on one scheduler. */
public final class CatnapDispatcherSource implements DispatcherSource {
  /** In catnap-dispatcher. */
  private static final String FACE = "dev.catnap.coroutines.JvmDispatchers";

  private final WorkStealingScheduler scheduler;
  private final Map<String, byte[]> code;

  /**
   * For the agent.
   *
   * @param scheduler a {@link WorkStealingScheduler} of this loader's
   * @param code the classes of the coroutine face, by name
   */
  public CatnapDispatcherSource(Object scheduler, Map<String, byte[]> code) {
    this.scheduler = (WorkStealingScheduler) scheduler;
    this.code = Map.copyOf(code);
  }

  @Override
  public List<?> dispatchersOf(Class<?> dispatchers, Object ownIo)
      throws ReflectiveOperationException {
    ClassLoader library = dispatchers.getClassLoader();
    FaceLoader loader = new FaceLoader(library, code);
    loader.loadAll();
    Constructor<?> face = loader.loadClass(FACE).getDeclaredConstructors()[0];
    face.setAccessible(true);
    return (List<?>)
        ((Supplier<?>) face.newInstance(scheduler, ownIo, contextLoader(library))).get();
  }

  /** As on the threads of kotlinx.coroutines; null: workers have it already. */
  private static @Nullable ClassLoader contextLoader(@Nullable ClassLoader library) {
    return library == ClassLoader.getSystemClassLoader() ? null : library;
  }
}
