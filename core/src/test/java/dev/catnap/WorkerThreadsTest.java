package dev.catnap;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.spi.Placement;
import dev.catnap.spi.WorkerBody;
import dev.catnap.spi.WorkerThread;
import dev.catnap.spi.WorkerThreadFactory;
import dev.catnap.testing.Await;
import dev.catnap.testing.NoThreadLeft;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What worker threads are like, and how many there are. */
@ExtendWith(NoThreadLeft.class)
class WorkerThreadsTest {

  private static Thread aWorkerOf(WorkStealingScheduler scheduler) throws Exception {
    return scheduler.submit(Thread::currentThread).get();
  }

  @Test
  void theyAreNamedAfterTheSchedulerAndNumbered() {
    try (var scheduler = WorkStealingScheduler.builder().name("named").parallelism(2).build()) {
      Set<String> names = ConcurrentHashMap.newKeySet();
      scheduler.broadcast(() -> names.add(Thread.currentThread().getName())).join();
      assertEquals(Set.of("named-worker-0", "named-worker-1"), names);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theyKeepTheJvmAliveUnlessTheyAreDaemons(boolean daemon) throws Exception {
    try (var scheduler = WorkStealingScheduler.builder().parallelism(1).daemon(daemon).build()) {
      assertEquals(daemon, aWorkerOf(scheduler).isDaemon());
    }
  }

  @Test
  void priorityAndLoaderAreThoseOfTheBuilder() throws Exception {
    try (var loader = new URLClassLoader(new URL[0]);
        var scheduler =
            WorkStealingScheduler.builder()
                .parallelism(1)
                .priority(7)
                .contextClassLoader(loader)
                .build()) {
      Thread worker = aWorkerOf(scheduler);
      assertEquals(7, worker.getPriority());
      assertSame(loader, worker.getContextClassLoader());
    }
  }

  @Test
  void byDefaultTheyAreNormalAndThoseOfTheBuildingThread() throws Exception {
    Thread self = Thread.currentThread();
    ClassLoader before = self.getContextClassLoader();
    int priority = self.getPriority();
    try (var loader = new URLClassLoader(new URL[0])) {
      self.setContextClassLoader(loader);
      self.setPriority(Thread.MIN_PRIORITY);
      try (var scheduler = WorkStealingScheduler.builder().parallelism(1).build()) {
        Thread worker = aWorkerOf(scheduler);
        assertEquals(Thread.NORM_PRIORITY, worker.getPriority());
        assertSame(loader, worker.getContextClassLoader());
      }
    } finally {
      self.setPriority(priority);
      self.setContextClassLoader(before);
    }
  }

  @Test
  void aFactoryDecidesUnlessTheBuilderSays() throws Exception {
    WorkerThreadFactory factory =
        body -> {
          Thread t = WorkerThreadFactory.platform(true).newThread(body);
          t.setPriority(2);
          t.setContextClassLoader(null);
          return t;
        };
    try (var scheduler =
        WorkStealingScheduler.builder().parallelism(1).workerThreadFactory(factory).build()) {
      assertEquals(2, aWorkerOf(scheduler).getPriority());
      assertSame(null, aWorkerOf(scheduler).getContextClassLoader());
    }
    ClassLoader loader = WorkerThreadsTest.class.getClassLoader();
    try (var scheduler =
        WorkStealingScheduler.builder()
            .parallelism(1)
            .workerThreadFactory(factory)
            .priority(6)
            .contextClassLoader(loader)
            .build()) {
      assertEquals(6, aWorkerOf(scheduler).getPriority());
      assertSame(loader, aWorkerOf(scheduler).getContextClassLoader());
    }
  }

  /** How many threads it had made when it was told that the workers were started. */
  private static final class ToldFactory implements WorkerThreadFactory {
    final AtomicInteger made = new AtomicInteger();
    final List<Integer> told = new CopyOnWriteArrayList<>();
    private final int atMost;

    ToldFactory(int atMost) {
      this.atMost = atMost;
    }

    @Override
    public Thread newThread(WorkerBody body) {
      if (made.get() == atMost) {
        throw new IllegalStateException("no more than " + atMost);
      }
      made.incrementAndGet();
      return WorkerThreadFactory.platform(true).newThread(body);
    }

    @Override
    public void workersStarted() {
      told.add(made.get());
    }
  }

  @ParameterizedTest
  @EnumSource
  void theFactoryIsToldOnceThatAllWorkersWereStarted(Flavor flavor) {
    ToldFactory factory = new ToldFactory(3);
    WorkStealingScheduler scheduler =
        WorkStealingScheduler.builder()
            .parallelism(3)
            .flavor(flavor)
            .workerThreadFactory(factory)
            .build();
    List<Integer> whenBuilt = List.copyOf(factory.told);
    scheduler.close();
    assertEquals(List.of(3), whenBuilt);
    assertEquals(List.of(3), factory.told);
  }

  @ParameterizedTest
  @EnumSource
  void theFactoryIsToldOnceThatNoMoreWorkersAreStarted_ifOneCannotBe(Flavor flavor) {
    ToldFactory factory = new ToldFactory(2);
    var builder =
        WorkStealingScheduler.builder().parallelism(3).flavor(flavor).workerThreadFactory(factory);
    assertThrows(IllegalStateException.class, builder::build);
    assertEquals(List.of(2), factory.told);
  }

  /** Threads that the operating system has no room for, the first time that they are started. */
  private static final class NoRoomAtFirst extends Thread implements WorkerThread {
    private final WorkerBody body;
    private int refusals;

    NoRoomAtFirst(WorkerBody body, int refusals) {
      super(body);
      this.body = body;
      this.refusals = refusals;
    }

    @Override
    public WorkerBody worker() {
      return body;
    }

    @Override
    public synchronized void start() {
      if (refusals-- > 0) {
        throw new OutOfMemoryError("of a test: no room for a thread");
      }
      super.start();
    }
  }

  /** A thread that was joined counts for a moment longer where their number is limited. */
  @Test
  void whereThereIsNoRoomForAMoment_theSchedulerIsBuiltAllTheSame() throws Exception {
    try (var scheduler =
        WorkStealingScheduler.builder()
            .parallelism(3)
            .workerThreadFactory(body -> new NoRoomAtFirst(body, 2))
            .build()) {
      assertEquals(3, scheduler.stats().workers().size());
      assertEquals(1, scheduler.submit(() -> 1).get());
    }
  }

  @Test
  void whereThereIsNoRoom_theBuildFails() {
    var builder =
        WorkStealingScheduler.builder()
            .parallelism(3)
            .workerThreadFactory(body -> new NoRoomAtFirst(body, Integer.MAX_VALUE));
    IllegalStateException e = assertThrows(IllegalStateException.class, builder::build);
    assertEquals(OutOfMemoryError.class, e.getCause().getClass());
  }

  @Test
  void whatAFactoryThrowsWhenItIsToldGoesToTheHandlerAndChangesNothing() throws Exception {
    RuntimeException thrown = new RuntimeException("of the factory");
    WorkerThreadFactory factory =
        new WorkerThreadFactory() {
          @Override
          public Thread newThread(WorkerBody body) {
            return WorkerThreadFactory.platform(true).newThread(body);
          }

          @Override
          public void workersStarted() {
            throw thrown;
          }
        };
    List<Throwable> reported = new CopyOnWriteArrayList<>();
    try (var scheduler =
        WorkStealingScheduler.builder()
            .parallelism(1)
            .workerThreadFactory(factory)
            .uncaughtExceptionHandler((thread, t) -> reported.add(t))
            .build()) {
      assertEquals(List.of(thrown), reported);
      assertEquals(1, scheduler.submit(() -> 1).get());
    }
  }

  /** A helper that keeps the loader of whoever needed it first keeps that application loaded. */
  @Test
  void theHelperThreadsHaveTheLoaderOfTheBuilder() throws Exception {
    try (var loader = new URLClassLoader(new URL[0]);
        var scheduler =
            WorkStealingScheduler.builder()
                .name("helped")
                .parallelism(1)
                .contextClassLoader(loader)
                .build()) {
      assertHelpersHave(loader, scheduler);
    }
  }

  /** The same where none was set: not that of whoever is the first to schedule something. */
  @Test
  void byDefaultTheHelperThreadsHaveTheLoaderOfTheBuildingThread() throws Exception {
    Thread self = Thread.currentThread();
    ClassLoader before = self.getContextClassLoader();
    try (var loader = new URLClassLoader(new URL[0]);
        var another = new URLClassLoader(new URL[0])) {
      self.setContextClassLoader(loader);
      try (var scheduler = WorkStealingScheduler.builder().name("helped").parallelism(1).build()) {
        self.setContextClassLoader(another);
        assertHelpersHave(loader, scheduler);
      }
    } finally {
      self.setContextClassLoader(before);
    }
  }

  private static void assertHelpersHave(ClassLoader loader, WorkStealingScheduler scheduler)
      throws Exception {
    assertEquals(1, scheduler.schedule(() -> 1, 1, TimeUnit.MILLISECONDS).get());
    CountDownLatch slotted = new CountDownLatch(1);
    scheduler.execute(() -> scheduler.adapter().publish(slotted::countDown, Placement.REQUEUED));
    Await.latch("a task from the slot, which calls the sentinel", slotted, scheduler::stats);
    // Not at once: the timer thread publishes too, and may still be starting the sentinel when the
    // task calls for it.
    Await.until("both helpers", () -> helpers().size() == 2, scheduler::stats);
    for (Thread helper : helpers()) {
      assertSame(loader, helper.getContextClassLoader(), helper.toString());
    }
  }

  private static List<Thread> helpers() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(t -> t.getName().matches("helped-(timer|sentinel)"))
        .toList();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, 11, Integer.MAX_VALUE})
  void aPriorityThatIsNoneIsNamed(int priority) {
    var e =
        assertThrows(
            IllegalArgumentException.class,
            () -> WorkStealingScheduler.builder().priority(priority));
    assertEquals("priority must be 1 to 10: " + priority, e.getMessage());
  }

