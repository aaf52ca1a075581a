package dev.catnap.samples;

import dev.catnap.loom.CarrierPool;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** Virtual threads on Catnap, and tasks of other kinds on the same workers. */
public class HelloVirtualThreads {
  public static void main(String[] args) throws Exception {
    try (CarrierPool pool = CarrierPool.create()) {
      Callable<Integer> nap =
          () -> {
            Thread.sleep(10); // no worker waits for this
            return 1;
          };
      int slept = 0;
      try (var threads = pool.newThreadPerTaskExecutor()) {
        for (var done : threads.invokeAll(Collections.nCopies(10_000, nap))) {
          slept += done.get();
        }
      }
      System.out.println(slept + " virtual threads slept");

      var scheduler = pool.scheduler();
      Path file = Path.of(System.getProperty("java.home"), "release");
      // A task that blocks its worker says so, and another worker takes over meanwhile.
      var text = scheduler.submit(() -> scheduler.blocking(() -> Files.readString(file)));
      System.out.println("a blocking task read " + text.get().length() + " characters");

      var later = scheduler.schedule(() -> "a delayed task", 10, TimeUnit.MILLISECONDS);
      System.out.println(later.get() + " ran on one of the same workers");
    }
  }
}
