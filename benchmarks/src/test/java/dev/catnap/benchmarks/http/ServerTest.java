package dev.catnap.benchmarks.http;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What row H1 puts under load does what it is to do; in this JVM, and without wrk. */
@Timeout(60)
class ServerTest {
  /** More than one on a connection. */
  private static final int TIMES = 3;

  @ParameterizedTest
  @EnumSource
  void everyEndpoint_answers(Server kind) throws Exception {
    int before = Endpoint.entered();
    try (Server.Running server = kind.start();
        HttpClient client = HttpClient.newHttpClient()) {
      for (int i = 0; i < TIMES; i++) {
        for (Endpoint endpoint : Endpoint.values()) {
          URI uri = URI.create("http://" + Server.HOST + ":" + server.port() + endpoint.path());
          var response = client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
          assertEquals(200, response.statusCode());
          assertEquals(endpoint.compute(), response.body(), endpoint.path());
        }
      }
    }
    assertEquals(before + TIMES, Endpoint.entered());
  }
}
