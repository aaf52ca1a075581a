package dev.catnap.samples.guide;

import dev.catnap.ThreadBudget;
import dev.catnap.WorkStealingScheduler;
import java.util.concurrent.CountDownLatch;

/** A pool for what must be quick beside one for what may take long, and their threads bounded. */
public class TwoPools {
  public static void main(String[] args) throws Exception {
    ThreadBudget budget = ThreadBudget.of(6);
    try (var interactive =
            WorkStealingScheduler.builder()
                .name("hello-interactive")
                .parallelism(1)
                .threadBudget(budget)
                .build();
        var batch =
            WorkStealingScheduler.builder()
                .name("hello-batch")
                .parallelism(2)
                .threadBudget(budget)
                .build()) {
      System.out.println(budget.inUse() + " of " + budget.threads() + " threads in use");

      // Both workers of one pool compute and do not look up; one asks the other pool.
      CountDownLatch answered = new CountDownLatch(1);
      Runnable computes =
          () -> {
            while (answered.getCount() != 0) {
              Thread.onSpinWait();
            }
          };
      batch.execute(computes);
      batch.execute(
          () -> {
            interactive.execute(
                () -> {
                  System.out.println("answered by " + Thread.currentThread().getName());
                  answered.countDown();
                });
            computes.run();
          });
      answered.await();
    }
    System.out.println(budget.inUse() + " of " + budget.threads() + " threads in use");
  }
}
