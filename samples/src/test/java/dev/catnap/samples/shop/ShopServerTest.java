package dev.catnap.samples.shop;

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
import java.net.BindException;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The JDK's HTTP server on Catnap under load, and with clients that do not behave. */
@Timeout(90)
class ShopServerTest {
  /** With the supplier: nobody gives up because the machine is slow. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @RegisterExtension final PoolExtension on = new PoolExtension();
  @TempDir Path directory;

  private final CountDownLatch rarePriceKnown = new CountDownLatch(1);
  private Supplier supplier;
  private ShopServer shop;
  private Client client;

  @BeforeEach
  void open() throws IOException {
    Files.writeString(directory.resolve("pillow.txt"), "soft\n");
    Files.writeString(directory.resolve("rare-lullaby.txt"), "unheard\n");
    supplier =
        Supplier.start(
            on.pool(),
            item -> {
              if (item.startsWith("rare-")) {
                rarePriceKnown.await();
              } else {
                Thread.sleep(1); // no worker waits for this
              }
            });
    shop = ShopServer.start(on.pool(), directory, 0, supplier, PATIENCE);
    client = new Client(on, shop.port());
  }

  @AfterEach
  void close() throws IOException {
    int port = shop.port();
    client.close();
    shop.stop(0); // every request is over
    supplier.close();
    assertFalse(Ports.isOurs(port));
  }

  private List<String> orders() {
    try {
      return Files.readAllLines(directory.resolve("orders.log"));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private void exchange(int round) {
    assertReply(200, "pillow\nrare-lullaby\n", client.get("/items"));
    assertReply(200, "soft\n", client.get("/items/pillow"));
    assertReply(404, "no item bed\n", client.get("/items/bed"));
    int price = Supplier.price("pillow");
    assertReply(200, price + "\n", client.get("/prices/pillow"));
    int count = 1 + round % 9;
    HttpResponse<String> ordered = client.post("/orders", "pillow " + count);
    assertEquals(201, ordered.statusCode(), ordered.body());
    assertTrue(ordered.body().endsWith(" for " + price * count + "\n"), ordered.body());
  }

  @Test
  void everyRequestOfManyConnectionsIsAnsweredOnCatnap() throws Exception {
    int clients = 60;
    int rounds = 10;
    atOnce(clients, c -> IntStream.range(0, rounds).forEach(this::exchange));
    List<String> orders = orders();
    assertEquals(clients * rounds, orders.size());
    for (int i = 0; i < orders.size(); i++) {
      assertTrue(orders.get(i).startsWith(i + 1 + " pillow "), orders.get(i));
    }
    assertReply(200, String.join("\n", orders) + "\n", client.get("/orders"));
    assertEquals(clients * rounds * 5 + 2, client.stat("received"));
    Await.until("only the request that asks is open", () -> client.stat("open") == 1);
  }

  @Test
  void hundredsOfHandlersWaitAndHoldNoWorker() {
    String slow = "/prices/rare-lullaby";
    var waiting = Stream.generate(() -> client.getAsync(slow)).limit(300).toList();
    Await.until("all of them wait", () -> shop.calls().open() == 300);
    IntStream.range(0, 20).forEach(this::exchange);
    assertEquals(2, client.stat("parallelism"));
    rarePriceKnown.countDown();
    for (CompletableFuture<HttpResponse<String>> reply : waiting) {
      assertReply(200, Supplier.price("rare-lullaby") + "\n", client.checked(reply));
    }
  }

  @Test
  void aSupplierThatIsTooSlowIsNotWaitedFor() throws Exception {
    atOnce(
        50,
        c ->
            assertReply(
                504,
                "no price of rare-lullaby within 20 ms\n",
                client.get("/prices/rare-lullaby?within=20")));
    exchange(1);
  }

  @Test
  void anOrderThatIsCutOffIsNone() throws IOException {
    String head = "POST /orders HTTP/1.1\r\nHost: x\r\n";
    String half = head + "Content-Length: 11\r\n\r\npillow 1"; // and then 000
    List<Socket> sockets = Stream.generate(() -> client.connect(half)).limit(50).toList();
    Await.until("all of them are read", () -> shop.calls().open() == 50);
    exchange(1); // although 50 virtual threads wait for bytes
    for (Socket socket : sockets) {
      socket.close();
    }
    Await.until("all of them are given up", () -> shop.calls().open() == 0);
    assertEquals(1, orders().size());
    exchange(2);
  }

  @Test
  void clientsThatGoAwayWhileTheirRequestIsHandledLeaveTheServerServing() throws IOException {
    String slow = "GET /prices/rare-lullaby HTTP/1.1\r\nHost: x\r\n\r\n";
    List<Socket> sockets = Stream.generate(() -> client.connect(slow)).limit(50).toList();
    Socket inItsHead = client.connect("GET /items HT");
    Await.until("all of them wait", () -> shop.calls().open() == 50);
    inItsHead.close();
    for (Socket socket : sockets) {
      socket.setSoLinger(true, 0); // a reset, so that the reply cannot be written
      socket.close();
    }
    rarePriceKnown.countDown();
    Await.until("their handlers are over", () -> shop.calls().open() == 0);
    exchange(1);
  }

  @Test
  void requestsThatCannotBeServed() {
    assertReply(400, "not a name: A.b\n", client.get("/items/A.b"));
    assertReply(404, "no item bed\n", client.get("/prices/bed"));
    assertReply(400, "within must be 1..9999: within=0\n", client.get("/prices/pillow?within=0"));
    assertReply(400, "not an order: pillows, please\n", client.post("/orders", "pillows, please"));
    // Not more than the server reads: a client that is cut off while it sends may lose the reply.
    HttpResponse<String> tooLong = client.post("/orders", "x".repeat(1_001));
    assertReply(413, "more than 1000 bytes\n", tooLong);
    // Or the next request may be sent on a connection that is being closed.
    assertEquals(Optional.of("close"), tooLong.headers().firstValue("Connection"));
    assertReply(405, "only GET is served here\n", client.post("/items", ""));
    assertEquals(List.of(), orders());
  }

  @Test
  void stopLetsARequestUnderWayEnd() throws Exception {
    String slow = "GET /prices/rare-lullaby HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    try (Socket socket = client.connect(slow)) {
      Await.until("it is under way", () -> shop.calls().open() == 1);
      client.close();
      Thread closes = Thread.ofPlatform().start(this::stopWithGrace);
      int port = shop.port();
      Await.until("no more connections are taken", () -> !Ports.isOurs(port));
      rarePriceKnown.countDown();
      String reply = new String(socket.getInputStream().readAllBytes(), UTF_8);
      assertTrue(reply.startsWith("HTTP/1.1 200 OK\r\n"), reply);
      assertTrue(reply.endsWith("\r\n\r\n" + Supplier.price("rare-lullaby") + "\n"), reply);
      closes.join();
    }
  }

  private void stopWithGrace() {
    try {
      shop.stop(60);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void stopEndsARequestThatDoesNotEnd() throws Exception {
    String half = "POST /orders HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n";
    try (Socket socket = client.connect(half)) {
      Await.until("it is under way", () -> shop.calls().open() == 1);
      client.close();
      shop.stop(1);
      assertEquals(0, shop.calls().open());
      assertEquals(List.of(), orders());
      assertEquals(0, socket.getInputStream().readAllBytes().length, "no reply");
    }
  }

  @Test
  void ordersSurviveARestart() throws IOException {
    exchange(0);
    client.close();
    shop.stop(0);
    shop = ShopServer.start(on.pool(), directory, 0, supplier, PATIENCE);
    client = new Client(on, shop.port());
    assertReply(
        201, "2 for " + Supplier.price("pillow") + "\n", client.post("/orders", "pillow 1"));
  }

  @Test
  void occupiedPort() {
    assertThrows(
        BindException.class,
        () -> ShopServer.start(on.pool(), directory, shop.port(), supplier, PATIENCE));
    exchange(1);
  }
}
