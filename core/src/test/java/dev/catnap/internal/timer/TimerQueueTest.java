package dev.catnap.internal.timer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.testing.Await;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** G11, F9: what becomes of a batch of timers of which some cannot fire. */
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
        throw new OutOfMemoryError("on purpose");
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
  void thoseForWhichThereIsNoMemoryAreTriedAgain_theOthersFireAtOnceAndInOrder() throws Exception {
    List<Integer> fired = new CopyOnWriteArrayList<>();
    List<Throwable> uncaught = new CopyOnWriteArrayList<>();
    AtomicInteger drained = new AtomicInteger();
    TimerQueue queue =
        new TimerQueue(TimerQueueTest::start, drained::incrementAndGet, uncaught::add);
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

  private static boolean start(Runnable body) {
    new Thread(body, "timers").start();
    return true;
  }

  private static List<Integer> numbers(boolean failing) {
    return IntStream.range(0, TIMERS).filter(n -> n % 3 == 0 == failing).boxed().toList();
  }
}
