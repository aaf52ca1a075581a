package dev.catnap.benchmarks.http;

import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.HttpRouting;

/** Helidon SE: a virtual thread for each connection. */
final class HelidonServer implements Server.Running {
  private final WebServer server;

  private HelidonServer(WebServer server) {
    this.server = server;
  }

  static HelidonServer start() {
    HttpRouting.Builder routing = HttpRouting.builder();
    for (Endpoint endpoint : Endpoint.values()) {
      routing.get(endpoint.path(), (request, response) -> response.send(endpoint.serve()));
    }
    return new HelidonServer(
        WebServer.builder().host(Server.HOST).port(0).addRouting(routing).build().start());
  }

  @Override
  public int port() {
    return server.port();
  }

  @Override
  public void close() {
    server.stop();
  }
}
