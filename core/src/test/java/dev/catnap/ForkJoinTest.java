package dev.catnap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.testing.Await;
import dev.catnap.testing.NoThreadLeft;
import dev.catnap.testing.TestPools;
import dev.catnap.testing.TestScale;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What join and scope run, return and throw (G2, G10). */
@ExtendWith(NoThreadLeft.class)
class ForkJoinTest {

  /** No spare takes a branch that the only worker is to find where it has left it. */
  private static WorkStealingScheduler scheduler(int parallelism) {
    return TestPools.withoutSpares(parallelism).build();
  }

  // ---- what runs
  // ---------------------------------------------------------------------------------

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8})
  void aRecursionOfJoinsReturnsWhatItComputes(int parallelism) {
    int rounds = TestScale.of(20);
    try (var scheduler = scheduler(parallelism)) {
      for (int round = 0; round < rounds; round++) {
        assertEquals(6765, fib(scheduler, 20));
      }
      Quiescence.await(scheduler);
      SchedulerStats stats = scheduler.stats();
      assertEquals(stats.published(), stats.executed(), stats::toString);
      // A join for each number above 1, and the root from outside.
      assertEquals((long) rounds * (10_945 + 1), stats.executed(), stats::toString);
    }
  }

  private static long fib(WorkStealingScheduler scheduler, int n) {
    if (n < 2) {
      return n;
    }
    var both = scheduler.join(() -> fib(scheduler, n - 1), () -> fib(scheduler, n - 2));
    return both.left() + both.right();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8})
  void aTreeOfForksInOneScopeIsOverWhenTheScopeReturns(int parallelism) {
    try (var scheduler = scheduler(parallelism)) {
      for (int round = 0; round < 20; round++) {
        AtomicInteger leaves = new AtomicInteger();
        assertEquals(
            "done",
            scheduler.scope(
                scope -> {
                  grow(scope, 10, leaves);
                  return "done";
                }));
        assertEquals(1 << 10, leaves.get());
      }
      Quiescence.await(scheduler);
      SchedulerStats stats = scheduler.stats();
      assertEquals(stats.published(), stats.executed(), stats::toString);
    }
  }

  private static void grow(ForkScope scope, int height, AtomicInteger leaves) {
    if (height == 0) {
      leaves.incrementAndGet();
      return;
    }
    scope.fork(() -> grow(scope, height - 1, leaves));
    scope.fork(() -> grow(scope, height - 1, leaves));
  }

  /** Joins under subtasks, and scopes under branches. */
  @Test
  void joinsAndScopesNest() {
    try (var scheduler = scheduler(2)) {
      AtomicInteger ran = new AtomicInteger();
      for (int round = 0; round < 100; round++) {
        mix(scheduler, 6, ran);
      }
      assertEquals(100 * 4 * 4 * 4, ran.get());
      Quiescence.await(scheduler);
    }
  }

  private static void mix(WorkStealingScheduler scheduler, int depth, AtomicInteger ran) {
    if (depth == 0) {
      ran.incrementAndGet();
      return;
    }
    Runnable next = () -> mix(scheduler, depth - 1, ran);
    if (depth % 2 == 0) {
      scheduler.join(next, next);
    } else {
      scheduler.<Integer>scope(
          scope -> {
            scope.fork(next);
            scope.fork(next);
            return 0;
          });
    }
  }

  /** G1: a branch that waits for the other needs a worker of its own. */
  @Test
  void bothBranchesRunAtTheSameTime() {
    int rounds = TestScale.of(1_000);
    try (var scheduler = scheduler(2)) {
      for (int round = 0; round < rounds; round++) {
        CountDownLatch both = new CountDownLatch(2);
        Runnable branch =
            () -> {
              both.countDown();
              Await.quietly(both);
            };
        scheduler.join(branch, branch);
      }
    }
  }

  @Test
  void theLeftBranchRunsAtOnce_theRightOneAfterItOnTheSameThread() throws Exception {
    try (var scheduler = scheduler(1)) {
      StringBuilder order = new StringBuilder();
      scheduler
          .submit(
              () -> {
                Thread caller = Thread.currentThread();
                scheduler.join(
                    () -> order.append("left ").append(Thread.currentThread() == caller),
                    () -> order.append(" right ").append(Thread.currentThread() == caller));
              })
          .get();
      assertEquals("left true right true", order.toString());
    }
  }

  @Test
  void resultsMayBeNull() {
    try (var scheduler = scheduler(1)) {
      Callable<String> nothing = () -> null;
      Joined<String, String> both = scheduler.join(nothing, nothing);
      assertNull(both.left());
      assertNull(both.right());
      assertNull(scheduler.<String>scope(scope -> null));
    }
  }

  @Test
  void aDeepRecursionOfJoinsEnds() {
    try (var scheduler = scheduler(2)) {
      AtomicInteger rights = new AtomicInteger();
      for (int round = 0; round < 20; round++) {
        descend(scheduler, 500, rights);
      }
      assertEquals(20 * 500, rights.get());
    }
  }

  private static void descend(WorkStealingScheduler scheduler, int depth, AtomicInteger rights) {
    if (depth > 0) {
      scheduler.join(() -> descend(scheduler, depth - 1, rights), rights::incrementAndGet);
    }
  }

  /** F6: wherever on its way the stack ends, the scheduler goes on as before. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aRecursionThatNeverEndsThrowsAndTheSchedulerGoesOn(int parallelism) {
    try (var scheduler = scheduler(parallelism)) {
      for (int round = 0; round < 10; round++) {
        assertThrows(StackOverflowError.class, () -> endless(scheduler));
      }
      assertEquals(6765, fib(scheduler, 20));
      Quiescence.await(scheduler);
    }
  }

  private static void endless(WorkStealingScheduler scheduler) {
    scheduler.join(() -> endless(scheduler), () -> {});
  }

  // ---- what is thrown
  // ----------------------------------------------------------------------------

  @Test
  void ifTheLeftBranchThrowsTheRightOneThatNobodyHasBegunDoesNotRun() {
    try (var scheduler = scheduler(1)) {
      AtomicBoolean ran = new AtomicBoolean();
      var e =
          assertThrows(
              IllegalStateException.class,
              () ->
                  scheduler.join(
                      () -> {
                        throw new IllegalStateException("left");
                      },
                      () -> ran.set(true)));
      assertEquals("left", e.getMessage());
      assertEquals(0, e.getSuppressed().length);
      Quiescence.await(scheduler);
      assertFalse(ran.get());
      SchedulerStats stats = scheduler.stats();
      assertEquals(stats.published(), stats.executed(), stats::toString);
    }
  }

  /** And if the right one has begun it is over, before anything is thrown. */
  @Test
  void ifBothThrowTheRightOneIsSuppressed() {
    int rounds = TestScale.of(1_000);
    try (var scheduler = scheduler(2)) {
      for (int round = 0; round < rounds; round++) {
        CountDownLatch rightRuns = new CountDownLatch(1);
        AtomicBoolean rightIsOver = new AtomicBoolean();
        var e =
            assertThrows(
                IllegalStateException.class,
                () ->
                    scheduler.join(
                        () -> {
                          Await.quietly(rightRuns);
                          throw new IllegalStateException("left");
                        },
                        () -> {
                          rightRuns.countDown();
                          Thread.yield();
                          rightIsOver.set(true);
                          throw new IllegalArgumentException("right");
                        }));
        assertTrue(rightIsOver.get());
        assertEquals("left", e.getMessage());
        assertEquals("right", e.getSuppressed()[0].getMessage());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void whatTheRightBranchThrowsIsThrown(int parallelism) {
    try (var scheduler = scheduler(parallelism)) {
      for (int round = 0; round < 100; round++) {
        AssertionError thrown = new AssertionError("right");
        assertSame(
            thrown,
            assertThrows(
                AssertionError.class,
                () ->
                    scheduler.join(
                        () -> {},
                        () -> {
                          throw thrown;
                        })));
      }
      assertEquals(0, scheduler.stats().uncaughtExceptions());
    }
  }

  @Test
  void aCheckedExceptionIsWrapped() {
    try (var scheduler = scheduler(2)) {
      Callable<Integer> fails =
          () -> {
            throw new IOException("checked");
          };
      Callable<Integer> works = () -> 1;
      var left = assertThrows(CompletionException.class, () -> scheduler.join(fails, works));
      assertInstanceOf(IOException.class, left.getCause());
      var right = assertThrows(CompletionException.class, () -> scheduler.join(works, fails));
      assertInstanceOf(IOException.class, right.getCause());
    }
  }

  @Test
  void aScopeThrowsTheFirstWithTheOthersSuppressed_andAllSubtasksRun() {
    try (var scheduler = scheduler(1)) {
      AtomicInteger ran = new AtomicInteger();
      var e =
          assertThrows(
              IllegalStateException.class,
              () ->
                  scheduler.<Integer>scope(
                      scope -> {
                        for (int i = 0; i < 3; i++) {
                          scope.fork(
                              () -> {
                                ran.incrementAndGet();
                                throw new IllegalArgumentException("subtask");
                              });
                        }
                        throw new IllegalStateException("body");
                      }));
      assertEquals(3, ran.get());
      assertEquals("body", e.getMessage());
      assertEquals(3, e.getSuppressed().length);
    }
  }

  @Test
  void aScopeThatIsOverForksNothing() {
    try (var scheduler = scheduler(1)) {
      AtomicReference<ForkScope> kept = new AtomicReference<>();
      scheduler.<Integer>scope(
          scope -> {
            kept.set(scope);
            return 0;
          });
      var e = assertThrows(IllegalStateException.class, () -> kept.get().fork(new Named()));
      assertTrue(e.getMessage().contains("a task with a name"), e.getMessage());
    }
  }

  private static final class Named implements Runnable {
    @Override
    public void run() {
      throw new AssertionError("refused, so not to be run");
    }

    @Override
    public String toString() {
      return "a task with a name";
    }
  }

  /** F10. */
  @Test
  void nullIsRefusedByName() {
    try (var scheduler = scheduler(1)) {
      Runnable nothing = () -> {};
      Callable<Integer> one = () -> 1;
      assertNamed("left", () -> scheduler.join((Runnable) null, nothing));
      assertNamed("right", () -> scheduler.join(nothing, null));
      assertNamed("left", () -> scheduler.join((Callable<Integer>) null, one));
      assertNamed("right", () -> scheduler.join(one, null));
      assertNamed("body", () -> scheduler.scope(null));
      assertNamed(
          "task",
          () ->
              scheduler.<Integer>scope(
                  scope -> {
                    scope.fork(null);
                    return 0;
                  }));
    }
  }

  private static void assertNamed(String name, Runnable call) {
    var e = assertThrows(NullPointerException.class, call::run);
    assertEquals(name, e.getMessage());
  }

  // ---- from where it is called
  // -------------------------------------------------------------------

  @Test
  void calledOutsideItRunsOnAWorker() {
    try (var scheduler = scheduler(1)) {
      var both = scheduler.join(Thread::currentThread, Thread::currentThread);
      assertNotSame(Thread.currentThread(), both.left());
      assertTrue(both.right().getName().contains("-worker-"), both.right()::getName);
    }
  }

  /** An interrupt neither ends the wait nor gets lost. */
  @Test
  void anInterruptOfAThreadOutsideIsKept() {
    try (var scheduler = scheduler(2)) {
      Thread outside = Thread.currentThread();
      scheduler.join(outside::interrupt, () -> {});
      assertTrue(Thread.interrupted());
      assertEquals(6765, fib(scheduler, 20));
    }
  }

  /** A subtask is forked from a thread that is not a worker. */
  @Test
  void aScopeCanBeHandedToAThreadOutside() {
    try (var scheduler = scheduler(1)) {
      AtomicInteger ran = new AtomicInteger();
      for (int round = 0; round < 100; round++) {
        scheduler.<Integer>scope(
            scope -> {
              Thread outside = new Thread(() -> scope.fork(ran::incrementAndGet), "outside");
              outside.start();
              Await.until("it has forked", () -> !outside.isAlive(), scheduler::stats);
              return 0;
            });
        assertEquals(round + 1, ran.get());
      }
    }
  }
}
