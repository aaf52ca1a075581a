package dev.catnap.internal.sentinel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.spi.MonotonicClock;
import dev.catnap.testing.Await;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * How the sentinel's thread comes and goes (G1, G4): which park follows which round, and which call
 * wakes it. The thread is the test's own, and what happens while it is parked is written down
 * before.
 */
class DutyTest {
  private static final long LINGER = 1_000;
  private static final long TICK = 10;

  private final List<String> seen = new ArrayList<>();

  /** One for each park, in turn; when there is none left, the duty is closed. */
  private final Queue<Runnable> whileParked = new ArrayDeque<>();

  /** What each round returns; when there is none left, it goes off duty. */
  private final Deque<Long> rounds = new ArrayDeque<>();

  private final AtomicReference<Runnable> body = new AtomicReference<>();

  private static final List<String> LINGERED = List.of("looks", "parks for 1000", "forgets");
  private static final List<String> PARKS = List.of("parks");
  private static final List<String> CALLED_LATE = List.of("parks", "is woken", "looks", "forgets");

  /** A round that throws. */
  private static final long FAILS = -1;

  private long now;

  /** No thread can be had. */
  private boolean cannotStart;

  /** What happens to the thread's body before the call that started it goes on. */
  private Consumer<Runnable> whenStarted = b -> {};

  private final Duty duty =
      new Duty(
          LINGER,
          new MonotonicClock() {
            @Override
            public long nanoTime() {
              return now;
            }

            @Override
            public void park(Object blocker) {
              parked("parks");
            }

            @Override
            public void parkNanos(Object blocker, long nanos) {
              parked("parks for " + nanos);
            }

            @Override
            public void unpark(Thread thread) {
              seen.add("is woken");
            }
          },
          b -> {
            if (cannotStart) {
              throw new InternalError("the test wants it so");
            }
            body.set(b);
            whenStarted.accept(b);
            return true;
          },
          new Duty.Work() {
            @Override
            public long round() {
              seen.add("looks");
              if (rounds.isEmpty()) {
                duty().leave();
                return 0;
              }
              long wait = rounds.remove();
              if (wait == FAILS) {
                duty().leave(); // it was about to look again
                throw new InternalError("the test wants it so");
              }
              return wait;
            }

            @Override
            public void forget() {
              seen.add("forgets");
            }

            @Override
            public void failed(Throwable t) {
              seen.add("tells");
              throw new InternalError("the test wants it so");
            }
          },
          t -> {
            seen.add("tells that it has no thread");
            throw new InternalError("the test wants it so");
          });

  private Duty duty() {
    return duty;
  }

  private void parked(String how) {
    seen.add(how);
    Runnable next = whileParked.poll();
    if (next != null) {
      next.run();
    } else {
      duty.close();
      seen.remove(seen.size() - 1); // the unpark of the close
    }
  }

  /** Called, and then on its thread, until all is over that was written down. */
  private List<String> run() {
    assertTrue(duty.call());
    body.get().run();
    return seen;
  }

  @Test
  void offDutyItLingers_andThenParksWithoutATimeout() {
    whileParked.add(() -> {}); // its time is over
    assertEquals(List.of("looks", "parks for 1000", "forgets", "parks"), run());
  }

  /** Or its second look, which exposes slots, would follow the first at once. */
  @Test
  void itIsNotWokenByTheCallThatStartedIt() {
    whenStarted = Runnable::run;
    rounds.add(TICK);
    boolean closedMeanwhile = duty.call();
    assertFalse(closedMeanwhile);
    assertEquals(List.of("looks", "parks for 10"), seen);
  }

  /** Or it would stay, as one that is called often. */
  @Test
  void itIsNotCalledAgainByTheCallThatStartedIt_ifItHasLeftMeanwhile() throws InterruptedException {
    CountDownLatch parked = new CountDownLatch(1);
    CountDownLatch goesOn = new CountDownLatch(1);
    AtomicReference<Thread> thread = new AtomicReference<>();
    whileParked.add(
        () -> {
          parked.countDown();
          Await.quietly(goesOn);
        });
    whenStarted =
        b -> {
          Thread t = new Thread(b, "the sentinel");
          thread.set(t);
          t.start();
          Await.latch("it lingers", parked, () -> seen);
        };
    assertTrue(duty.call());
    goesOn.countDown();
    thread.get().join();
    assertEquals(inTurn(List.of(LINGERED, PARKS)), seen);
  }

  @Test
  void onDutyItParksForATick() {
    rounds.add(TICK);
    whileParked.add(() -> assertTrue(duty.isOn()));
    assertEquals(List.of("looks", "parks for 10", "looks", "parks for 1000"), run());
  }

  /** G1, F9: pushes into slots were silent, and nobody else looks there. */
  @Test
  void aRoundThatThrowsIsMadeAgain_andToldOnceInARow() {
    rounds.addAll(List.of(FAILS, FAILS, TICK, FAILS));
    for (int i = 0; i < 3; i++) {
      whileParked.add(() -> assertTrue(duty.isOn()));
    }
    assertEquals(
        List.of(
            "looks",
            "forgets",
            "tells",
            "parks for 1000", // again soon, with slots still its own
            "looks",
            "forgets",
            "parks for 1000",
            "looks",
            "parks for 10",
            "looks",
            "forgets",
            "tells",
            "parks for 1000"),
        run());
  }

