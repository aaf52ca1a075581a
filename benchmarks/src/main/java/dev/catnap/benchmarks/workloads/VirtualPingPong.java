package dev.catnap.benchmarks.workloads;

import java.util.concurrent.Exchanger;
import java.util.concurrent.SynchronousQueue;
import java.util.function.Supplier;

/** Pairs of virtual threads that pass a number to and fro. */
public final class VirtualPingPong {

  private VirtualPingPong() {}

  /**
   * Through two synchronous queues: one thread sends {@code i}, the other sends back {@code i + 1}.
   *
   * @param threads makes virtual threads
   * @param pairs how many pairs, all at the same time
   * @param rounds how often a pair goes to and fro
   * @return the sum of what came back
   * @throws InterruptedException if interrupted
   */
  public static long synchronousQueue(
      Supplier<Thread.Builder.OfVirtual> threads, int pairs, int rounds)
      throws InterruptedException {
    long[] sums = new long[pairs];
    Crew crew = new Crew(threads);
    for (int p = 0; p < pairs; p++) {
      int pair = p;
      SynchronousQueue<Integer> ping = new SynchronousQueue<>();
      SynchronousQueue<Integer> pong = new SynchronousQueue<>();
      crew.start(
          () -> {
            long sum = 0;
            for (int i = 0; i < rounds; i++) {
              ping.put(i);
              sum += pong.take();
            }
            sums[pair] = sum;
          });
      crew.start(
          () -> {
            for (int i = 0; i < rounds; i++) {
              pong.put(ping.take() + 1);
            }
          });
    }
    crew.join();
    return Check.eachIs((long) rounds * (rounds + 1) / 2, sums);
  }

  /**
   * Through an exchanger: one thread gives even numbers, the other odd ones.
   *
   * @param threads makes virtual threads
   * @param pairs how many pairs, all at the same time
   * @param rounds how often a pair exchanges
   * @return the sum of what the threads received
   * @throws InterruptedException if interrupted
   */
  public static long exchanger(Supplier<Thread.Builder.OfVirtual> threads, int pairs, int rounds)
      throws InterruptedException {
    long[] even = new long[pairs];
    long[] odd = new long[pairs];
    Crew crew = new Crew(threads);
    for (int p = 0; p < pairs; p++) {
      int pair = p;
      Exchanger<Integer> exchanger = new Exchanger<>();
      crew.start(() -> odd[pair] = exchange(exchanger, 0, rounds));
      crew.start(() -> even[pair] = exchange(exchanger, 1, rounds));
    }
    crew.join();
    return Check.eachIs((long) rounds * (rounds - 1), even)
        + Check.eachIs((long) rounds * rounds, odd);
  }

  private static long exchange(Exchanger<Integer> exchanger, int first, int rounds)
      throws InterruptedException {
    long sum = 0;
    for (int i = 0; i < rounds; i++) {
      sum += exchanger.exchange(2 * i + first);
    }
    return sum;
  }
}
