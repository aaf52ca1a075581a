package dev.catnap.loom.testing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs a main class in another JVM of the same JDK, with options of its own. */
public final class ForkedJvm {
  /** It waits for things itself, and says what for if they do not come: longer than that. */
  private static final long SECONDS = 2 * Deadline.SECONDS;

  private ForkedJvm() {}

  /** The lines that it wrote, errors included; the warnings of the JVM itself are left out. */
  public static List<String> run(List<String> options, Class<?> main, String... args)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(tool("java"));
    command.add("-Xlog:disable"); // what the JVM thinks of this machine is not compared
    command.addAll(options);
    command.add(main.getName());
    command.addAll(List.of(args));
    return run(command).lines().filter(line -> !isOfTheJvm(line)).toList();
  }

  private static boolean isOfTheJvm(String line) {
    return line.startsWith("WARNING:") || line.contains(" VM warning: ");
  }

  /** All that the command wrote. Fails, with the threads of a JVM, if it is not over in time. */
  public static String run(List<String> command) throws IOException, InterruptedException {
    Path output = Files.createTempFile("forked", ".txt");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
    builder.environment().keySet().removeIf(name -> name.endsWith("_OPTIONS")); // they add flags
    Process process = builder.start();
    try {
      if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
        String threads = threadsOf(process);
        throw new AssertionError(
            "not over within " + SECONDS + " s: " + command + "\n" + read(output) + threads);
      }
      return read(output);
    } finally {
      process.destroyForcibly();
      Files.delete(output);
    }
  }

  private static String threadsOf(Process process) throws IOException, InterruptedException {
    Path dump = Files.createTempFile("threads", ".txt");
    Process jcmd =
        new ProcessBuilder(tool("jcmd"), String.valueOf(process.pid()), "Thread.print")
            .redirectErrorStream(true)
            .redirectOutput(dump.toFile())
            .start();
    boolean ignored = jcmd.waitFor(Deadline.SECONDS, TimeUnit.SECONDS);
    jcmd.destroyForcibly();
    String threads = read(dump);
    Files.delete(dump);
    return threads;
  }

  private static String read(Path file) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
  }

  /** Of the JDK that runs this. */
  public static String tool(String name) {
    return Path.of(System.getProperty("java.home"), "bin", name).toString();
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
