package dev.catnap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.testing.Await;
import dev.catnap.testing.NoThreadLeft;
import dev.catnap.testing.TaskTimer;
import dev.catnap.testing.TestPools;
import dev.catnap.testing.TestScale;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * G2, G7, F6: who calls the scheduler in a recursion that has no end gets a {@link
 * StackOverflowError}, and then that call has done nothing; every other one has done all.
 */
@ExtendWith(NoThreadLeft.class)
class EndOfTheStackTest {
  private static final int WORKERS = 2;
  private static final long SMALL_STACK = 256 * 1024;

  /** More calls than fit there: 13 bytes for each were seen, for several share a frame. */
  private static final int DEEPEST = (int) SMALL_STACK / 4;

  private final AtomicInteger ran = new AtomicInteger();
  private final Runnable task = ran::incrementAndGet;

  /** Calls that returned. Of the thread that makes them; read when it is over. */
  private int accepted;

  private final WorkStealingScheduler scheduler = TestPools.withoutSpares(WORKERS).build();

  /** One that counts itself when it is over, which needs no stack. */
  @FunctionalInterface
  private interface Call {
    void make();
  }

  @SuppressWarnings("InfiniteRecursion")
  private static long descend(Call call, long depth) {
    call.make();
    return descend(call, depth + 1) ^ depth;
  }

  /** Begins a little further down each time: the end is met at every step of the call. */
  private static long descendFrom(int level, Call call) {
    return level == 0 ? descend(call, 0) : descendFrom(level - 1, call) + level;
  }

  private static void untilTheEnd(int level, Call call) {
    try {
      long ignored = descendFrom(level, call);
    } catch (StackOverflowError expected) {
      return;
    }
    throw new AssertionError("a stack without an end");
  }

  /** The first calls where there is room for the loader of classes, and for the linker. */
  private static void enough(Call call) {
    for (int i = 0; i < 200; i++) {
      call.make();
    }
  }

  private void outside(Call call) throws Exception {
    for (int level = 0; level < TestScale.of(60); level++) {
      int from = level;
      inADeepThread(
          () -> {
            enough(call);
            untilTheEnd(from, call);
          });
      assertAllRan();
    }
  }

  /** What it throws fails the test. */
  private static void inADeepThread(Runnable body) throws Exception {
    FutureTask<?> whole = new FutureTask<>(body, null);
    Thread thread = new Thread(null, whole, "deep", SMALL_STACK);
    thread.start();
    thread.join();
    whole.get();
  }

  private void onAWorker(Call call) throws Exception {
    for (int level = 0; level < TestScale.of(30); level++) {
      int from = level;
      scheduler
          .submit(
              () -> {
                enough(call);
                untilTheEnd(from, call);
              })
          .get(Await.DEADLINE_SECONDS, TimeUnit.SECONDS);
      assertAllRan();
    }
  }

  private void assertAllRan() {
    Await.until("all run that were accepted", () -> ran.get() >= accepted, this::state);
    Quiescence.await(scheduler);
    assertEquals(accepted, ran.get(), "and no other");
    assertEquals(0, scheduler.stats().blockedWorkers());
  }

  private String state() {
    return accepted + " accepted, " + ran.get() + " ran, " + scheduler.stats();
  }

  private void execute() {
    scheduler.execute(task);
    accepted++;
  }

  @Test
  void executeFromOutside() throws Exception {
    try (scheduler) {
      outside(this::execute);
    }
  }

  @Test
  void executeOnAWorker() throws Exception {
    try (scheduler) {
      onAWorker(this::execute);
    }
  }

  @Test
  void toOneWorker() throws Exception {
    var confined = scheduler.confinedTo(1);
    try (scheduler) {
      outside(
          () -> {
            confined.execute(task);
            accepted++;
          });
    }
  }

  @Test
  void timers() throws Exception {
    try (scheduler) {
      outside(
          () -> {
            var ignored = scheduler.schedule(task, 1, TimeUnit.NANOSECONDS);
            accepted++;
          });
    }
  }

  /**
   * Of timers that were armed where there was room. The one whose cancellation failed can be
   * cancelled afterwards.
   *
   * @param arm gives what cancels a new timer, and tells whether it was there to be cancelled
   */
  private void cancelled(Supplier<BooleanSupplier> arm) throws Exception {
    for (int level = 0; level < TestScale.of(60); level++) {
      int from = level;
      var cancels = Stream.generate(arm).limit(DEEPEST).toList();
      accepted = 0;
      inADeepThread(
          () ->
              untilTheEnd(
                  from,
                  () -> {
                    if (cancels.get(accepted).getAsBoolean()) {
                      accepted++;
                    }
                  }));
      assertTrue(cancels.stream().skip(accepted).allMatch(BooleanSupplier::getAsBoolean));
      assertEquals(0, scheduler.stats().armedTimers());
    }
  }

  @Test
  void cancelledTimers() throws Exception {
    try (scheduler) {
      cancelled(
          () -> {
            var timer = scheduler.schedule(task, 1, TimeUnit.HOURS);
            return () -> timer.cancel(false);
          });
    }
  }

  @Test
  void cancelledTimersOfAnAdapter() throws Exception {
    try (scheduler) {
      long hour = TimeUnit.HOURS.toNanos(1);
      cancelled(
          () -> {
            var timer = new TaskTimer(task);
            scheduler.adapter().arm(timer, hour);
            return timer::cancel;
          });
    }
  }

  @Test
  void sections() throws Exception {
    var adapter = scheduler.adapter();
    try (scheduler) {
      onAWorker(
          () -> {
            if (adapter.beginBlocking()) {
              adapter.endBlocking();
            }
          });
    }
  }

  @Test
  void lanes() throws Exception {
    try (var own = TestPools.withDeclaredSparesOnly(WORKERS).build();
        scheduler) {
      var lane = own.blockingLane("deep", 1, 1_000_000);
      outside(
          () -> {
            lane.execute(task);
            accepted++;
          });
    }
  }

  @Test
  void forks() throws Exception {
    try (scheduler) {
      onAWorker(
          () -> {
            scheduler.join(task, task);
            accepted += 2;
          });
    }
  }
}
