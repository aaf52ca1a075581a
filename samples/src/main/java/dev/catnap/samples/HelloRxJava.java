package dev.catnap.samples;

import dev.catnap.WorkStealingScheduler;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.Scheduler;
import io.reactivex.rxjava3.schedulers.Schedulers;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** RxJava on Catnap: looks for the longest Collatz sequence on all workers, and waits for ticks. */
public class HelloRxJava {
  private static final int BLOCK = 1_000;

  private record Sequence(int start, int length) {
    static Sequence from(int start) {
      int length = 1;
      for (long n = start; n != 1; length++) {
        n = n % 2 == 0 ? n / 2 : 3 * n + 1;
      }
      return new Sequence(start, length);
    }

    static Sequence longer(Sequence a, Sequence b) {
      return b.length > a.length ? b : a;
    }
  }

  public static void main(String[] args) {
    Set<String> threads = new ConcurrentSkipListSet<>();
    try (var scheduler = WorkStealingScheduler.builder().name("hello").build()) {
      Scheduler workers = Schedulers.from(scheduler);

      Sequence longest =
          Flowable.range(0, 100)
              .parallel(scheduler.parallelism())
              .runOn(workers)
              .map(
                  block -> {
                    threads.add(Thread.currentThread().getName());
                    return IntStream.rangeClosed(block * BLOCK + 1, (block + 1) * BLOCK)
                        .mapToObj(Sequence::from)
                        .reduce(new Sequence(0, 0), Sequence::longer);
                  })
              .reduce(Sequence::longer)
              .blockingSingle();

      var ticks =
          Flowable.interval(5, TimeUnit.MILLISECONDS, workers)
              .take(3)
              .doOnNext(tick -> threads.add(Thread.currentThread().getName()))
              .toList()
              .blockingGet();

      System.out.println("from " + longest.start + " it is " + longest.length + " numbers to 1");
      System.out.println("ticks " + ticks + " on " + threads);
    }
  }
}
