package dev.catnap.internal.timer;

import static org.junit.jupiter.api.Assertions.assertEquals;
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
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** G11, F9: who fires timers, in what order, and what becomes of those that cannot fire. */
class TimerQueueTest {
  /** More than the timer thread takes at once. */
  private static final int TIMERS = 200;

  private static final class Node extends TimerNode {
    private final int number;
    private final List<Integer> fired;
    private boolean fails; // of the timer thread

    Node(int number, List<Integer> fired) {
      this.number = number;
      this.fired = fired;
      this.fails = number % 3 == 0;
    }

    @Override
    protected void fire() {
      if (fails) {
        fails = false;
        throw number % 2 == 0
            ? new OutOfMemoryError("on purpose")
            : new StackOverflowError("on purpose");
      }
      fired.add(number);
    }

    @Override
    protected boolean survivesShutdown() {
      return true;
    }

    @Override
    protected void dropped() {
      throw new AssertionError("it survives a shutdown");
    }
  }

  /** The close comes while some wait for their second try. */
  @Test
  void thoseForWhichThereIsNoMemoryOrNoStackAreTriedAgain_theOthersFireAtOnceAndInOrder()
      throws Exception {
    List<Integer> fired = new CopyOnWriteArrayList<>();
    List<Throwable> uncaught = new CopyOnWriteArrayList<>();
    AtomicInteger drained = new AtomicInteger();
    TimerQueue queue =
        new TimerQueue(
            1,
            () -> 0,
            MonotonicClock.SYSTEM,
            TimerQueueTest::start,
            () -> false,
            drained::incrementAndGet,
            uncaught::add);
    for (int i = 0; i < TIMERS; i++) {
      assertTrue(queue.arm(new Node(i, fired), 0));
    }
    queue.close();
    Await.until("all have fired", () -> fired.size() == TIMERS, queue::size);
    Objects.requireNonNull(queue.thread()).join(Await.DEADLINE_SECONDS * 1_000);
    assertEquals(1, drained.get());
    assertEquals(List.of(), uncaught);
    assertEquals(0, queue.size());
    assertEquals(numbers(false), fired.stream().filter(n -> n % 3 != 0).toList());
    assertEquals(numbers(true), fired.stream().filter(n -> n % 3 == 0).toList());
  }

  /** G11: no worker comes, though none sleeps: each is in a long task. */
  @Test
  void whatIsLeftToWorkersFiresAllTheSame_inOrder() {
    List<Integer> fired = new CopyOnWriteArrayList<>();
    TimerQueue queue =
        new TimerQueue(
            1,
            () -> 0,
            MonotonicClock.SYSTEM,
            TimerQueueTest::start,
            () -> true,
            () -> {},
            TimerQueueTest::unexpected);
    for (int i = 1; i <= TIMERS; i++) {
      assertTrue(queue.arm(new Node(3 * i + 1, fired), 0));
    }
    Await.until("all have fired", () -> fired.size() == TIMERS, queue::size);
    assertEquals(IntStream.rangeClosed(1, TIMERS).map(i -> 3 * i + 1).boxed().toList(), fired);
    queue.close();
  }

  /** G11: nobody but a worker fires them, so that the test sees who. */
  @Test
  void aWorkerFiresWhatIsDue_inOrder_noMoreThanItAskedFor_andWhatFailsIsTriedAgain() {
    List<Integer> fired = new CopyOnWriteArrayList<>();
    AtomicInteger drained = new AtomicInteger();
    TimerQueue queue =
        new TimerQueue(
            1,
            () -> 0,
            MonotonicClock.SYSTEM,
            body -> true,
            () -> true,
            drained::incrementAndGet,
            TimerQueueTest::unexpected);
    TimerBatch batch = new TimerBatch();
    assertEquals(0, queue.fireDue(0, batch, 2, () -> false), "nothing is armed");
    for (int i = 1; i <= 5; i++) {
      assertTrue(queue.arm(new Node(i, fired), 0)); // 3 fails at first
    }
    Node later = new Node(7, fired);
    assertTrue(queue.arm(later, TimeUnit.HOURS.toNanos(1)));
    assertEquals(2, queue.fireDue(0, batch, 2, () -> false));
    assertEquals(List.of(1, 2), fired);
    assertEquals(3, queue.fireDue(0, batch, 60, () -> false));
    assertEquals(List.of(1, 2, 4, 5), fired);
    assertEquals(2, queue.size(), "one failed, one is not due");
    assertTrue(queue.cancel(later));
    queue.close();
    Await.until(
        "it is tried again", () -> queue.fireDue(0, batch, 60, () -> false) == 1, queue::size);
    assertEquals(List.of(1, 2, 4, 5, 3), fired);
    assertEquals(1, drained.get());
  }

