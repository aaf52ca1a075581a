package dev.catnap.samples.web;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/** Sends requests to a server on the pool, and looks where they were handled. */
public final class Client implements AutoCloseable {
  private static final Duration DEADLINE = Duration.ofSeconds(30);

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final PoolExtension on;
  private final int port;

  public Client(PoolExtension on, int port) {
    this.on = on;
    this.port = port;
  }

  public CompletableFuture<HttpResponse<String>> getAsync(String path) {
    return http.sendAsync(request(path).build(), BodyHandlers.ofString());
  }

  public HttpResponse<String> get(String path) {
    return checked(getAsync(path));
  }

  public HttpResponse<String> post(String path, String body) {
    HttpRequest request = request(path).POST(BodyPublishers.ofString(body)).build();
    return checked(http.sendAsync(request, BodyHandlers.ofString()));
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).timeout(DEADLINE);
  }

  /** Waits for the reply, and checks who made it. */
  public HttpResponse<String> checked(Future<HttpResponse<String>> future) {
    try {
      HttpResponse<String> response = future.get(DEADLINE.toSeconds(), TimeUnit.SECONDS);
      on.assertCarried(response.headers().firstValue(Reply.RAN_ON).orElse("nobody says where"));
      return response;
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new AssertionError(e);
    }
  }

  public static void assertReply(int status, String body, HttpResponse<String> response) {
    assertEquals(status + " " + body, response.statusCode() + " " + response.body());
  }

  /** A line of the page that tells of the pool. */
  public long stat(String name) {
    String prefix = name + " ";
    List<String> lines = get("/stats").body().lines().filter(l -> l.startsWith(prefix)).toList();
    assertEquals(1, lines.size(), lines.toString());
    return Long.parseLong(lines.getFirst().substring(prefix.length()));
  }

  /** A connection on which the bytes were sent, and nothing was read. */
  public Socket connect(String sent) {
    try {
      var socket = new Socket(InetAddress.getLoopbackAddress(), port);
      socket.setSoTimeout((int) DEADLINE.toMillis());
      socket.getOutputStream().write(sent.getBytes(ISO_8859_1));
      return socket;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Many clients at once, none of them on the pool. */
  public static void atOnce(int clients, IntConsumer client) throws Exception {
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      List<? extends Future<?>> all =
          IntStream.range(0, clients)
              .mapToObj(c -> executor.submit(() -> client.accept(c)))
              .toList();
      for (Future<?> one : all) {
        one.get();
      }
    }
  }

  /** Its connections too. */
  @Override
  public void close() {
    http.close();
  }
}
