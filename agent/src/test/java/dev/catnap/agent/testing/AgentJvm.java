package dev.catnap.agent.testing;

import dev.catnap.loom.programs.Storms;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Runs a program of the tests in a JVM of its own, with the jar that was built as its agent. */
public final class AgentJvm {
  /** Far beyond any hiccup of a shared machine; a test that needs it all has found a hang. */
  private static final long SECONDS = 120L * Storms.SCALE;

  private AgentJvm() {}

  /** How it ended, and what it wrote to the one and to the other stream. */
  public record Result(int exitCode, List<String> out, List<String> err) {}

  /** {@code =} and options after the name of the jar; the empty string: none. */
  public static Result run(
      String agentOptions, List<String> jvmOptions, Class<?> main, String... arguments)
      throws IOException, InterruptedException {
    return run(agentOptions, jvmOptions, classPath(), main, arguments);
  }

  /** With another class path than that of this JVM. */
  public static Result run(
      String agentOptions,
      List<String> jvmOptions,
      String classPath,
      Class<?> main,
      String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(jvmOptions);
    command.addAll(List.of("-cp", classPath, main.getName()));
    command.addAll(List.of(arguments));
    return run(agentOptions, command);
  }

  /** The JVM calls that other agent first. */
  public static Result runAfter(Path otherAgent, List<String> jvmOptions, Class<?> main)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("-javaagent:" + otherAgent, agent("")));
    command.addAll(jvmOptions);
    command.addAll(List.of("-cp", classPath(), main.getName()));
    return run(command);
  }

  /** What follows the agent on the command line. */
  public static Result run(String agentOptions, List<String> arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(agent(agentOptions)));
    command.addAll(arguments);
    return run(command);
  }

  private static String agent(String options) {
    return "-javaagent:" + System.getProperty("catnap.agent.jar") + options;
  }

  private static Result run(List<String> arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(tool("java"));
    command.add("-Xlog:disable"); // what the JVM thinks of this machine is not compared
    command.addAll(arguments);
    Path out = Files.createTempFile("agent", ".out");
    Path err = Files.createTempFile("agent", ".err");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
    builder.environment().keySet().removeIf(name -> name.endsWith("_OPTIONS")); // they add flags
    Process process = builder.start();
    try {
      if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError(
            String.join(
                "\n",
                "not over within " + SECONDS + " s: " + command,
                Files.readString(out),
                Files.readString(err),
                threadsOf(process)));
      }
      return new Result(process.exitValue(), lines(out), lines(err));
    } finally {
      process.destroyForcibly();
      Files.delete(out);
      Files.delete(err);
    }
  }

  private static String threadsOf(Process process) throws IOException, InterruptedException {
    Path dump = Files.createTempFile("threads", ".txt");
    Process jcmd =
        new ProcessBuilder(tool("jcmd"), String.valueOf(process.pid()), "Thread.print")
            .redirectErrorStream(true)
            .redirectOutput(dump.toFile())
            .start();
    boolean ignored = jcmd.waitFor(60, TimeUnit.SECONDS);
    jcmd.destroyForcibly();
    String threads = Files.readString(dump);
    Files.delete(dump);
    return threads;
  }

  private static String tool(String name) {
    return Path.of(System.getProperty("java.home"), "bin", name).toString();
  }

  /** That of this JVM, but the classes of the agent come from its jar. */
  private static String classPath() {
    String own = Path.of("target", "classes").toAbsolutePath().toString();
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
        .filter(entry -> !entry.equals(own))
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** Without the warnings of the JVM itself. */
  private static List<String> lines(Path file) throws IOException {
    return Files.readString(file, StandardCharsets.UTF_8)
        .lines()
        .filter(line -> !line.startsWith("WARNING:") && !line.contains(" VM warning: "))
        .toList();
  }
}
