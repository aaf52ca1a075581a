package dev.catnap.internal.timer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.spi.MonotonicClock;
import dev.catnap.testing.Await;
import dev.catnap.testing.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** G11 where timers are in several shards. */
class TimerShardsTest {
  private static final int WORKERS = 3;

  private final AtomicInteger drained = new AtomicInteger();
  private final List<Integer> fired = new CopyOnWriteArrayList<>();
  private final TimerBatch batch = new TimerBatch();

  /** The worker that arms. */
  private volatile int home;

  private TimerQueue queue(MonotonicClock clock, TimerQueue.ThreadStarter starter) {
    return new TimerQueue(
        WORKERS,
        () -> home,
        clock,
        starter,
        () -> false,
        drained::incrementAndGet,
        thrown -> {
          throw new AssertionError("from a timer", thrown);
        });
  }

  private TimerQueue withoutThread() {
    return queue(MonotonicClock.SYSTEM, body -> true);
  }

  private TimerNode node(int number) {
    return new InertTimer() {
      @Override
      protected void fire() {
        fired.add(number);
      }
    };
  }

  private TimerNode arm(TimerQueue queue, int worker, Duration delay, int number) {
    home = worker;
    TimerNode node = node(number);
    assertTrue(queue.arm(node, delay.toNanos()));
    return node;
  }

  /** Also a worker of which there are more than shards: a spare. */
  @Test
  void aWorkerWithoutWorkFiresItsOwn_thenThoseOfOneOther() {
    TimerQueue queue = withoutThread();
    arm(queue, 0, Duration.ZERO, 10);
    arm(queue, 1, Duration.ZERO, 20);
    arm(queue, WORKERS + 1, Duration.ZERO, 21);
    arm(queue, 2, Duration.ZERO, 30);
    arm(queue, 2, Duration.ofHours(1), 31);
    assertEquals(2, queue.fireDue(1, batch, 60, null));
    assertEquals(List.of(20, 21), fired);
    assertEquals(1, queue.fireDue(1, batch, 60, null));
    assertEquals(1, queue.fireDue(1, batch, 60, null));
    assertEquals(List.of(20, 21, 30, 10), fired);
    assertEquals(0, queue.fireDue(1, batch, 60, null), "one is left, and not due");
    assertEquals(1, queue.size());
  }

  /** Their own workers fire them in turn, and what they resume stays with them. */
  @Test
  void aWorkerWithTasksFiresItsOwn_andThoseOfOthersWhenTheyHaveWaited() {
    ManualClock clock = new ManualClock();
    TimerQueue queue = queue(clock, body -> true);
    for (int worker = 0; worker < WORKERS; worker++) {
      for (int i = 0; i < 4; i++) {
        arm(queue, worker, Duration.ZERO, 10 * worker + i);
      }
    }
    assertEquals(2, queue.fireInTurn(1, batch, 2));
    assertEquals(2, queue.fireInTurn(1, batch, 60));
    assertEquals(0, queue.fireInTurn(1, batch, 60), "those of others are due just now");
    assertEquals(List.of(10, 11, 12, 13), fired);
    fired.clear();
    clock.advance(Duration.ofNanos(300_000));
    assertEquals(1, queue.fireInTurn(2, batch, 1));
    clock.advance(Duration.ofNanos(200_000));
    assertEquals(3, queue.fireInTurn(1, batch, 3));
    assertEquals(List.of(20, 0, 1, 2), fired, "somebody has just fired some of 2");
    clock.advance(Duration.ofNanos(300_000));
    assertEquals(3, queue.fireInTurn(1, batch, 3));
    assertEquals(List.of(20, 0, 1, 2, 21, 22, 23), fired, "of 0, too");
  }

  /** It would be looked for under the lock of another one. */
  @Test
  void aTimerStaysInTheShardOfItsFirstArming() {
    TimerQueue queue = withoutThread();
    TimerNode node = arm(queue, 1, Duration.ZERO, 1);
    assertEquals(1, queue.fireDue(2, batch, 60, null));
    home = 2;
    assertTrue(queue.arm(node, 0));
    arm(queue, 2, Duration.ZERO, 2);
    assertEquals(1, queue.fireDue(2, batch, 60, null));
    assertEquals(List.of(1, 2), fired);
    assertTrue(queue.cancel(node));
    assertFalse(queue.cancel(node));
    assertFalse(queue.cancel(node(3)), "it was never armed");
  }

