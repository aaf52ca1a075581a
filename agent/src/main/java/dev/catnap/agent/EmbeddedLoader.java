package dev.catnap.agent;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Loads the libraries of the agent's jar; all else comes from the JDK, nothing from the
 * application.
 *
 * <p>A library is read and defined whole, before {@code main}. A worker that had to read a class
 * from the jar later might wait for a lock whose owner is a virtual thread that waits for a worker.
 */
final class EmbeddedLoader extends ClassLoader {
  /** Of this package: the few classes that both sides know. */
  private static final String OURS = EmbeddedLoader.class.getPackageName() + '.';

  static {
    registerAsParallelCapable();
  }

  /** By class name; not yet defined. */
  private final Map<String, byte[]> code = new ConcurrentHashMap<>();

  EmbeddedLoader() {
    super("catnap-agent", ClassLoader.getPlatformClassLoader());
  }

  /** Defines them all, so that none is left to be found later. */
  void defineAll(Map<String, byte[]> classes) throws ClassNotFoundException {
    code.putAll(classes);
    for (String name : classes.keySet()) {
      loadClass(name);
    }
    code.keySet().removeAll(classes.keySet());
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    byte[] bytes = code.get(name);
    if (bytes != null) {
      return defineClass(name, bytes, 0, bytes.length);
    }
    if (name.startsWith(OURS)) {
      return Class.forName(name, false, EmbeddedLoader.class.getClassLoader());
    }
    throw new ClassNotFoundException(name);
  }
}
