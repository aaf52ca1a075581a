package dev.catnap.benchmarks.http;

import dev.catnap.benchmarks.peers.PoolSizes;
import dev.catnap.benchmarks.peers.ServerPeer;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A JVM with a server. By one thread. */
public final class ServerProcess implements AutoCloseable {
  static final String PORT = "port ";

  /** None needs so long to end. */
  private static final long SECONDS_TO_EXIT = 10;

  private final Process process;
  private final int port;

  private ServerProcess(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /**
   * Starts one. Its error output is this JVM's.
   *
   * @param server which
   * @param peer with or without the agent
   * @param workers carriers, or threads of {@code Dispatchers.Default}
   * @return when it listens
   * @throws IOException if it does not start
   */
  public static ServerProcess start(Server server, ServerPeer peer, int workers)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseG1GC", "-Xms1g", "-Xmx1g"));
    command.addAll(PoolSizes.jvmArgs(workers));
    command.addAll(peer.jvmArgs());
    command.addAll(
        List.of(
            "-cp",
            System.getProperty("java.class.path"),
            ServerMain.class.getName(),
            server.name()));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try {
      return new ServerProcess(process, readPort(process));
    } catch (IOException e) {
      process.destroyForcibly();
      throw e;
    }
  }

  private static int readPort(Process process) throws IOException {
    BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      if (line.startsWith(PORT)) {
        return Integer.parseInt(line.substring(PORT.length()));
      }
    }
    throw new IOException("the server has ended, and never said its port");
  }

  /**
   * Where an endpoint is.
   *
   * @param endpoint of its
   * @return such as {@code http://127.0.0.1:8080/hello}
   */
  public String url(Endpoint endpoint) {
    return "http://" + Server.HOST + ":" + port + endpoint.path();
  }

  /**
   * CPU time of all its threads since its start.
   *
   * @return in steps of 10 ms
   */
  public Duration cpuTime() {
    return process.info().totalCpuDuration().orElseThrow();
  }

  @Override
  public void close() throws IOException {
    process.getOutputStream().close();
    try {
      if (process.waitFor(SECONDS_TO_EXIT, TimeUnit.SECONDS)) {
        return;
      }
      System.err.printf("a server did not end within %d s and is killed%n", SECONDS_TO_EXIT);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    process.destroyForcibly();
  }
}
