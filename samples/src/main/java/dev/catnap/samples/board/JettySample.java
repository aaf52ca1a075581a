package dev.catnap.samples.board;

import dev.catnap.loom.CarrierPool;
import dev.catnap.samples.web.CtrlC;
import dev.catnap.samples.web.ServerArguments;

/** Jetty with virtual threads on Catnap; argument: the port. */
public final class JettySample {
  private JettySample() {}

  public static void main(String[] args) throws Exception {
    int port = ServerArguments.port("jetty [PORT]", 1, args);
    try (var pool = CarrierPool.builder().name("jetty").build();
        var server = BoardServer.start(pool, port)) {
      System.out.println("A board at http://127.0.0.1:" + server.port());
      System.out.print(BoardHandler.USAGE);
      System.out.println("Ctrl-C ends it.");
      CtrlC.await();
    }
  }
}