  /** G5, G11: one that fires a timer in each turn, and leaves others that are due. */
  @Test
  void aBusyWorkerDoesNotPutTheTimerThreadOff() {
    ManualClock clock = new ManualClock();
    List<Integer> fired = new CopyOnWriteArrayList<>();
    TimerQueue queue =
        new TimerQueue(
            1,
            () -> 0,
            clock,
            TimerQueueTest::start,
            () -> true,
            () -> {},
            TimerQueueTest::unexpected);
    for (int i : new int[] {1, 2, 4}) {
      assertTrue(queue.arm(new Node(i, fired), 0));
    }
    // A park is for so long from when it begins: not while the test moves the clock on.
    clock.awaitParkedFor(Duration.ofMillis(1));
    TimerBatch batch = new TimerBatch();
    Duration untilTheNextTurn = Duration.ofNanos(400_000);
    for (int turn = 0; turn < 2; turn++) {
      clock.advance(untilTheNextTurn);
      assertEquals(1, queue.fireInTurn(0, batch, 1));
    }
    assertEquals(List.of(1, 2), fired);
    clock.advance(untilTheNextTurn); // a millisecond after the last is due
    assertEquals(List.of(1, 2, 4), fired, "the timer thread has fired it");
    queue.close();
  }

  /** G11: where order matters, timers that were fired before are waited for. */
  @Test
  void aWorkerDoesNotOvertakeWhatWasFiredBeforeIt() {
    List<Integer> fired = new CopyOnWriteArrayList<>();
    TimerQueue queue =
        new TimerQueue(
            1,
            () -> 0,
            MonotonicClock.SYSTEM,
            body -> true,
            () -> true,
            () -> {},
            TimerQueueTest::unexpected);
    assertTrue(queue.arm(new Node(1, fired), 0));
    TimerBatch batch = new TimerBatch();
    assertEquals(0, queue.fireDue(0, batch, 60, () -> true), "others wait elsewhere");
    TimerBatch inner = new TimerBatch();
    TimerNode node =
        new InertTimer() {
          @Override
          protected void fire() {
            fired.add(queue.fireDue(0, inner, 60, () -> false));
          }
        };
    assertEquals(1, queue.fireDue(0, batch, 60, () -> false));
    assertTrue(queue.arm(node, 0));
    assertTrue(queue.arm(new Node(2, fired), 0));
    assertEquals(1, queue.fireDue(0, batch, 1, () -> false));
    assertEquals(List.of(1, 0), fired, "2 is due while another one is being fired");
    assertEquals(1, queue.fireDue(0, batch, 60, () -> false));
    assertEquals(List.of(1, 0, 2), fired);
  }

  /** As periodic ones are. Says what it sees when it is dropped. */
  private static final class Dropped extends InertTimer {
    private final Runnable whenDropped;

    Dropped(Runnable whenDropped) {
      this.whenDropped = whenDropped;
    }

    @Override
    protected boolean survivesShutdown() {
      return false;
    }

    @Override
    protected void dropped() {
      whenDropped.run();
    }
  }

  private static TimerQueue withoutThread(Runnable onDrained) {
    return new TimerQueue(
        1,
        () -> 0,
        MonotonicClock.SYSTEM,
        body -> true,
        () -> true,
        onDrained,
        TimerQueueTest::unexpected);
  }

  /** Others cancel theirs while a large number is dropped; and nothing is over before the last. */
  @Test
  void theLockIsGivenBackWhileManyAreDropped_andTheQueueIsDrainedAfterThem() {
    AtomicInteger drained = new AtomicInteger();
    TimerQueue queue = withoutThread(drained::incrementAndGet);
    List<Integer> sizes = new ArrayList<>();
    List<TimerNode> nodes = new ArrayList<>();
    Runnable whenDropped =
        () -> {
          assertEquals(0, drained.get());
          sizes.add(queue.size());
          // And looks whether any is left, as each cancellation does.
          assertEquals(sizes.size() == 1, queue.cancel(nodes.get(nodes.size() - 1)));
        };
    for (int i = 0; i < TIMERS; i++) {
      nodes.add(new Dropped(whenDropped));
      assertTrue(queue.arm(nodes.get(i), TimeUnit.HOURS.toNanos(1)));
    }
    queue.close();
    assertEquals(TIMERS - 1, sizes.size(), "all, but for the cancelled one");
    assertEquals(TIMERS - 64, sizes.get(0), "the others are still armed");
    assertEquals(0, queue.size());
    assertEquals(1, drained.get());
  }

  @Test
  void whatIsTakenBackIsInTheOrderOfItsDeadlines() {
    TimerQueue queue = withoutThread(() -> {});
    for (int i = 0; i < TIMERS; i++) { // falling, so that few are in a lane
      assertTrue(queue.arm(new InertTimer(), TimeUnit.HOURS.toNanos(TIMERS - i)));
    }
    queue.close();
    List<TimerNode> later = queue.takeLaterThan(TimeUnit.HOURS.toNanos(150));
    List<TimerNode> rest = queue.closeNow();
    assertEquals(50, later.size());
    assertEquals(150, rest.size());
    for (List<TimerNode> taken : List.of(later, rest)) {
      for (int i = 1; i < taken.size(); i++) {
        assertTrue(taken.get(i).deadline - taken.get(i - 1).deadline > 0);
      }
    }
  }

  private static void unexpected(Throwable thrown) {
    throw new AssertionError("from a timer", thrown);
  }

  private static boolean start(Runnable body) {
    new Thread(body, "timers").start();
    return true;
  }

  private static List<Integer> numbers(boolean failing) {
    return IntStream.range(0, TIMERS).filter(n -> n % 3 == 0 == failing).boxed().toList();
  }
}
