package dev.catnap.agent;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/** Reads classes from the agent's own jar. */
final class AgentJar {
  /** Has a folder for each library, named like its artifact. */
  static final String EMBEDDED = "META-INF/catnap/";

  private static final String SUFFIX = ".class";

  private AgentJar() {}

  /** What the folder of that library has, by class name. */
  static Map<String, byte[]> library(String artifact) throws IOException {
    return classes(EMBEDDED + artifact + '/', "");
  }

  /** All classes of that package and those below, by class name. */
  static Map<String, byte[]> ownPackage(String name) throws IOException {
    return classes("", name.replace('.', '/') + '/');
  }

  private static Map<String, byte[]> classes(String root, String folder) throws IOException {
    Map<String, byte[]> code = new HashMap<>();
    try (JarFile jar = new JarFile(path().toFile())) {
      for (Enumeration<JarEntry> all = jar.entries(); all.hasMoreElements(); ) {
        JarEntry entry = all.nextElement();
        String path = entry.getName();
        if (path.startsWith(root + folder) && path.endsWith(SUFFIX)) {
          String name = path.substring(root.length(), path.length() - SUFFIX.length());
          code.put(name.replace('/', '.'), jar.getInputStream(entry).readAllBytes());
        }
      }
    }
    if (code.isEmpty()) {
      throw new IOException("the agent's jar lacks " + root + folder);
    }
    return code;
  }

  private static Path path() throws IOException {
    CodeSource source = AgentJar.class.getProtectionDomain().getCodeSource();
    if (source == null) {
      throw new IOException("the agent's classes were not loaded from its jar");
    }
    try {
      return Path.of(source.getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IOException(e);
    }
  }
}
