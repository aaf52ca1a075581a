package dev.catnap.samples.shop;

import dev.catnap.loom.CarrierPool;
import dev.catnap.samples.web.CtrlC;
import dev.catnap.samples.web.ServerArguments;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** The JDK's HTTP server with virtual threads on Catnap; arguments: port, directory. */
public final class HttpServerSample {
  private static final Map<String, String> WARES =
      Map.of(
          "pillow", "Filled with down. Wakes nobody.\n",
          "blanket", "One size fits all workers.\n",
          "rare-lullaby", "Its price is never known in time.\n");
  private static final int USUAL_MILLIS = 5;
  private static final int RARE_MILLIS = 5_000;
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  private HttpServerSample() {}

  public static void main(String[] args) throws Exception {
    int port = ServerArguments.port("http-server [PORT [DIRECTORY]]", 2, args);
    Path directory =
        args.length == 2
            ? Files.createDirectories(Path.of(args[1]))
            : Files.createTempDirectory("catnap-shop");
    putOnTheShelf(directory);
    try (var pool = CarrierPool.builder().name("http-server").build();
        var supplier =
            Supplier.start(
                pool, item -> Thread.sleep(item.startsWith("rare-") ? RARE_MILLIS : USUAL_MILLIS));
        var server = ShopServer.start(pool, directory, port, supplier, PATIENCE)) {
      System.out.println(
          "Items of " + directory + " for sale at http://127.0.0.1:" + server.port());
      System.out.print(ShopServer.USAGE);
      System.out.println("Ctrl-C ends it.");
      CtrlC.await();
    }
  }

  private static void putOnTheShelf(Path directory) throws IOException {
    for (var ware : WARES.entrySet()) {
      Path file = directory.resolve(ware.getKey() + ".txt");
      if (!Files.exists(file)) {
        Files.writeString(file, ware.getValue());
      }
    }
  }
}
