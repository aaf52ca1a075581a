package dev.catnap.samples.guide;

import dev.catnap.SchedulerStats.WorkerStats;
import dev.catnap.WorkStealingScheduler;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

/** The latches of two workers, from one state to the next. */
public class WorkerStates {
  public static void main(String[] args) throws Exception {
    live(Duration.ofDays(1), "spare", "sleeping");
    live(Duration.ZERO, "retired", "retired");
  }

  private static void live(Duration keepAlive, String surplus, String atTheEnd) throws Exception {
    CountDownLatch taken = new CountDownLatch(1);
    CountDownLatch begin = new CountDownLatch(1);
    CountDownLatch answer = new CountDownLatch(1);
    CountDownLatch last = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    try (var scheduler =
        WorkStealingScheduler.builder()
            .name("hello")
            .parallelism(1)
            .maxThreads(2)
            .keepAlive(keepAlive)
            .build()) {
      show(scheduler, "nothing to do", "sleeping");

      var task =
          scheduler.submit(
              () -> {
                begin.await();
                return scheduler.blocking(
                    () ->
                        scheduler.join(
                            () -> await(taken), // by another worker, which the section calls in
                            () -> {
                              taken.countDown();
                              return await(answer);
                            }));
              });
      show(scheduler, "in a task", "awake");
      begin.countDown();
      show(scheduler, "in a blocking section, for the other half of a join", "waiting", "awake");
      answer.countDown();
      task.get();
      show(scheduler, "one worker too many", "sleeping", surplus);

      scheduler.execute(
          () -> {
            last.countDown();
            await(end);
          });
      last.await();
      scheduler.shutdown();
      show(scheduler, "shut down in the middle of a task", "notified", atTheEnd);
      end.countDown();
    }
  }

  private static boolean await(CountDownLatch latch) {
    try {
      latch.await();
      return true;
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts this thread", e);
    }
  }

  /** Waits until that is so, in whichever order, and prints it. */
  private static void show(WorkStealingScheduler scheduler, String when, String... states)
      throws InterruptedException {
    List<String> wanted = Stream.of(states).sorted().toList();
    while (!scheduler.stats().workers().stream()
        .map(WorkerStats::state)
        .sorted()
        .toList()
        .equals(wanted)) {
      Thread.sleep(1);
    }
    System.out.println(when + ": " + String.join(", ", states));
  }
}