  /** Whatever is first in the shards that it has looked at before. */
  @Test
  void theTimerThreadWaitsForTheFirstOfAll() {
    ManualClock clock = new ManualClock();
    TimerQueue queue = queue(clock, TimerShardsTest::start);
    arm(queue, 1, Duration.ofHours(2), 1);
    clock.awaitParkedFor(Duration.ofHours(2));
    arm(queue, 2, Duration.ofHours(1), 2);
    clock.awaitParkedFor(Duration.ofHours(1));
    arm(queue, 0, Duration.ofMinutes(1), 3);
    clock.awaitParkedFor(Duration.ofMinutes(1));
    arm(queue, 0, Duration.ofMinutes(2), 4); // wakes nobody
    clock.advance(Duration.ofMinutes(1));
    assertEquals(List.of(3), fired);
    clock.awaitParkedFor(Duration.ofMinutes(1));
    clock.advance(Duration.ofHours(3));
    Await.until("all have fired", () -> fired.size() == 4, queue::size);
    queue.close();
    Await.until("the thread ends", () -> !threadOf(queue).isAlive(), queue::size);
  }

  /** G6: not before the last shard. */
  @Test
  void aClosedQueueIsDrainedWhenNoShardHasATimer_andOnce() {
    TimerQueue queue = withoutThread();
    TimerNode first = arm(queue, 0, Duration.ofHours(1), 1);
    TimerNode last = arm(queue, 2, Duration.ofHours(1), 2);
    queue.close();
    assertFalse(queue.arm(node(3), 0), "closed");
    assertTrue(queue.cancel(first));
    assertEquals(0, drained.get());
    assertTrue(queue.cancel(last));
    assertEquals(1, drained.get());
    queue.close();
    assertEquals(List.of(), queue.closeNow());
    assertEquals(1, drained.get());
  }

  @Test
  void whatIsTakenBackIsInTheOrderOfItsDeadlines() {
    TimerQueue queue = withoutThread();
    int n = 60;
    for (int i = 0; i < n; i++) {
      arm(queue, i % WORKERS, Duration.ofHours(n - i), i);
    }
    queue.close();
    List<TimerNode> later = queue.takeLaterThan(TimeUnit.HOURS.toNanos(20));
    List<TimerNode> rest = queue.closeNow();
    assertEquals(40, later.size());
    assertEquals(20, rest.size());
    List<TimerNode> all = new ArrayList<>(rest);
    all.addAll(later);
    for (int i = 1; i < n; i++) {
      assertTrue(all.get(i).deadline - all.get(i - 1).deadline > 0);
    }
    assertEquals(1, drained.get());
  }

  /** The number that says that there is none: it fires a nanosecond later, not early. */
  @Test
  void aDeadlineMayBeAnyNumber() {
    for (long at : new long[] {TimerShard.NONE, TimerShard.NONE + 1}) {
      fired.clear();
      long[] now = {at - 1};
      MonotonicClock clock = new StoppedClock(now);
      TimerQueue queue = new TimerQueue(clock, () -> {}, () -> {}, thrown -> {});
      assertTrue(queue.arm(node(1), 1));
      assertTrue(queue.nanosToPark() > 0);
      assertEquals(0, queue.fireDue(0, batch, 60, null));
      now[0] = at + 1;
      assertTrue(queue.nanosToPark() <= 0);
      assertEquals(1, queue.fireDue(0, batch, 60, null));
      assertEquals(Long.MAX_VALUE, queue.nanosToPark());
    }
  }

  /** Nobody waits for it. */
  private static final class StoppedClock implements MonotonicClock {
    private final long[] now;

    StoppedClock(long[] now) {
      this.now = now;
    }

    @Override
    public long nanoTime() {
      return now[0];
    }

    @Override
    public void park(Object blocker) {
      throw new AssertionError("nobody parks");
    }

    @Override
    public void parkNanos(Object blocker, long nanos) {
      throw new AssertionError("nobody parks");
    }

    @Override
    public void unpark(Thread thread) {
      throw new AssertionError("nobody is parked");
    }
  }

  private static Thread threadOf(TimerQueue queue) {
    return Objects.requireNonNull(queue.thread());
  }

  private static boolean start(Runnable body) {
    new Thread(body, "timers").start();
    return true;
  }
}