  @Test
  @SuppressWarnings("NullAway") // nulls are the subject
  void nullHooksAndLoadersAreRefused() {
    var builder = WorkStealingScheduler.builder();
    assertThrows(NullPointerException.class, () -> builder.hooks(null));
    assertThrows(NullPointerException.class, () -> builder.contextClassLoader(null));
  }

  /** A container's limit is what the JVM makes of it: its number of available processors. */
  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void theDefaultParallelismIsTheNumberOfProcessorsThatTheJvmMayUse(int processors)
      throws Exception {
    Process jvm =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:ActiveProcessorCount=" + processors,
                "-cp",
                locationOf(WorkStealingScheduler.class)
                    + System.getProperty("path.separator")
                    + locationOf(WorkerThreadsTest.class),
                PrintsParallelism.class.getName())
            .redirectErrorStream(true)
            .start();
    jvm.getOutputStream().close();
    String printed = new String(jvm.getInputStream().readAllBytes(), UTF_8).strip();
    assertTrue(jvm.waitFor(Await.DEADLINE_SECONDS, TimeUnit.SECONDS), "did not end: " + printed);
    String expected = "parallelism " + processors + ", workers " + processors;
    assertTrue(printed.lines().anyMatch(expected::equals), printed); // a JVM may print warnings
  }

  /** As many as work may block beside them, on a machine of any size. */
  @ParameterizedTest
  @CsvSource({"1, 256", "128, 256", "129, 258"})
  void byDefaultAsManyThreadsMayBlockAsWork(int parallelism, int maxThreads) {
    try (var scheduler = WorkStealingScheduler.builder().parallelism(parallelism).build()) {
      assertEquals(maxThreads, scheduler.maxThreads());
    }
  }

  private static Path locationOf(Class<?> type) throws Exception {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  /** What the JVM of the test above runs. */
  static final class PrintsParallelism {
    private PrintsParallelism() {}

    public static void main(String[] args) throws IOException {
      try (var scheduler = WorkStealingScheduler.create()) {
        System.out.println(
            "parallelism "
                + scheduler.parallelism()
                + ", workers "
                + scheduler.stats().workers().size());
      }
    }
  }
}
