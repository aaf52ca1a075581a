package dev.catnap.samples.shop;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.catnap.loom.CarrierPool;
import dev.catnap.samples.web.Calls;
import dev.catnap.samples.web.Refusal;
import dev.catnap.samples.web.Reply;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A shop on the JDK's HTTP server; each request is handled by a virtual thread of the pool. */
final class ShopServer implements AutoCloseable {
  static final String USAGE =
      """
      GET  /items                   all items
      GET  /items/NAME              describes one
      GET  /prices/NAME?within=MS   asks the supplier what it costs
      POST /orders                  "NAME COUNT": orders so many
      GET  /orders                  all orders
      GET  /stats                   the pool
      """;

  private static final int BACKLOG = 1024;
  private static final int GRACE_SECONDS = 5;
  private static final Pattern ORDER = Pattern.compile("(\\S+) ([1-9][0-9]{0,3})");
  private static final Pattern WITHIN = Pattern.compile("within=([1-9][0-9]{0,3})");

  private final Shelf shelf;
  private final Calls calls;
  private final HttpServer server;
  private final ExecutorService threads;
  private final Journal journal;
  private final Prices prices;
  private final Duration patience;

  private ShopServer(
      CarrierPool pool,
      HttpServer server,
      Path directory,
      Journal journal,
      Supplier supplier,
      Duration patience) {
    this.shelf = new Shelf(directory);
    this.calls = new Calls(pool);
    this.server = server;
    this.threads = pool.newThreadPerTaskExecutor();
    this.journal = journal;
    this.prices = new Prices(pool, supplier);
    this.patience = patience;
  }

  /**
   * Opens the shop.
   *
   * @param pool carries all of it, and outlives it
   * @param directory the items, and the journal of orders
   * @param port 0 is any that is free
   * @param supplier outlives it too
   * @param patience how long a client waits for it that does not say how long it may take
   * @return the server
   * @throws java.net.BindException if the port is taken
   * @throws IOException if the journal cannot be written
   */
  static ShopServer start(
      CarrierPool pool, Path directory, int port, Supplier supplier, Duration patience)
      throws IOException {
    var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    HttpServer server = HttpServer.create(address, BACKLOG);
    try {
      Journal journal = Journal.open(directory.resolve("orders.log"));
      var shop = new ShopServer(pool, server, directory, journal, supplier, patience);
      shop.open();
      return shop;
    } catch (IOException e) {
      server.stop(0);
      throw e;
    }
  }

  private void open() {
    server.setExecutor(threads); // all it takes
    page("GET", "/", exchange -> Reply.ok(USAGE));
    page("GET", "/items", this::items);
    page("GET", "/prices/", this::price);
    server.createContext(
        "/orders",
        exchange -> {
          boolean reads = exchange.getRequestMethod().equals("GET");
          var page = reads ? listing() : new Answering("POST", calls, this::order);
          page.handle(exchange);
        });
    page("GET", "/stats", exchange -> Reply.ok(calls.describe()));
    server.start();
  }

  private void page(String method, String path, Answering.Page page) {
    server.createContext(path, new Answering(method, calls, page));
  }

  private Answering listing() {
    return new Answering("GET", calls, exchange -> Reply.ok(journal.readAll()));
  }

  int port() {
    return server.getAddress().getPort();
  }

  Calls calls() {
    return calls;
  }

  private static String nameAfter(String context, HttpExchange exchange) {
    return exchange.getRequestURI().getPath().substring(context.length());
  }

  private Reply items(HttpExchange exchange) throws IOException, Refusal {
    String name = nameAfter("/items", exchange);
    return Reply.ok(
        name.isEmpty()
            ? String.join("\n", shelf.items()) + "\n"
            : shelf.describe(name.substring(1)));
  }

  private Reply price(HttpExchange exchange) throws IOException, InterruptedException, Refusal {
    String item = nameAfter("/prices/", exchange);
    String query = exchange.getRequestURI().getQuery();
    Duration within = query == null ? patience : within(query);
    shelf.describe(item);
    return Reply.ok(prices.of(item, within) + "\n");
  }

  private static Duration within(String query) throws Refusal {
    Matcher matcher = WITHIN.matcher(query);
    if (!matcher.matches()) {
      throw new Refusal(400, "within must be 1..9999: " + query);
    }
    return Duration.ofMillis(Long.parseLong(matcher.group(1)));
  }

  private Reply order(HttpExchange exchange) throws IOException, InterruptedException, Refusal {
    String body = Bodies.read(exchange);
    Matcher order = ORDER.matcher(body);
    if (!order.matches()) {
      throw new Refusal(400, "not an order: " + body);
    }
    String item = order.group(1);
    shelf.describe(item);
    int total = prices.of(item, patience) * Integer.parseInt(order.group(2));
    int number = journal.append(body + " for " + total);
    return new Reply(201, number + " for " + total + "\n");
  }

  /**
   * Takes no more requests, lets those under way end for a while, and interrupts what is left. The
   * JDK's server uses up the while if a client has gone away: it takes what that had asked for as
   * under way for ever.
   */
  void stop(int graceSeconds) throws IOException {
    server.stop(graceSeconds);
    threads.shutdownNow();
    threads.close();
    prices.close();
    journal.close();
  }

  @Override
  public void close() throws IOException {
    stop(GRACE_SECONDS);
  }
}
