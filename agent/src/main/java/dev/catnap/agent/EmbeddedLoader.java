package dev.catnap.agent;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/**
 * Loads Catnap from its folder in the agent's jar; all else comes from the JDK, nothing from the
 * application.
 *
 * <p>It reads the whole folder at once, before {@code main}. A worker that had to read a class from
 * the jar later might wait for a lock whose owner is a virtual thread that waits for a worker.
 */
final class EmbeddedLoader extends ClassLoader {
  private static final String FOLDER = "META-INF/catnap/";
  private static final String SUFFIX = ".class";

  static {
    registerAsParallelCapable();
  }

  /** By class name. */
  private final Map<String, byte[]> code;

  private EmbeddedLoader(Map<String, byte[]> code) {
    super("catnap-agent", ClassLoader.getPlatformClassLoader());
    this.code = code;
  }

  static EmbeddedLoader open() throws IOException {
    Map<String, byte[]> code = new ConcurrentHashMap<>();
    try (JarFile jar = new JarFile(ownJar().toFile())) {
      for (Enumeration<JarEntry> all = jar.entries(); all.hasMoreElements(); ) {
        JarEntry entry = all.nextElement();
        String path = entry.getName();
        if (path.startsWith(FOLDER) && path.endsWith(SUFFIX)) {
          code.put(className(path), jar.getInputStream(entry).readAllBytes());
        }
      }
    }
    return new EmbeddedLoader(code);
  }

  private static Path ownJar() throws IOException {
    CodeSource source = EmbeddedLoader.class.getProtectionDomain().getCodeSource();
    if (source == null) {
      throw new IOException("the agent's classes were not loaded from its jar");
    }
    try {
      return Path.of(source.getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IOException(e);
    }
  }

  private static String className(String path) {
    return path.substring(FOLDER.length(), path.length() - SUFFIX.length()).replace('/', '.');
  }

  /** Defines every class, so that none is left to be found later. */
  void loadAll() throws ClassNotFoundException {
    List<String> names = new ArrayList<>(code.keySet());
    for (String name : names) {
      loadClass(name);
    }
    code.clear();
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    byte[] bytes = code.get(name);
    if (bytes == null) {
      throw new ClassNotFoundException(name);
    }
    return defineClass(name, bytes, 0, bytes.length);
  }
}
