package dev.catnap.samples.guide;

import dev.catnap.WorkStealingScheduler;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;

/** Counts words in a plain map per worker, without a lock, and adds the maps up by a broadcast. */
public final class ConfinedCounters {
  private static final List<String> TEXT =
      List.of("sleep", "wake", "steal", "sleep", "park", "wake", "sleep");

  private final WorkStealingScheduler scheduler;
  private final List<Executor> workers = new ArrayList<>();
  private final ThreadLocal<Map<String, Integer>> counts = ThreadLocal.withInitial(HashMap::new);

  private ConfinedCounters(WorkStealingScheduler scheduler) {
    this.scheduler = scheduler;
    for (int i = 0; i < scheduler.parallelism(); i++) {
      workers.add(scheduler.confinedTo(i));
    }
  }

  public static void main(String[] args) throws Exception {
    try (var scheduler = WorkStealingScheduler.builder().name("hello").parallelism(3).build()) {
      System.out.println(new ConfinedCounters(scheduler).countThousandTimes());
    }
  }

  private Map<String, Integer> countThousandTimes() throws Exception {
    CountDownLatch counted = new CountDownLatch(1_000 * TEXT.size());
    for (int i = 0; i < 1_000; i++) {
      for (String word : TEXT) {
        // The same word always goes to the same worker.
        workers
            .get(Math.floorMod(word.hashCode(), workers.size()))
            .execute(
                () -> {
                  counts.get().merge(word, 1, Integer::sum);
                  counted.countDown();
                });
      }
    }
    counted.await();
    Map<String, Integer> sum = new ConcurrentSkipListMap<>();
    scheduler.broadcast(() -> counts.get().forEach((w, n) -> sum.merge(w, n, Integer::sum))).get();
    return new TreeMap<>(sum);
  }
}
