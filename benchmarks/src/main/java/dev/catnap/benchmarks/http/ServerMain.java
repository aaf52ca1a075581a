package dev.catnap.benchmarks.http;

import java.io.IOException;

/** A server in a JVM of its own; see {@link ServerProcess}. */
public final class ServerMain {
  private ServerMain() {}

  /**
   * Says its port on the standard output, and serves until the standard input ends: whoever has
   * started it closes that, also by dying.
   *
   * @param args which {@link Server}
   * @throws Exception if it cannot start
   */
  public static void main(String[] args) throws Exception {
    try (Server.Running server = Server.valueOf(args[0]).start()) {
      System.out.println(ServerProcess.PORT + server.port());
      awaitEndOfInput();
    }
    System.exit(0);
  }

  private static void awaitEndOfInput() throws IOException {
    while (System.in.read() >= 0) {
      // Nobody says anything.
    }
  }
}
