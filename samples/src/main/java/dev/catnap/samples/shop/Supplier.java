package dev.catnap.samples.shop;

import com.sun.net.httpserver.HttpServer;
import dev.catnap.loom.CarrierPool;
import dev.catnap.samples.web.Calls;
import dev.catnap.samples.web.Reply;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.ExecutorService;

/** Knows the prices, takes its time to tell them, and is asked over HTTP. */
final class Supplier implements AutoCloseable {
  /** How long it takes. */
  @FunctionalInterface
  interface Pace {
    void think(String item) throws InterruptedException;
  }

  private static final int BACKLOG = 1024;
  private static final int HIGHEST_PRICE = 1000;

  private final HttpServer server;
  private final ExecutorService threads;

  private Supplier(HttpServer server, ExecutorService threads) {
    this.server = server;
    this.threads = threads;
  }

  static Supplier start(CarrierPool pool, Pace pace) throws IOException {
    var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    HttpServer server = HttpServer.create(address, BACKLOG);
    ExecutorService threads = pool.newThreadPerTaskExecutor();
    server.setExecutor(threads);
    server.createContext(
        "/",
        new Answering(
            "GET",
            new Calls(pool),
            exchange -> {
              String item = exchange.getRequestURI().getPath().substring(1);
              pace.think(item);
              return Reply.ok(String.valueOf(price(item)));
            }));
    server.start();
    return new Supplier(server, threads);
  }

  static int price(String item) {
    return 1 + Math.floorMod(item.hashCode(), HIGHEST_PRICE);
  }

  URI uri(String item) {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/" + item);
  }

  /** Those who have not been told yet are not told: their virtual threads are interrupted. */
  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
    threads.close();
  }
}
