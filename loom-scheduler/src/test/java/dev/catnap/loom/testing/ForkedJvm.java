package dev.catnap.loom.testing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Runs a main class in another JVM of the same JDK, with options of its own. */
public final class ForkedJvm {
  private ForkedJvm() {}

  /** The lines that it wrote, errors included; the warnings of the JVM itself are left out. */
  public static List<String> run(List<String> options, Class<?> main, String... args)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.add(main.getName());
    command.addAll(List.of(args));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().keySet().removeIf(name -> name.endsWith("_OPTIONS")); // they add flags
    Process process = builder.start();
    CompletableFuture<String> output =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
              } catch (IOException e) {
                return e.toString();
              }
            });
    try {
      if (!process.waitFor(Deadline.SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError("not over within " + Deadline.SECONDS + " s: " + command);
      }
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted", e);
    } finally {
      process.destroyForcibly();
    }
    return output.join().lines().filter(line -> !line.startsWith("WARNING:")).toList();
  }

  /** Options for the class path of this JVM. */
  public static List<String> onClassPath(String... more) {
    List<String> options = new ArrayList<>(List.of(more));
    options.add("-cp");
    options.add(System.getProperty("java.class.path"));
    return options;
  }

  /** Where the class was loaded from. */
  public static String locationOf(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
    } catch (java.net.URISyntaxException e) {
      throw new AssertionError(e);
    }
  }
}
