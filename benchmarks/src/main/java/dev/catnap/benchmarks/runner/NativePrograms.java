package dev.catnap.benchmarks.runner;

import dev.catnap.benchmarks.peers.NativePeer;
import dev.catnap.benchmarks.plan.Case;
import dev.catnap.benchmarks.plan.Natives;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.runner.RunnerException;

/**
 * Native programs that were built.
 *
 * @param executables by peer
 * @param pace how long each measures
 * @param log what their error output is added to
 */
record NativePrograms(Map<NativePeer, Path> executables, Pace pace, Path log)
    implements NativeForks {
  /** More than the last operation of an iteration can take, unless it hangs. */
  private static final long PATIENCE_SECONDS = 60;

  @Override
  public Set<NativePeer> available() {
    return executables.keySet();
  }

  @Override
  public Fork run(Case program, NativePeer peer, int workers) throws RunnerException {
    Natives natives = Objects.requireNonNull(program.natives());
    List<String> command = new ArrayList<>();
    command.add(Objects.requireNonNull(executables.get(peer)).toString());
    command.addAll(
        List.of(
            "" + workers,
            "" + pace.warmups(),
            "" + pace.iterations(),
            "" + pace.length().convertTo(TimeUnit.MILLISECONDS)));
    command.addAll(List.of(natives.command().split(" ", -1)));
    try {
      List<String> lines = output(command).lines().toList();
      return NativeOutput.fork(lines, pace.iterations(), natives.result());
    } catch (IOException | IllegalArgumentException e) {
      throw new RunnerException(String.join(" ", command) + ": " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RunnerException(e);
    }
  }

  private String output(List<String> command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    long seconds = (long) (pace.secondsPerFork() + PATIENCE_SECONDS);
    // It writes some lines, which a pipe holds.
    if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IOException("has not ended after " + seconds + " s");
    }
    if (process.exitValue() != 0) {
      throw new IOException("exit status " + process.exitValue() + "; see " + log);
    }
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }
}
