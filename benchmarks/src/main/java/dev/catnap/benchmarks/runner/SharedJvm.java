package dev.catnap.benchmarks.runner;

import dev.catnap.benchmarks.plan.Scale;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.RunnerException;

/** A JVM that runs {@link SharedJvmMain}, seen from outside. */
final class SharedJvm implements AutoCloseable {
  private static final int SECONDS_TO_EXIT = 10;

  private final Process process;
  private final ObjectOutputStream requests;
  private final ObjectInputStream answers;

  private SharedJvm(Process process) throws IOException {
    this.process = process;
    requests = new ObjectOutputStream(process.getOutputStream());
    requests.flush();
    answers = new ObjectInputStream(process.getInputStream());
  }

  /**
   * Starts one.
   *
   * @param workers how many the JVM's own schedulers have
   * @param log what JMH's output is added to
   */
  static SharedJvm start(int workers, Path log) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(JvmArgs.of(workers));
    command.addAll(
        List.of(
            Scale.JVM_ARG,
            "-cp",
            System.getProperty("java.class.path"),
            SharedJvmMain.class.getName()));
    Process process =
        new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    try {
      return new SharedJvm(process);
    } catch (IOException e) {
      process.destroyForcibly();
      throw e;
    }
  }

  /**
   * Runs one request.
   *
   * @throws RunnerException with the cause, if the workload failed
   * @throws IOException if the JVM has ended
   */
  RunResult run(Request request) throws RunnerException, IOException {
    try {
      requests.writeObject(request);
      requests.flush();
      Object answer = answers.readObject();
      if (answer instanceof RunResult result) {
        return result;
      }
      throw new RunnerException(answer.toString());
    } catch (IOException | ClassNotFoundException e) {
      throw new IOException("the JVM that ran it has ended", e);
    }
  }

  /** It exits when there are no more requests, unless something in it hangs. */
  @Override
  public void close() {
    try {
      requests.close();
      if (process.waitFor(SECONDS_TO_EXIT, TimeUnit.SECONDS)) {
        return;
      }
    } catch (IOException e) {
      // It has ended by itself.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    process.destroyForcibly();
  }
}
