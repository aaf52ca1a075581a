package dev.catnap.samples;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.WorkStealingScheduler;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Reactor takes a scheduler for a {@code ScheduledExecutorService}; its operators keep their word.
 */
@Timeout(120)
class ReactorTest {
  private static final Duration DEADLINE = Duration.ofSeconds(30);

  private final WorkStealingScheduler scheduler =
      WorkStealingScheduler.builder().name("reactor").parallelism(2).build();
  private final Scheduler workers = Schedulers.fromExecutorService(scheduler);
  private final Set<String> threads = new ConcurrentSkipListSet<>();

  @AfterEach
  void close() {
    scheduler.close();
    assertTrue(scheduler.isTerminated());
    assertEquals(0, scheduler.stats().armedTimers());
    assertTrue(threads.stream().allMatch(t -> t.startsWith("reactor-worker-")), threads.toString());
  }

  /**
   * Subscribed on a worker: a delayed element that is due before anybody has asked for it comes on
   * the thread that asks.
   */
  private <T> Flux<T> seen(Flux<T> flux) {
    return flux.doOnNext(element -> threads.add(Thread.currentThread().getName()))
        .subscribeOn(workers);
  }

  @Test
  void intervalTicksOnWorkersAndNotEarly() {
    long start = System.nanoTime();
    List<Long> ticks =
        seen(Flux.interval(Duration.ofMillis(5), workers)).take(20).collectList().block(DEADLINE);
    long elapsed = System.nanoTime() - start;
    assertEquals(LongStream.range(0, 20).boxed().toList(), ticks);
    assertTrue(elapsed >= Duration.ofMillis(100).toNanos(), "20 ticks of 5 ms in " + elapsed);
    assertFalse(threads.isEmpty());
  }

  @Test
  void delayedElementsKeepTheirOrderAndAreNotEarly() {
    long start = System.nanoTime();
    List<Integer> elements =
        seen(Flux.range(0, 20).delayElements(Duration.ofMillis(5), workers))
            .collectList()
            .block(DEADLINE);
    long elapsed = System.nanoTime() - start;
    assertEquals(IntStream.range(0, 20).boxed().toList(), elements);
    assertTrue(elapsed >= Duration.ofMillis(100).toNanos(), "20 delays of 5 ms in " + elapsed);
    assertFalse(threads.isEmpty());
  }

  @Test
  void timeoutIsSignalled() {
    var failure =
        assertThrows(
            RuntimeException.class,
            () -> Mono.never().timeout(Duration.ofMillis(5), workers).block(DEADLINE));
    assertInstanceOf(java.util.concurrent.TimeoutException.class, failure.getCause());
  }

  @Test
  void everyElementPassesOnceAndInOrder() {
    int fluxes = 16;
    int elements = 20_000;
    List<Long> sums =
        Flux.range(0, fluxes)
            .flatMap(
                f ->
                    seen(Flux.range(0, elements).publishOn(workers, 64))
                        .index()
                        .doOnNext(e -> assertEquals(e.getT1(), (long) e.getT2()))
                        .map(e -> (long) e.getT2())
                        .reduce(0L, Long::sum))
            .collectList()
            .block(DEADLINE);
    assertEquals(
        IntStream.range(0, fluxes).mapToObj(f -> elements * (elements - 1L) / 2).toList(), sums);
  }

  @Test
  void aDisposedIntervalLeavesNoTimer() throws Exception {
    var threeTicks = new CountDownLatch(3);
    Disposable interval =
        seen(Flux.interval(Duration.ofMillis(1), workers))
            .subscribe(tick -> threeTicks.countDown());
    assertTrue(threeTicks.await(30, SECONDS));
    interval.dispose();
    Disposable later = Mono.delay(Duration.ofHours(1), workers).subscribe();
    assertEquals(1, waitForTimers(1));
    later.dispose();
    assertEquals(0, waitForTimers(0));
  }

  /** A tick under way arms its next one, and takes that back. */
  private int waitForTimers(int expected) {
    long deadline = System.nanoTime() + DEADLINE.toNanos();
    int armed;
    do {
      armed = scheduler.stats().armedTimers();
    } while (armed != expected && System.nanoTime() - deadline < 0);
    return armed;
  }

  @Test
  void afterCloseEveryOperatorSignalsARejection() {
    scheduler.close();
    List<Mono<?>> all =
        List.of(
            Flux.range(0, 3).publishOn(workers).then(),
            Flux.range(0, 3).subscribeOn(workers).then(),
            Flux.range(0, 3).delayElements(Duration.ofMillis(1), workers).then(),
            Flux.interval(Duration.ofMillis(1), workers).then(),
            Flux.range(0, 3).parallel(2).runOn(workers).sequential().then(),
            Mono.delay(Duration.ofMillis(1), workers),
            Mono.fromCallable(() -> 1).subscribeOn(workers));
    for (Mono<?> mono : all) {
      var signalled = new AtomicReference<Throwable>();
      mono.subscribe(element -> {}, signalled::set);
      assertInstanceOf(RejectedExecutionException.class, signalled.get(), mono.toString());
    }
  }

  @Test
  void aCloseInBetweenIsSignalledToo() {
    var seen = new AtomicInteger();
    var failure = new AtomicReference<Throwable>();
    var over = new CountDownLatch(1);
    seen(Flux.range(0, 1_000_000).delayElements(Duration.ofMillis(1), workers))
        .doFinally(signal -> over.countDown())
        .subscribe(
            element -> {
              if (seen.incrementAndGet() == 5) {
                scheduler.shutdown();
              }
            },
            failure::set);
    assertTrue(waitFor(over), "neither an element nor an error after " + seen);
    assertInstanceOf(RejectedExecutionException.class, failure.get());
    assertEquals(5, seen.get());
  }

  private static boolean waitFor(CountDownLatch latch) {
    try {
      return latch.await(30, SECONDS);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aBlockingSectionInASubscriberLeavesAllWorkersToTheOthers() {
    var inside = new CountDownLatch(8);
    var open = new CountDownLatch(1);
    Mono<Long> blocked =
        seen(Flux.range(0, 8)
                .flatMap(
                    i ->
                        Mono.fromCallable(
                                () ->
                                    scheduler.blocking(
                                        () -> {
                                          inside.countDown();
                                          return waitFor(open);
                                        }))
                            .subscribeOn(workers)))
            .filter(opened -> opened)
            .count();
    var result = blocked.toFuture();
    assertTrue(waitFor(inside), "eight sections at once on two workers");
    assertEquals(2, Flux.just(1, 2).publishOn(workers).count().block(DEADLINE));
    open.countDown();
    assertEquals(8, result.join());
  }

  @Test
  void disposingOfReactorsSchedulerShutsOursDown() throws Exception {
    workers.dispose();
    assertTrue(workers.isDisposed());
    assertTrue(scheduler.awaitTermination(30, SECONDS));
  }

  @Test
  void theCommonSchedulerSurvivesDisposing() {
    Scheduler common = Schedulers.fromExecutorService(WorkStealingScheduler.common());
    assertThrows(UnsupportedOperationException.class, common::dispose);
    assertFalse(WorkStealingScheduler.common().isShutdown());
    Scheduler again = Schedulers.fromExecutorService(WorkStealingScheduler.common());
    assertEquals(1, Mono.just(1).publishOn(again).block(DEADLINE));
    assertEquals(0, Mono.delay(Duration.ofMillis(1), again).block(DEADLINE));
  }
}
