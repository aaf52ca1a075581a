package dev.catnap.samples;

import static java.util.concurrent.TimeUnit.HOURS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.WorkStealingScheduler;
import io.reactivex.rxjava3.core.Completable;
import io.reactivex.rxjava3.core.Flowable;
import io.reactivex.rxjava3.core.Scheduler;
import io.reactivex.rxjava3.core.Single;
import io.reactivex.rxjava3.disposables.Disposable;
import io.reactivex.rxjava3.plugins.RxJavaPlugins;
import io.reactivex.rxjava3.schedulers.Schedulers;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * RxJava takes a scheduler for a {@code ScheduledExecutorService}; its operators keep their word.
 */
@Timeout(120)
class RxJavaTest {
  private final WorkStealingScheduler scheduler =
      WorkStealingScheduler.builder().name("rx").parallelism(2).build();
  private final Scheduler workers = Schedulers.from(scheduler);
  private final Set<String> threads = new ConcurrentSkipListSet<>();

  /** What nobody downstream is told, which in RxJava includes rejections. */
  private final Queue<Throwable> undelivered = new ConcurrentLinkedQueue<>();

  @BeforeEach
  void listen() {
    RxJavaPlugins.setErrorHandler(undelivered::add);
  }

  @AfterEach
  void close() {
    RxJavaPlugins.setErrorHandler(null);
    scheduler.close();
    assertTrue(scheduler.isTerminated());
    assertEquals(0, scheduler.stats().armedTimers());
    assertTrue(threads.stream().allMatch(t -> t.startsWith("rx-worker-")), threads.toString());
  }

  private <T> Flowable<T> seen(Flowable<T> flowable) {
    return flowable.doOnNext(element -> threads.add(Thread.currentThread().getName()));
  }

  @Test
  void intervalTicksOnWorkersAndNotEarly() {
    long start = System.nanoTime();
    List<Long> ticks =
        seen(Flowable.interval(5, MILLISECONDS, workers)).take(20).toList().blockingGet();
    long elapsed = System.nanoTime() - start;
    assertEquals(LongStream.range(0, 20).boxed().toList(), ticks);
    assertTrue(elapsed >= MILLISECONDS.toNanos(100), "20 ticks of 5 ms in " + elapsed);
    assertFalse(threads.isEmpty());
    assertTrue(undelivered.isEmpty(), undelivered.toString());
  }

  private static List<Integer> upTo1000() {
    return IntStream.range(0, 1000).boxed().toList();
  }

  /**
   * Not in order, and without a completion, which would cut off what it overtakes: RxJava makes a
   * task of each, and tasks that are due together overtake one another on several threads, those of
   * a {@code ScheduledThreadPoolExecutor} too.
   */
  @Test
  void delayedElementsAllArriveAndNotEarly() throws Exception {
    Set<Integer> elements = ConcurrentHashMap.newKeySet();
    var all = new CountDownLatch(1000);
    long start = System.nanoTime();
    Disposable delayed =
        seen(Flowable.range(0, 1000).concatWith(Flowable.never()).delay(20, MILLISECONDS, workers))
            .subscribe(
                element -> {
                  elements.add(element);
                  all.countDown();
                });
    assertTrue(all.await(30, SECONDS), "only " + elements.size());
    long elapsed = System.nanoTime() - start;
    delayed.dispose();
    assertEquals(1000, elements.size());
    assertTrue(elapsed >= MILLISECONDS.toNanos(20), "a delay of 20 ms in " + elapsed);
    assertFalse(threads.isEmpty());
  }

  /** And no spare, which a worker that is kept waiting for its core would get. */
  @Test
  void delayedElementsKeepTheirOrderOnOneWorker() {
    try (var one =
        WorkStealingScheduler.builder().name("rx").parallelism(1).maxThreads(1).build()) {
      var delayed = Flowable.range(0, 1000).delay(20, MILLISECONDS, Schedulers.from(one));
      assertEquals(upTo1000(), seen(delayed).toList().blockingGet());
    }
  }

  @Test
  void timeoutIsSignalled() {
    var failure =
        Single.never()
            .timeout(5, MILLISECONDS, workers)
            .ignoreElement()
            .materialize()
            .blockingGet()
            .getError();
    assertInstanceOf(TimeoutException.class, failure);
  }

  @Test
  void everyElementPassesOnceAndInOrder() {
    int flowables = 16;
    int elements = 20_000;
    long total =
        Flowable.range(0, flowables)
            .flatMap(
                f -> {
                  var next = new AtomicInteger();
                  return seen(Flowable.range(0, elements).observeOn(workers, false, 64))
                      .doOnNext(e -> assertEquals(next.getAndIncrement(), e));
                })
            .count()
            .blockingGet();
    assertEquals((long) flowables * elements, total);
    assertTrue(undelivered.isEmpty(), undelivered.toString());
  }

  @Test
  void aDisposedIntervalLeavesNoTimer() throws Exception {
    var threeTicks = new CountDownLatch(3);
    Disposable interval =
        seen(Flowable.interval(1, MILLISECONDS, workers)).subscribe(t -> threeTicks.countDown());
    assertTrue(threeTicks.await(30, SECONDS));
    interval.dispose();
    Disposable later = Completable.timer(1, HOURS, workers).subscribe();
    assertEquals(1, waitForTimers(1));
    later.dispose();
    assertEquals(0, waitForTimers(0));
    assertTrue(undelivered.isEmpty(), undelivered.toString());
  }

  /** A tick under way arms its next one, and takes that back. */
  private int waitForTimers(int expected) {
    long deadline = System.nanoTime() + SECONDS.toNanos(30);
    int armed;
    do {
      armed = scheduler.stats().armedTimers();
    } while (armed != expected && System.nanoTime() - deadline < 0);
    return armed;
  }

  /** RxJava has no onError for it, whatever the executor: it is told to the global handler. */
  @Test
  void afterCloseEveryRejectionIsReported() {
    scheduler.close();
    List<Flowable<?>> all =
        List.of(
            Flowable.just(1).observeOn(workers),
            Flowable.just(1).subscribeOn(workers),
            Flowable.just(1).delay(1, MILLISECONDS, workers),
            Flowable.interval(1, MILLISECONDS, workers),
            Flowable.timer(1, MILLISECONDS, workers));
    for (Flowable<?> flowable : all) {
      undelivered.clear();
      flowable.subscribe();
      assertFalse(undelivered.isEmpty(), flowable.toString());
      undelivered.forEach(
          t -> assertInstanceOf(RejectedExecutionException.class, t.getCause(), t.toString()));
    }
  }

  @Test
  void aTaskInterruptedByDisposeInterruptsNoOther() throws Exception {
    Scheduler interruptible = Schedulers.from(scheduler, true);
    for (int round = 0; round < 50; round++) {
      var running = new CountDownLatch(1);
      var interrupted = new CountDownLatch(1);
      Disposable task =
          interruptible.scheduleDirect(
              () -> {
                running.countDown();
                try {
                  new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                  interrupted.countDown();
                  Thread.currentThread().interrupt();
                }
              });
      assertTrue(running.await(30, SECONDS));
      task.dispose();
      assertTrue(interrupted.await(30, SECONDS));
      List<Boolean> flags =
          Flowable.range(0, 4)
              .flatMapSingle(
                  i -> Single.fromCallable(() -> Thread.interrupted()).subscribeOn(workers))
              .toList()
              .blockingGet();
      assertFalse(flags.contains(true), "round " + round);
    }
  }
}