  /** G2, F9: whoever called has published; if this threw, it would run the task elsewhere too. */
  @Test
  void withoutAThread_andWithoutMemoryToSaySo_theCallerPublishesWithAllSteps() {
    cannotStart = true;
    assertFalse(duty.call());
    assertFalse(duty.isOn());
    assertEquals(List.of("tells that it has no thread"), seen);
  }

  /** G1: however it ends, nobody relies on it from then on. */
  @Test
  void ifItsThreadDies_pushesAreNotSilentAnyMore() {
    rounds.add(TICK);
    whileParked.add(
        () -> {
          throw new StackOverflowError("the test wants it so");
        });
    assertThrows(StackOverflowError.class, this::run);
    assertFalse(duty.isOn());
    assertFalse(duty.call());
  }

  @Test
  void calledWhileItLingersByOneThatHasTime_itIsOnDutyAndNotWoken() {
    whileParked.add(
        () -> {
          assertFalse(duty.isOn());
          assertTrue(duty.callSoon());
          assertTrue(duty.isOn());
          assertTrue(duty.callSoon());
        });
    assertEquals(List.of("looks", "parks for 1000", "looks", "parks for 1000"), run());
  }

  @Test
  void calledWhileItLingersByOneInHaste_itIsWoken() {
    whileParked.add(
        () -> {
          assertTrue(duty.call());
          assertTrue(duty.isOn());
          assertTrue(duty.call());
        });
    assertEquals(List.of("looks", "parks for 1000", "is woken", "looks", "parks for 1000"), run());
  }

  @Test
  void calledByBoth_itIsWokenOnce() {
    whileParked.add(
        () -> {
          assertTrue(duty.callSoon());
          assertTrue(duty.call());
          assertTrue(duty.callSoon());
        });
    assertEquals(List.of("looks", "parks for 1000", "is woken", "looks", "parks for 1000"), run());
  }

  @Test
  void calledWhenItHasLingered_itIsWokenByEither() {
    whileParked.add(() -> {});
    whileParked.add(() -> assertTrue(duty.callSoon()));
    whileParked.add(() -> {});
    whileParked.add(() -> assertTrue(duty.call()));
    List<String> woken = List.of("parks", "is woken", "looks", "parks for 1000");
    List<String> expected = new ArrayList<>(List.of("looks", "parks for 1000", "forgets"));
    expected.addAll(woken);
    expected.add("forgets");
    expected.addAll(woken);
    assertEquals(expected, run());
  }

  /** G4: a service with a request now and then pays for no wake more than it must. */
  @Test
  void calledSeldom_itDoesNotLinger() {
    whileParked.add(() -> {}); // its time is over
    whileParked.add(() -> callAfter(LINGER));
    whileParked.add(() -> callAfter(LINGER));
    assertEquals(inTurn(List.of(LINGERED, CALLED_LATE, CALLED_LATE, PARKS)), run());
  }

  @Test
  void calledOftenAgain_itLingersAgain() {
    whileParked.add(() -> {}); // its time is over
    whileParked.add(() -> callAfter(LINGER));
    whileParked.add(() -> callAfter(LINGER - 1));
    List<String> calledSoon = List.of("parks", "is woken", "looks", "parks for 1000");
    assertEquals(inTurn(List.of(LINGERED, CALLED_LATE, calledSoon)), run());
  }

  /** Ten milliseconds after it had left, and five after it had lingered. */
  @Test
  void calledAtOnceWhenItHasLingered_itWasNotCalledSoon() {
    whileParked.add(() -> now += LINGER);
    whileParked.add(() -> callAfter(1));
    assertEquals(inTurn(List.of(LINGERED, CALLED_LATE, PARKS)), run());
  }

  private void callAfter(long nanos) {
    now += nanos;
    assertTrue(duty.call());
  }

  private static List<String> inTurn(List<List<String>> parts) {
    return parts.stream().flatMap(List::stream).toList();
  }

  @Test
  void aParkThatReturnsForNoReasonDoesNotPutItOnDuty() {
    whileParked.add(() -> {});
    whileParked.add(() -> {});
    assertEquals(List.of("looks", "parks for 1000", "forgets", "parks", "parks"), run());
    assertFalse(duty.isOn());
  }

  /** It looks again after it has left, and must not linger if it finds something. */
  @Test
  void neededWhenItHasLeft_itStaysOnDuty() {
    assertTrue(duty.call());
    duty.leave();
    duty.resume();
    assertTrue(duty.isOn());
    duty.leave();
    assertTrue(duty.callSoon());
    duty.resume();
    whileParked.add(() -> {});
    body.get().run();
    assertEquals("looks", seen.get(0));
  }

  @Test
  void closedWhileItLingers_itEnds() {
    assertEquals(List.of("looks", "parks for 1000"), run());
    assertFalse(duty.call());
    assertFalse(duty.callSoon());
    assertFalse(duty.isOn());
  }
}
