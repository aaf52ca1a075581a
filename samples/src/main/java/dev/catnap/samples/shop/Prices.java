package dev.catnap.samples.shop;

import dev.catnap.loom.CarrierPool;
import dev.catnap.samples.web.Refusal;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.ExecutorService;

/** Asks the supplier, and waits for the answer no longer than the caller likes. */
final class Prices implements AutoCloseable {
  private final Supplier supplier;
  private final ExecutorService threads;
  private final HttpClient client;

  Prices(CarrierPool pool, Supplier supplier) {
    this.supplier = supplier;
    this.threads = pool.newThreadPerTaskExecutor(); // on which replies are read
    this.client =
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).executor(threads).build();
  }

  int of(String item, Duration within) throws IOException, InterruptedException, Refusal {
    HttpRequest request = HttpRequest.newBuilder(supplier.uri(item)).timeout(within).build();
    try {
      return Integer.parseInt(client.send(request, BodyHandlers.ofString()).body());
    } catch (HttpTimeoutException e) {
      throw new Refusal(504, "no price of " + item + " within " + within.toMillis() + " ms");
    }
  }

  @Override
  public void close() {
    client.close();
    threads.close();
  }
}
