package dev.catnap.samples.guide;

import dev.catnap.ShutdownReport;
import dev.catnap.WorkStealingScheduler;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The end of a scheduler within a time, and what was left. */
public class EndWithinATime {
  public static void main(String[] args) throws Exception {
    var scheduler = WorkStealingScheduler.builder().name("hello").parallelism(2).build();

    AtomicInteger ran = new AtomicInteger();
    for (int i = 0; i < 1_000; i++) {
      scheduler.execute(ran::incrementAndGet);
    }
    var never = scheduler.schedule(() -> System.out.println("never"), 1, TimeUnit.HOURS);
    CountDownLatch begun = new CountDownLatch(1);
    scheduler.execute(() -> waitForAnAnswer(begun));
    begun.await();

    ShutdownReport report = scheduler.close(Duration.ofSeconds(1), Duration.ofSeconds(10));
    System.out.println(ran + " tasks ran");
    System.out.println(report.outcome());
    System.out.println("taken back: " + report.takenBack().equals(List.of(never)));
  }

  private static void waitForAnAnswer(CountDownLatch begun) {
    begun.countDown();
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      System.out.println("the task that waited was interrupted");
    }
  }
}
