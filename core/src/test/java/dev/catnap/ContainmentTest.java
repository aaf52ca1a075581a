package dev.catnap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.catnap.testing.Await;
import dev.catnap.testing.NoThreadLeft;
import dev.catnap.testing.TestPools;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** G7: what one task throws or leaves behind ends with it. */
@ExtendWith(NoThreadLeft.class)
class ContainmentTest {

  @Test
  void whateverATaskThrowsReachesTheHandlerOnceAndTheWorkerGoesOn() throws Exception {
    BlockingQueue<Throwable> thrown = new LinkedBlockingQueue<>();
    try (var scheduler =
        TestPools.withoutSpares(1).uncaughtExceptionHandler((t, e) -> thrown.add(e)).build()) {
      Thread worker = scheduler.submit(Thread::currentThread).get();
      scheduler.execute(
          () -> {
            throw new IllegalStateException("exception");
          });
      scheduler.execute(
          () -> {
            throw new AssertionError("error");
          });
      scheduler.execute(ContainmentTest::overflowTheStack);
      scheduler.execute(
          () -> {
            throw new OutOfMemoryError("thrown by the test");
          });
      assertEquals(worker, scheduler.submit(Thread::currentThread).get()); // F6
      List<Class<?>> expected =
          List.of(
              IllegalStateException.class,
              AssertionError.class,
              StackOverflowError.class,
              OutOfMemoryError.class);
      for (Class<?> type : expected) {
        assertInstanceOf(type, thrown.poll(Await.DEADLINE_SECONDS, TimeUnit.SECONDS));
      }
      assertEquals(0, thrown.size());
      assertEquals(4, scheduler.stats().uncaughtExceptions());
    }
  }

  @SuppressWarnings("InfiniteRecursion") // the subject
  private static void overflowTheStack() {
    overflowTheStack();
  }

  /** Tokio's {@code UnhandledPanic::ShutdownRuntime}. */
  @Test
  void aHandlerMayShutTheSchedulerDown() {
    AtomicReference<WorkStealingScheduler> stops = new AtomicReference<>();
    BlockingQueue<Runnable> notRun = new LinkedBlockingQueue<>();
    try (var scheduler =
        TestPools.withoutSpares(1) // which would run what waits
            .uncaughtExceptionHandler((t, e) -> notRun.addAll(stops.get().shutdownNow()))
            .build()) {
      stops.set(scheduler);
      Runnable waits = () -> {};
      scheduler.execute(
          () -> {
            scheduler.execute(waits);
            throw new IllegalStateException("unhandled");
          });
      Await.until("it is over", scheduler::isTerminated, scheduler::stats);
      assertEquals(List.of(waits), List.copyOf(notRun));
    }
  }

  @Test
  void aHandlerThatThrowsIsContainedToo() throws Exception {
    try (var scheduler =
        TestPools.withoutSpares(1)
            .uncaughtExceptionHandler(
                (t, e) -> {
                  throw new IllegalStateException("from the handler");
                })
            .build()) {
      Thread worker = scheduler.submit(Thread::currentThread).get();
      scheduler.execute(
          () -> {
            throw new IllegalStateException("from the task");
          });
      assertEquals(worker, scheduler.submit(Thread::currentThread).get()); // F7
    }
  }

  @Test
  void theNextTaskSeesNothingOfWhatATaskDidToItsThread() throws Exception {
    try (var scheduler = TestPools.withoutSpares(1).build()) {
      record State(String name, int priority, ClassLoader loader, boolean interrupted) {
        static State now() {
          Thread t = Thread.currentThread();
          return new State(
              t.getName(), t.getPriority(), t.getContextClassLoader(), Thread.interrupted());
        }
      }
      State before = scheduler.submit(State::now).get();
      State changed =
          scheduler
              .submit(
                  () -> {
                    Thread t = Thread.currentThread();
                    t.setName("changed");
                    t.setPriority(Thread.MIN_PRIORITY);
                    t.setContextClassLoader(new ClassLoader() {});
                    State s = State.now();
                    t.interrupt();
                    return s;
                  })
              .get();
      assertNotEquals(before, changed);
      assertEquals(before, scheduler.submit(State::now).get()); // F11
      assertFalse(before.interrupted());
    }
  }

  /**
   * One that kept an interrupt would find every park over at once, and never be seen to wait. How
   * often it parks for one task: {@code SleepStepsTest.aSleeperParksUntilItIsClaimed}.
   */
  @Test
  void interruptsFromOutsideNeitherKillNorSpinAWorker() throws Exception {
    AtomicBoolean stop = new AtomicBoolean();
    try (var scheduler = TestPools.withoutSpares(2).build()) {
      Thread a = scheduler.submit(Thread::currentThread).get();
      Thread outsider =
          new Thread(
              () -> {
                while (!stop.get()) {
                  a.interrupt(); // F12
                }
              });
      outsider.start();
      for (int i = 0; i < 2_000; i++) {
        CountDownLatch ran = new CountDownLatch(1);
        scheduler.execute(ran::countDown);
        Await.latch("a task beside interrupts", ran, scheduler::stats);
      }
      stop.set(true);
      outsider.join();
      Quiescence.await(scheduler);
      a.interrupt();
      Await.until(
          "the interrupt is gone, and the worker parked",
          () -> !a.isInterrupted() && a.getState() == Thread.State.WAITING,
          a::getState);
      CountDownLatch ran = new CountDownLatch(1);
      scheduler.execute(ran::countDown);
      Await.latch("a task after the interrupt", ran, scheduler::stats);
      Quiescence.await(scheduler);
    }
  }
}
