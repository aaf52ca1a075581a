package dev.catnap.samples;

import dev.catnap.loom.CarrierPool;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** Virtual threads on Catnap, and tasks of other kinds on the same workers. */
public class HelloVirtualThreads {
  public static void main(String[] args) throws Exception {
    try (CarrierPool pool = CarrierPool.create()) {
      LongAdder woken = new LongAdder();
      try (var threads = pool.newThreadPerTaskExecutor()) {
        for (int i = 0; i < 10_000; i++) {
          threads.submit(
              () -> {
                Thread.sleep(10); // no worker waits for this
                woken.increment();
                return null;
              });
        }
      } // waits for all of them
      System.out.println(woken + " virtual threads slept");

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
