package dev.catnap.samples;

import static java.util.concurrent.CompletableFuture.completedFuture;
import static java.util.concurrent.CompletableFuture.supplyAsync;

import dev.catnap.WorkStealingScheduler;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** Stages of {@link CompletableFuture} on Catnap: a scheduler is an executor like any other. */
public class HelloCompletableFuture {
  private static final int BLOCK = 1_000;

  private final WorkStealingScheduler scheduler;
  private final Set<String> threads = new ConcurrentSkipListSet<>();

  private HelloCompletableFuture(WorkStealingScheduler scheduler) {
    this.scheduler = scheduler;
  }

  public static void main(String[] args) {
    try (var scheduler = WorkStealingScheduler.builder().name("hello").build()) {
      new HelloCompletableFuture(scheduler).run();
    }
  }

  private void run() {
    CompletableFuture<Long> primes =
        IntStream.range(0, 100)
            .mapToObj(block -> supplyAsync(() -> countPrimes(block * BLOCK), scheduler))
            .reduce(completedFuture(0L), (a, b) -> a.thenCombineAsync(b, Long::sum, scheduler));

    Path file = Path.of(System.getProperty("java.home"), "release");
    var later = CompletableFuture.delayedExecutor(10, TimeUnit.MILLISECONDS, scheduler);
    CompletableFuture<Long> lines =
        supplyAsync(() -> read(file), later)
            .thenApplyAsync(text -> text.lines().count(), scheduler)
            .orTimeout(10, TimeUnit.SECONDS);

    System.out.println(
        primes
            .thenCombine(lines, (p, n) -> p + " primes below 100000, and " + n + " lines read")
            .join());
    System.out.println("on " + threads);
  }

  private long countPrimes(int from) {
    threads.add(Thread.currentThread().getName());
    return IntStream.range(Math.max(2, from), from + BLOCK)
        .filter(n -> IntStream.rangeClosed(2, (int) Math.sqrt(n)).noneMatch(d -> n % d == 0))
        .count();
  }

  private String read(Path file) {
    threads.add(Thread.currentThread().getName());
    try {
      return scheduler.blocking(() -> Files.readString(file)); // another worker takes over
    } catch (Exception e) {
      throw new CompletionException(e);
    }
  }
}
