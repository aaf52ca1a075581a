package dev.catnap.samples.shop;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import dev.catnap.samples.web.Refusal;
import java.io.IOException;

/** The bodies of requests. */
final class Bodies {
  private static final int LONGEST = 1000;

  private Bodies() {}

  static String read(HttpExchange exchange) throws IOException, Refusal {
    // One byte more than allowed tells a body that is too long, without reading all of it.
    byte[] body = exchange.getRequestBody().readNBytes(LONGEST + 1);
    if (body.length > LONGEST) {
      throw new Refusal(413, "more than " + LONGEST + " bytes");
    }
    // The JDK's server takes the end of a connection for that of the body: half an order would be
    // one too.
    String announced = exchange.getRequestHeaders().getFirst("Content-Length");
    if (announced != null && !announced.equals(String.valueOf(body.length))) {
      throw new Refusal(400, "the body ends after " + body.length + " of " + announced + " bytes");
    }
    return new String(body, UTF_8);
  }
}
