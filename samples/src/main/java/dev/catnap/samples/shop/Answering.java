package dev.catnap.samples.shop;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.catnap.samples.web.Calls;
import dev.catnap.samples.web.Refusal;
import dev.catnap.samples.web.Reply;
import java.io.IOException;

/** One page of the server: calls what answers it, and sends the reply. */
final class Answering implements HttpHandler {
  /** What answers, in plain blocking code on the virtual thread of the exchange. */
  @FunctionalInterface
  interface Page {
    Reply answer(HttpExchange exchange) throws IOException, InterruptedException, Refusal;
  }

  private static final int BODY_TOO_LONG = 413;

  private final String method;
  private final Calls calls;
  private final Page page;

  Answering(String method, Calls calls, Page page) {
    this.method = method;
    this.calls = calls;
    this.page = page;
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    calls.begin();
    try (exchange) {
      send(exchange, answer(exchange));
    } finally {
      calls.end();
    }
  }

  private Reply answer(HttpExchange exchange) throws IOException {
    if (!exchange.getRequestMethod().equals(method)) {
      return new Reply(405, "only " + method + " is served here\n");
    }
    try {
      return page.answer(exchange);
    } catch (Refusal refusal) {
      return refusal.reply();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Reply(503, "the server is being closed\n");
    }
  }

  private static void send(HttpExchange exchange, Reply reply) throws IOException {
    byte[] body = reply.text().getBytes(UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
    exchange.getResponseHeaders().set(Reply.RAN_ON, Thread.currentThread().toString());
    if (reply.status() == BODY_TOO_LONG) {
      // The server does not read the rest either, and closes the connection: the client must not
      // send its next request there.
      exchange.getResponseHeaders().set("Connection", "close");
    }
    exchange.sendResponseHeaders(reply.status(), body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
  }
}
