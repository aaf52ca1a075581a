package dev.catnap.samples.guide;

import dev.catnap.BlockingLane;
import dev.catnap.WorkStealingScheduler;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Blocking work in a lane of its own: bounded, and other tasks keep their workers. */
public class BlockingWork {
  public static void main(String[] args) throws Exception {
    try (var scheduler = WorkStealingScheduler.builder().name("hello").build()) {
      BlockingLane files = scheduler.blockingLane("files", 4, 8);

      List<Future<Integer>> sizes = new ArrayList<>();
      Path conf = Path.of(System.getProperty("java.home"), "conf");
      try (Stream<Path> all = Files.walk(conf)) {
        for (Path file : all.filter(Files::isRegularFile).toList()) {
          // With 4 that run and 8 that wait the lane is full: then this waits for a place.
          sizes.add(files.submitAwaiting(() -> Files.readAllBytes(file).length));
        }
      }
      long bytes = 0;
      for (Future<Integer> size : sizes) {
        bytes += size.get();
      }
      System.out.println(sizes.size() + " files, " + bytes + " bytes");

      CountDownLatch slow = new CountDownLatch(1);
      int accepted = 0;
      try {
        for (; ; accepted++) {
          var ignored = files.submit(() -> slow.await(1, TimeUnit.HOURS));
        }
      } catch (RejectedExecutionException e) {
        System.out.println("full after " + accepted + ", and it says so");
      }
      var computed = scheduler.submit(() -> 6 * 7);
      System.out.println("meanwhile a worker computed " + computed.get());
      slow.countDown();
    }
  }
}
