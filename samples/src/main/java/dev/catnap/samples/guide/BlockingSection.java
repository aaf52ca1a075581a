package dev.catnap.samples.guide;

import dev.catnap.WorkStealingScheduler;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/** A task that blocks in its middle, and says so: another worker runs what it waits for. */
public class BlockingSection {
  public static void main(String[] args) throws Exception {
    try (var scheduler = WorkStealingScheduler.builder().name("hello").parallelism(1).build()) {
      BlockingQueue<String> answers = new ArrayBlockingQueue<>(1);
      var asks =
          scheduler.submit(
              () -> {
                // Queued behind this very task, on the only worker that there is.
                scheduler.execute(() -> answers.add(Thread.currentThread().getName()));
                String answeredBy = scheduler.blocking(answers::take);
                return Thread.currentThread().getName() + " was answered by " + answeredBy;
              });
      System.out.println(asks.get());
    }
  }
}
