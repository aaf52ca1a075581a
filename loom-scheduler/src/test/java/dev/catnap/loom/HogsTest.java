package dev.catnap.loom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.loom.CarrierPool.Mode;
import dev.catnap.loom.testing.Deadline;
import dev.catnap.loom.testing.ForkedJvm;
import dev.catnap.loom.testing.Modes;
import dev.catnap.loom.testing.NoThreadLeft;
import dev.catnap.loom.testing.PinnedProbe;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * G9, F17: virtual threads that keep their carriers, since they compute or are pinned, are noticed
 * when others wait, and a spare carrier keeps those going.
 */
@ExtendWith(NoThreadLeft.class)
class HogsTest {
  /**
   * The sentinel takes 20 to 25 ms, and the first spare has to start a thread. Four times that for
   * the fastest of some tries: a machine that is busy with something else delays one or two, a
   * sentinel that is late all of them.
   */
  private static final long NOTICED_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  /**
   * A slot is looked at every 0.3 ms while somebody sleeps, and exposed at the second look. That
   * many times over, a sleeper and the sentinel have to wake up; for the fastest of some tries.
   */
  private static final long EXPOSED_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private static final int TRIES = 10;

  /** A hog ends also when the test has failed. */
  private static final long LONGEST_HOG_NANOS = TimeUnit.SECONDS.toNanos(Deadline.SECONDS);

  /** Long enough for thousands of starts; on the JDK's scheduler nothing starts in that time. */
  private static final long STARVED_MILLIS = 300;

  @TempDir private Path folder;

  static Stream<Arguments> poolsOfAllSizes() {
    return Modes.available().stream()
        .flatMap(mode -> Stream.of(1, 2, 8).map(n -> Arguments.of(mode, n)));
  }

  /** Sooner or later, but while all hogs go on. */
  @ParameterizedTest
  @MethodSource("poolsOfAllSizes")
  void asManyHogsAsCarriers_anotherVirtualThreadStartsAllTheSame(Mode mode, int carriers) {
    long ignored = nanosUntilAnotherRan(mode, carriers);
  }

  /** In steps, without a clock: {@code SentinelRoundsTest} of the core. */
  @Tag("timing")
  @ParameterizedTest
  @MethodSource("poolsOfAllSizes")
  void asManyHogsAsCarriers_anotherVirtualThreadStartsInTime(Mode mode, int carriers) {
    List<Long> took = new ArrayList<>();
    do {
      took.add(nanosUntilAnotherRan(mode, carriers));
    } while (took.get(took.size() - 1) > NOTICED_NANOS && took.size() < TRIES);
    assertTrue(Collections.min(took) <= NOTICED_NANOS, () -> took + " ns");
  }

  private static long nanosUntilAnotherRan(Mode mode, int carriers) {
    try (CarrierPool pool = Modes.productionPool(mode, carriers);
        Hogs hogs = Hogs.on(pool.ofVirtual(), carriers)) {
      long start = System.nanoTime();
      Thread other = pool.ofVirtual().start(Thread::yield);
      Deadline.join(other);
      long nanos = System.nanoTime() - start;
      hogs.end();
      Deadline.until("all are back", () -> pool.scheduler().stats().relievedWorkers() == 0);
      return nanos;
    }
  }

  /** G1: to unpark wakes no other carrier, and still the one that was unparked starts there. */
  @ParameterizedTest
  @MethodSource("dev.catnap.loom.testing.Modes#available")
  void unparkedByOneThatComputesOn_itRunsOnACarrierThatSleeps(Mode mode) {
    long took = nanosUntilTheUnparkedRan(mode);
    assertTrue(took < LONGEST_HOG_NANOS, () -> "when the other was over, after " + took + " ns");
  }

  /** In steps, without a clock: {@code SentinelRoundsTest} of the core. */
  @Tag("timing")
  @ParameterizedTest
  @MethodSource("dev.catnap.loom.testing.Modes#available")
  void unparkedByOneThatComputesOn_itRunsInTime(Mode mode) {
    List<Long> took = new ArrayList<>();
    do {
      took.add(nanosUntilTheUnparkedRan(mode));
    } while (took.get(took.size() - 1) > EXPOSED_NANOS && took.size() < TRIES);
    assertTrue(Collections.min(took) <= EXPOSED_NANOS, () -> took + " ns");
  }

