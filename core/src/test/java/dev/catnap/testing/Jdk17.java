package dev.catnap.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The oldest JDK that Catnap runs on, for what is different there. */
public final class Jdk17 {
  private Jdk17() {}

  /** Its {@code java}: of {@code JAVA17_HOME}, or the usual place of Linux distributions. */
  public static @Nullable Path java() throws IOException {
    String home = System.getenv("JAVA17_HOME");
    if (home != null) {
      return Path.of(home, "bin", "java");
    }
    Path usual = Path.of("/usr/lib/jvm");
    if (!Files.isDirectory(usual)) {
      return null;
    }
    try (var jdks = Files.newDirectoryStream(usual, "*17*")) {
      for (Path jdk : jdks) {
        Path java = jdk.resolve("bin/java");
        if (Files.isExecutable(java)) {
          return java;
        }
      }
    }
    return null;
  }

  /** What the program wrote, if it has ended well. */
  public static String run(Path java, String classPath, Class<?> main, String... args)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(java.toString(), "-ea", "-cp", classPath));
    command.add("-Dcatnap.await.seconds=" + Await.DEADLINE_SECONDS);
    command.add(main.getName());
    command.addAll(List.of(args));
    Process jvm = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      jvm.getOutputStream().close();
      String written = new String(jvm.getInputStream().readAllBytes(), UTF_8);
      boolean over = jvm.waitFor(Await.DEADLINE_SECONDS, TimeUnit.SECONDS);
      if (!over || jvm.exitValue() != 0) {
        throw new AssertionError(command + " failed: " + written);
      }
      return written;
    } finally {
      jvm.destroyForcibly();
    }
  }
}
