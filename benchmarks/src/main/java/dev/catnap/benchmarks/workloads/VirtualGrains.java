package dev.catnap.benchmarks.workloads;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.Supplier;

/** The same as {@link Grains}, by virtual threads. */
public final class VirtualGrains {

  private VirtualGrains() {}

  /**
   * Two stages that work on each item, joined by a queue of one.
   *
   * @param threads makes virtual threads
   * @param items how many
   * @param micros the work of one stage on one item
   * @return the sum of what came out
   * @throws InterruptedException if interrupted
   */
  public static long pipeline(Supplier<Thread.Builder.OfVirtual> threads, int items, int micros)
      throws InterruptedException {
    BlockingQueue<Long> queue = new ArrayBlockingQueue<>(1);
    long[] sum = new long[1];
    Crew crew = new Crew(threads);
    crew.start(
        () -> {
          for (int i = 0; i < items; i++) {
            queue.put(Work.compute(i, micros));
          }
        });
    crew.start(
        () -> {
          for (int i = 0; i < items; i++) {
            sum[0] += Work.compute(queue.take(), micros);
          }
        });
    crew.join();
    return Check.eachIs(Work.bothStages(items, micros), sum);
  }

  /**
   * A virtual thread starts another one for half of the work, does the other half, and joins it.
   *
   * @param threads makes virtual threads
   * @param items how many
   * @param micros the work of one half
   * @return the sum of all results
   * @throws InterruptedException if interrupted
   */
  public static long startBesideOwnWork(
      Supplier<Thread.Builder.OfVirtual> threads, int items, int micros)
      throws InterruptedException {
    long[] sum = new long[1];
    Crew crew = new Crew(threads);
    crew.start(
        () -> {
          for (int i = 0; i < items; i++) {
            long seed = i;
            long[] theirs = new long[1];
            Thread other = threads.get().start(() -> theirs[0] = Work.compute(seed, micros));
            long own = Work.compute(-seed, micros);
            other.join();
            sum[0] += own + theirs[0];
          }
        });
    crew.join();
    return Check.eachIs(Work.bothHalves(items, micros), sum);
  }
}
