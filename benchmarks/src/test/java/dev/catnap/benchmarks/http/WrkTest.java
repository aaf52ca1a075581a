package dev.catnap.benchmarks.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class WrkTest {
  @Test
  void result_read() throws IOException {
    assertEquals(
        new Wrk.Result(1_000, 500_000, 190, 900),
        Wrk.result("Running 1s test @ http://x\n  2 threads\nresult 1000 500000 0 190 900\n"));
    assertEquals(2_000, new Wrk.Result(1_000, 500_000, 190, 900).perSecond());
  }

  /** A figure of a server that does not work is none. */
  @Test
  void result_failures_refused() {
    assertThrows(IOException.class, () -> Wrk.result("result 1000 500000 1 190 900"));
    assertThrows(IOException.class, () -> Wrk.result("result 0 500000 0 0 0"));
    assertThrows(IOException.class, () -> Wrk.result("unable to connect"));
  }

  /** Where it is installed. The waiting is what limits the second one: 64 every 50 ms. */
  @Test
  @Timeout(60)
  void run_countsAndWaits() throws Exception {
    assumeTrue(Wrk.isInstalled());
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    server.start();
    try {
      String url = "http://" + Server.HOST + ":" + server.getAddress().getPort() + "/";
      assertTrue(Wrk.run(url, 1, 0).requests() > 0);
      long waited = Wrk.run(url, 1, 50).requests();
      // Each connection can begin with a short wait, and none can wait less than none.
      assertTrue(waited > 0 && waited < 64 * 1_000 / 50 * 3, () -> waited + " requests");
      assertThrows(IOException.class, () -> Wrk.run(url.replace(Server.HOST, "127.0.0.2"), 1, 0));
    } finally {
      server.stop(0);
    }
  }
}