  private static long nanosUntilTheUnparkedRan(Mode mode) {
    AtomicBoolean goesOn = new AtomicBoolean();
    AtomicBoolean ran = new AtomicBoolean();
    AtomicLong nanos = new AtomicLong();
    try (CarrierPool pool = Modes.productionPool(mode, 2)) {
      Thread parked =
          pool.ofVirtual()
              .start(
                  () -> {
                    while (!goesOn.get()) {
                      LockSupport.park();
                    }
                    ran.set(true);
                  });
      Deadline.until("it is parked", () -> parked.getState() == Thread.State.WAITING);
      Thread computes =
          pool.ofVirtual()
              .start(
                  () -> {
                    Deadline.until(
                        "the other carrier sleeps",
                        () -> pool.scheduler().stats().parkedWorkers() == 1);
                    long start = System.nanoTime();
                    goesOn.set(true);
                    LockSupport.unpark(parked);
                    while (!ran.get() && System.nanoTime() - start < LONGEST_HOG_NANOS) {
                      Thread.onSpinWait();
                    }
                    nanos.set(System.nanoTime() - start);
                  });
      Deadline.join(parked, computes);
    }
    return nanos.get();
  }

  /** The peer, so that this is not said of it without a look. It shows nothing of Catnap. */
  @Tag("timing")
  @Test
  void onTheSchedulerOfTheJdk_itDoesNotStart() throws Exception {
    int carriers = Runtime.getRuntime().availableProcessors();
    Thread other;
    try (Hogs hogs = Hogs.on(Thread.ofVirtual(), carriers)) {
      other = Thread.ofVirtual().start(() -> {});
      boolean over = other.join(java.time.Duration.ofMillis(STARVED_MILLIS));
      assertEquals(false, over);
      hogs.end();
    }
    Deadline.join(other);
  }

  /** In a class initialiser, in a native frame, and waiting for the initialiser of another. */
  @ParameterizedTest
  @EnumSource(PinnedProbe.Kind.class)
  void asManyPinnedAsCarriers_anotherVirtualThreadRunsAllTheSame(PinnedProbe.Kind kind)
      throws Exception {
    List<String> lines =
        ForkedJvm.run(
            ForkedJvm.onClassPath(
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED",
                "-Djdk.reflect.useNativeAccessorOnly=true"), // a native frame under Method.invoke
            PinnedProbe.class,
            kind.name());
    assertEquals(List.of("the other ran", "no Flight Recorder", "the pinned ended"), lines);
  }

  @Test
  void aRecordingNamesTheVirtualThread() throws Exception {
    List<RecordedEvent> events;
    try (Recording recording = new Recording()) {
      recording.enable("dev.catnap.WorkerRelieved");
      recording.start();
      // One spare: it too is relieved if the operating system lets it wait.
      try (CarrierPool pool = Modes.builder(Modes.best(), 1).maxThreads(2).build();
          Hogs hogs = Hogs.on(pool.ofVirtual().name("the-hog"), 1)) {
        Deadline.join(pool.ofVirtual().start(() -> {}));
        hogs.end();
      }
      recording.stop();
      Path file = folder.resolve("hog.jfr");
      recording.dump(file);
      events = RecordingFile.readAllEvents(file);
    }
    RecordedEvent event =
        events.stream().min(Comparator.comparing(RecordedEvent::getStartTime)).orElseThrow();
    assertEquals("test-worker-0", event.getThread("worker").getJavaName());
    assertEquals("RUNNABLE", event.getString("state"));
    if (Modes.hasCarriers()) { // the lookup takes the same export
      assertEquals("the-hog", event.getThread("culprit").getJavaName());
      String stack = event.getString("stack");
      assertTrue(stack.contains(Hogs.class.getName()), stack);
    }
  }

  /** Virtual threads that compute until they are told to end. */
  private static final class Hogs implements AutoCloseable {
    private final AtomicBoolean over = new AtomicBoolean();
    private final List<Thread> threads = new ArrayList<>();

    static Hogs on(Thread.Builder.OfVirtual builder, int count) {
      Hogs hogs = new Hogs();
      CountDownLatch running = new CountDownLatch(count);
      for (int i = 0; i < count; i++) {
        hogs.threads.add(
            builder.start(
                () -> {
                  running.countDown();
                  hogs.compute();
                }));
      }
      Deadline.await("every carrier has its hog", running);
      return hogs;
    }

    private void compute() {
      while (!over.get()) {
        Thread.onSpinWait();
      }
    }

    void end() {
      over.set(true);
      Deadline.join(threads.toArray(Thread[]::new));
    }

    /** Also when the test has failed: a pool waits for what runs. */
    @Override
    public void close() {
      end();
    }
  }
}
