package dev.catnap.samples;

import dev.catnap.WorkStealingScheduler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.Stream;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** Reactor on Catnap: reads the JDK's configuration files, and waits without a thread. */
public class HelloReactor {
  public static void main(String[] args) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(Path.of(System.getProperty("java.home"), "conf"))) {
      files = all.filter(Files::isRegularFile).toList();
    }
    Set<String> threads = new ConcurrentSkipListSet<>();
    try (var scheduler = WorkStealingScheduler.builder().name("hello").build()) {
      // Closed with our scheduler; to dispose of it would shut that down at once.
      Scheduler workers = Schedulers.fromExecutorService(scheduler);

      Mono<Long> bytes =
          Flux.fromIterable(files)
              .flatMap(
                  file ->
                      // A subscriber may block if it says so: another worker takes over meanwhile.
                      Mono.fromCallable(() -> scheduler.blocking(() -> Files.readAllBytes(file)))
                          .subscribeOn(workers)
                          .doOnNext(read -> threads.add(Thread.currentThread().getName())))
              .map(read -> (long) read.length)
              .reduce(0L, Long::sum);

      Flux<Long> ticks =
          Flux.interval(Duration.ofMillis(5), workers)
              .take(3)
              .doOnNext(tick -> threads.add(Thread.currentThread().getName()));

      System.out.println(files.size() + " files, " + bytes.block() + " bytes");
      System.out.println("ticks " + ticks.collectList().block() + " on " + threads);
    }
  }
}
