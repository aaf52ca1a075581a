package dev.catnap.benchmarks.workloads;

import java.util.function.Supplier;

/** Virtual threads that leave their carrier again and again, for others or for a while. */
public final class VirtualTurns {

  private VirtualTurns() {}

  /**
   * They yield to each other.
   *
   * @param threads makes virtual threads
   * @param count how many
   * @param rounds how often each yields
   * @return how many yields there were
   * @throws InterruptedException if interrupted
   */
  public static long yields(Supplier<Thread.Builder.OfVirtual> threads, int count, int rounds)
      throws InterruptedException {
    return turns(threads, count, rounds, Thread::yield);
  }

  /**
   * They sleep, a millisecond each time.
   *
   * @param threads makes virtual threads
   * @param count how many
   * @param rounds how often each sleeps
   * @return how many sleeps there were
   * @throws InterruptedException if interrupted
   */
  public static long sleeps(Supplier<Thread.Builder.OfVirtual> threads, int count, int rounds)
      throws InterruptedException {
    return turns(threads, count, rounds, () -> Thread.sleep(1));
  }

  private static long turns(
      Supplier<Thread.Builder.OfVirtual> threads, int count, int rounds, Crew.Body turn)
      throws InterruptedException {
    long[] counts = new long[count];
    Crew crew = new Crew(threads);
    for (int t = 0; t < count; t++) {
      int slot = t;
      crew.start(
          () -> {
            for (int i = 0; i < rounds; i++) {
              turn.run();
              counts[slot]++;
            }
          });
    }
    crew.join();
    return Check.eachIs(rounds, counts);
  }
}
