package dev.catnap.benchmarks.workloads;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** What programs do with virtual threads, by the JDK's own classes. */
public final class VirtualPrograms {
  private static final int CAPACITY = 64;

  private VirtualPrograms() {}

  /**
   * Threads that take one of a few permits and give it back.
   *
   * @param threads makes virtual threads
   * @param count how many
   * @param permits of the semaphore
   * @param rounds how often each takes one
   * @return how often they did
   * @throws InterruptedException if interrupted
   */
  public static long semaphore(
      Supplier<Thread.Builder.OfVirtual> threads, int count, int permits, int rounds)
      throws InterruptedException {
    AtomicLong counter = new AtomicLong();
    Semaphore semaphore = new Semaphore(permits);
    Crew crew = new Crew(threads);
    for (int t = 0; t < count; t++) {
      crew.start(
          () -> {
            for (int i = 0; i < rounds; i++) {
              semaphore.acquire();
              try {
                counter.incrementAndGet();
              } finally {
                semaphore.release();
              }
            }
          });
    }
    crew.join();
    return Check.eachIs((long) count * rounds, new long[] {counter.get()});
  }

  /**
   * Producers and as many consumers on one bounded queue.
   *
   * @param threads makes virtual threads
   * @param pairs how many of each
   * @param elements how many each puts, or takes
   * @return the sum of what was taken
   * @throws InterruptedException if interrupted
   */
  public static long producersAndConsumers(
      Supplier<Thread.Builder.OfVirtual> threads, int pairs, int elements)
      throws InterruptedException {
    BlockingQueue<Integer> queue = new ArrayBlockingQueue<>(CAPACITY);
    long[] sums = new long[pairs];
    Crew crew = new Crew(threads);
    for (int p = 0; p < pairs; p++) {
      int pair = p;
      crew.start(
          () -> {
            for (int i = 0; i < elements; i++) {
              queue.put(1);
            }
          });
      crew.start(
          () -> {
            for (int i = 0; i < elements; i++) {
              sums[pair] += queue.take();
            }
          });
    }
    crew.join();
    return Check.eachIs(elements, sums);
  }

  /**
   * Clients that ask one server and wait for the answer, for a time that they never reach.
   *
   * @param threads makes virtual threads
   * @param clients how many
   * @param rounds how often each asks
   * @return the answers
   * @throws InterruptedException if interrupted
   */
  public static long requestsWithTimeout(
      Supplier<Thread.Builder.OfVirtual> threads, int clients, int rounds)
      throws InterruptedException {
    BlockingQueue<BlockingQueue<Integer>> requests = new LinkedBlockingQueue<>();
    long[] answers = new long[clients];
    Crew crew = new Crew(threads);
    for (int c = 0; c < clients; c++) {
      int client = c;
      crew.start(
          () -> {
            BlockingQueue<Integer> answer = new ArrayBlockingQueue<>(1);
            for (int i = 0; i < rounds; i++) {
              requests.put(answer);
              Integer one = answer.poll(10, TimeUnit.SECONDS);
              answers[client] += one == null ? 0 : one;
            }
          });
    }
    crew.start(
        () -> {
          for (int i = 0; i < clients * rounds; i++) {
            requests.take().put(1);
          }
        });
    crew.join();
    return Check.eachIs(rounds, answers);
  }

  /**
   * Chains of future stages, each in a thread of its own, which one virtual thread awaits.
   *
   * @param threads makes virtual threads
   * @param chains how many
   * @param stages of each
   * @return the stages that were run
   * @throws InterruptedException if interrupted
   */
  public static long futures(Supplier<Thread.Builder.OfVirtual> threads, int chains, int stages)
      throws InterruptedException {
    long[] counts = new long[chains];
    Crew crew = new Crew(threads);
    crew.start(
        () -> {
          try (var executor = Executors.newThreadPerTaskExecutor(threads.get().factory())) {
            List<CompletableFuture<Long>> ends = new ArrayList<>();
            for (int c = 0; c < chains; c++) {
              CompletableFuture<Long> stage = CompletableFuture.supplyAsync(() -> 1L, executor);
              for (int s = 1; s < stages; s++) {
                stage = stage.thenApplyAsync(n -> n + 1, executor);
              }
              ends.add(stage);
            }
            for (int c = 0; c < chains; c++) {
              counts[c] = ends.get(c).join();
            }
          }
        });
    crew.join();
    return Check.eachIs(stages, counts);
  }

  /**
   * Requests that each ask several others at once, in a scope that ends when all have answered.
   *
   * @param threads makes virtual threads
   * @param requests how many, one after the other
   * @param parts how many each asks
   * @return the answers
   * @throws InterruptedException if interrupted
   */
  public static long scopes(Supplier<Thread.Builder.OfVirtual> threads, int requests, int parts)
      throws InterruptedException {
    long[] answers = new long[requests];
    Crew crew = new Crew(threads);
    crew.start(
        () -> {
          for (int r = 0; r < requests; r++) {
            answers[r] = scope(threads, parts);
          }
        });
    crew.join();
    return Check.eachIs(parts, answers);
  }

  private static long scope(Supplier<Thread.Builder.OfVirtual> threads, int parts)
      throws InterruptedException, ExecutionException {
    long sum = 0;
    try (var scope = Executors.newThreadPerTaskExecutor(threads.get().factory())) {
      List<Future<Integer>> forked = new ArrayList<>();
      for (int p = 0; p < parts; p++) {
        forked.add(scope.submit(() -> 1));
      }
      for (Future<Integer> part : forked) {
        sum += part.get();
      }
    }
    return sum;
  }

  /**
   * Parts of a computation, each by a thread of its own.
   *
   * @param threads makes virtual threads
   * @param parts how many
   * @param micros how long each takes
   * @return the sum of what they lead to
   * @throws InterruptedException if interrupted
   */
  public static long parallelParts(
      Supplier<Thread.Builder.OfVirtual> threads, int parts, int micros)
      throws InterruptedException {
    AtomicLong sum = new AtomicLong();
    Crew crew = new Crew(threads);
    for (int p = 0; p < parts; p++) {
      int part = p;
      crew.start(() -> sum.addAndGet(Work.compute(part, micros)));
    }
    crew.join();
    return Check.eachIs(Work.oneAfterTheOther(parts, micros), new long[] {sum.get()});
  }
}
