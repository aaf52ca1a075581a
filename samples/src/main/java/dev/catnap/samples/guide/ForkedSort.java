package dev.catnap.samples.guide;

import dev.catnap.ForkScope;
import dev.catnap.WorkStealingScheduler;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.LongAdder;

/** Sorts by a recursion of joins, and adds up the digits of all numbers in one scope. */
public final class ForkedSort {
  private static final int NUMBERS = 1_000_000;

  /** Below this a branch would be smaller than the cost of offering it to others. */
  private static final int SMALL = 4_096;

  private final WorkStealingScheduler scheduler;

  private ForkedSort(WorkStealingScheduler scheduler) {
    this.scheduler = scheduler;
  }

  public static void main(String[] args) {
    try (var scheduler = WorkStealingScheduler.builder().name("hello").build()) {
      int[] numbers = new Random(1).ints(NUMBERS, 0, 1_000_000_000).toArray();
      int[] expected = numbers.clone();
      Arrays.sort(expected);
      ForkedSort sample = new ForkedSort(scheduler);

      sample.sort(numbers, 0, NUMBERS, new int[NUMBERS]);
      System.out.println("sorted: " + Arrays.equals(expected, numbers));

      long digits = sample.digits(numbers);
      System.out.println(
          "digits: " + (digits == Arrays.stream(numbers).mapToLong(ForkedSort::digitsOf).sum()));
    }
  }

  /** Both halves at the same time, if another worker is free. */
  private void sort(int[] a, int from, int to, int[] buffer) {
    if (to - from <= SMALL) {
      Arrays.sort(a, from, to);
      return;
    }
    int middle = (from + to) >>> 1;
    scheduler.join(() -> sort(a, from, middle, buffer), () -> sort(a, middle, to, buffer));
    merge(a, from, middle, to, buffer);
  }

  private static void merge(int[] a, int from, int middle, int to, int[] buffer) {
    System.arraycopy(a, from, buffer, from, to - from);
    int left = from;
    int right = middle;
    for (int i = from; i < to; i++) {
      boolean takeLeft = right == to || (left < middle && buffer[left] <= buffer[right]);
      a[i] = takeLeft ? buffer[left++] : buffer[right++];
    }
  }

  /** As many subtasks as it turns out to be; the scope returns when all are over. */
  private long digits(int[] a) {
    LongAdder sum = new LongAdder();
    return scheduler
        .scope(
            scope -> {
              add(scope, a, 0, a.length, sum);
              return sum;
            })
        .sum();
  }

  private static void add(ForkScope scope, int[] a, int from, int to, LongAdder sum) {
    int start = from;
    while (to - start > SMALL) {
      int middle = (start + to) >>> 1;
      int begin = start;
      scope.fork(() -> add(scope, a, begin, middle, sum));
      start = middle;
    }
    sum.add(Arrays.stream(a, start, to).mapToLong(ForkedSort::digitsOf).sum());
  }

  private static long digitsOf(int n) {
    return Integer.toString(n).length();
  }
}
