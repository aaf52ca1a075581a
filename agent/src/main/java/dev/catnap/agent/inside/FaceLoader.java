package dev.catnap.agent.inside;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Loads the coroutine face for one copy of kotlinx.coroutines, of which and of the Kotlin library
 * it sees what the application sees. The scheduler below it is the agent's.
 *
 * <p>Only what that copy refers to refers to this loader: both go together.
 */
final class FaceLoader extends ClassLoader {
  private static final String CATNAP = "dev.catnap.";

  static {
    registerAsParallelCapable();
  }

  /** By class name. */
  private final Map<String, byte[]> code;

  /**
   * @param library has kotlinx.coroutines; null: the boot loader
   */
  FaceLoader(@Nullable ClassLoader library, Map<String, byte[]> code) {
    super("catnap-coroutines", library);
    this.code = code;
  }

  /** Defines and initialises all, so that none is left to be found by a worker. */
  void loadAll() throws ClassNotFoundException {
    for (String name : code.keySet()) {
      Class.forName(name, true, this);
    }
  }

  /** The application may have a Catnap too: names of ours are never looked up there. */
  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(CATNAP)) {
      return super.loadClass(name, resolve);
    }
    byte[] bytes = code.get(name);
    if (bytes == null) {
      return Class.forName(name, false, FaceLoader.class.getClassLoader());
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded != null ? loaded : defineClass(name, bytes, 0, bytes.length);
    }
  }
}
