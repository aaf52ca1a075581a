package dev.catnap.samples.board;

import static dev.catnap.samples.web.Client.assertReply;
import static dev.catnap.samples.web.Client.atOnce;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.samples.web.Await;
import dev.catnap.samples.web.Client;
import dev.catnap.samples.web.PoolExtension;
import dev.catnap.samples.web.Ports;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Jetty with virtual threads on Catnap under load, and with clients that do not behave. */
@Timeout(90)
class BoardServerTest {
  private static final String WAIT = "/topics/news?after=0&within=60000";

  @RegisterExtension final PoolExtension on = new PoolExtension();

  private BoardServer board;
  private Client client;
  private int port;

  @BeforeEach
  void open() throws Exception {
    board = BoardServer.start(on.pool(), 0);
    port = board.port();
    client = new Client(on, port);
  }

  @AfterEach
  void close() {
    client.close();
    board.close();
    assertFalse(Ports.isOurs(port));
  }

  private void exchange(String topic, int round) {
    String message = topic + " round " + round;
    assertReply(201, round + 1 + "\n", client.post("/topics/" + topic, message));
    assertReply(200, message + "\n", client.get("/topics/" + topic + "?after=" + round));
    assertReply(204, "", client.get("/topics/" + topic + "?after=" + (round + 1) + "&within=2"));
    assertReply(404, "nothing at /else\n", client.get("/else"));
  }

  @Test
  void everyRequestOfManyConnectionsIsAnsweredOnCatnap() throws Exception {
    int clients = 60;
    int rounds = 10;
    atOnce(clients, c -> IntStream.range(0, rounds).forEach(r -> exchange("topic-" + c, r)));
    assertEquals(clients * rounds * 4 + 1, client.stat("received"));
    Await.until("only the request that asks is open", () -> client.stat("open") == 1);
  }

  /** A conversation: readers follow writers who post under each other's feet. */
  @Test
  void everyReaderSeesEveryMessageInOneOrder() throws Exception {
    int writers = 10;
    int messages = 30;
    int readers = 20;
    List<List<String>> seen = Stream.generate(() -> List.<String>of()).limit(readers).toList();
    List<List<String>> all = new ArrayList<>(seen);
    atOnce(
        writers + readers,
        c -> {
          if (c >= readers) {
            IntStream.range(0, messages)
                .forEach(m -> client.post("/topics/news", "writer " + c + " says " + m));
          } else {
            all.set(c, follow(writers * messages));
          }
        });
    for (List<String> one : all) {
      assertEquals(all.getFirst(), one);
    }
    for (int w = readers; w < readers + writers; w++) {
      String prefix = "writer " + w + " says ";
      List<String> his = all.getFirst().stream().filter(m -> m.startsWith(prefix)).toList();
      assertEquals(IntStream.range(0, messages).mapToObj(m -> prefix + m).toList(), his);
    }
  }

  private List<String> follow(int messages) {
    List<String> seen = new ArrayList<>();
    while (seen.size() < messages) {
      HttpResponse<String> next = client.get("/topics/news?after=" + seen.size() + "&within=60000");
      assertEquals(200, next.statusCode());
      next.body().lines().forEach(seen::add);
    }
    return seen;
  }

  @Test
  void aPostWakesHundredsThatWaitForIt() {
    var waiting = Stream.generate(() -> client.getAsync(WAIT)).limit(300).toList();
    Await.until("all of them wait", () -> board.calls().open() == 300);
    assertEquals(2, client.stat("parallelism"));
    client.post("/topics/news", "at last");
    for (CompletableFuture<HttpResponse<String>> reply : waiting) {
      assertReply(200, "at last\n", client.checked(reply));
    }
  }

