package dev.catnap.killmatrix;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where JDK 17 is: {@code JAVA17_HOME}, or the usual place of Linux distributions. */
final class Jdk17 {
  private Jdk17() {}

  /**
   * Its {@code java}.
   *
   * @throws IOException if there is none
   */
  static Path java() throws IOException {
    String home = System.getenv("JAVA17_HOME");
    if (home != null) {
      return Path.of(home, "bin", "java");
    }
    try (var jdks = Files.newDirectoryStream(Path.of("/usr/lib/jvm"), "*17*")) {
      for (Path jdk : jdks) {
        Path java = jdk.resolve("bin/java");
        if (Files.isExecutable(java)) {
          return java;
        }
      }
    }
    throw new IOException("there is no JDK 17 in /usr/lib/jvm, and JAVA17_HOME is not set");
  }
}