  @Test
  void clientsThatSendSlowlyHoldNoWorker() throws IOException {
    String half =
        """
        POST /topics/slow HTTP/1.1\r
        Host: x\r
        Connection: close\r
        Content-Length: 8\r
        \r
        slow\
        """;
    List<Socket> sockets = Stream.generate(() -> client.connect(half)).limit(200).toList();
    Await.until("all of them are read", () -> board.calls().open() == 200);
    IntStream.range(0, 20).forEach(r -> exchange("quick", r));
    for (Socket socket : sockets) {
      socket.getOutputStream().write("poke".getBytes(UTF_8));
    }
    for (Socket socket : sockets) {
      String reply = new String(socket.getInputStream().readAllBytes(), UTF_8);
      assertTrue(reply.startsWith("HTTP/1.1 201 Created\r\n"), reply);
      socket.close();
    }
    assertReply(200, "slowpoke\n".repeat(200), client.get("/topics/slow"));
  }

  @Test
  void aMessageThatIsCutOffIsNotPosted() throws IOException {
    String half = "POST /topics/cut HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nonly half of";
    List<Socket> sockets = Stream.generate(() -> client.connect(half)).limit(50).toList();
    Await.until("all of them are read", () -> board.calls().open() == 50);
    for (Socket socket : sockets) {
      socket.close();
    }
    Await.until("all of them are given up", () -> board.calls().open() == 0);
    assertReply(204, "", client.get("/topics/cut"));
    exchange("whole", 0);
  }

  @Test
  void clientsThatGoAwayWhileTheyWaitLeaveTheServerServing() throws IOException {
    String wait = "GET " + WAIT + " HTTP/1.1\r\nHost: x\r\n\r\n";
    List<Socket> sockets = Stream.generate(() -> client.connect(wait)).limit(50).toList();
    var cancelled = Stream.generate(() -> client.getAsync(WAIT)).limit(50).toList();
    Await.until("all of them wait", () -> board.calls().open() == 100);
    for (Socket socket : sockets) {
      socket.setSoLinger(true, 0); // a reset, so that the reply cannot be written
      socket.close();
    }
    cancelled.forEach(c -> c.cancel(true));
    client.post("/topics/news", "nobody there");
    Await.until("their handlers are over", () -> board.calls().open() == 0);
    exchange("whole", 0);
  }

  @Test
  void requestsThatCannotBeServed() {
    assertReply(404, "nothing at /topics/A.b\n", client.get("/topics/A.b"));
    assertReply(400, "after must be 0..2147483647: x\n", client.get("/topics/a?after=x"));
    assertReply(400, "within must be 0..60000: 60001\n", client.get("/topics/a?within=60001"));
    assertReply(400, "a message is one line\n", client.post("/topics/a", "two\nlines"));
    // Not more than the server reads: a client that is cut off while it sends may lose the reply.
    assertReply(413, "more than 10000 bytes\n", client.post("/topics/a", "x".repeat(10_001)));
    assertReply(204, "", client.get("/topics/a"));
  }

  @Test
  void closeAnswersThoseWhoWait() throws Exception {
    var waiting = Stream.generate(() -> client.getAsync(WAIT)).limit(100).toList();
    Await.until("all of them wait", () -> board.calls().open() == 100);
    Thread closes = Thread.ofPlatform().start(board::close);
    for (CompletableFuture<HttpResponse<String>> reply : waiting) {
      assertReply(204, "", client.checked(reply));
    }
    closes.join();
  }

  @Test
  void closeEndsARequestThatDoesNotEnd() throws Exception {
    String half = "POST /topics/cut HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n";
    try (Socket socket = client.connect(half)) {
      Await.until("it is under way", () -> board.calls().open() == 1);
      board.close();
      assertEquals(0, board.calls().open());
      String reply = new String(socket.getInputStream().readAllBytes(), UTF_8);
      assertFalse(reply.contains(" 201 "), reply);
    }
  }

  @Test
  void occupiedPort() {
    assertThrows(IOException.class, () -> BoardServer.start(on.pool(), port));
    exchange("whole", 0);
  }
}
