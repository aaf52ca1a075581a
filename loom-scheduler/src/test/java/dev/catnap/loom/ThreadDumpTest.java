package dev.catnap.loom;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.loom.testing.Deadline;
import dev.catnap.loom.testing.NoThreadLeft;
import dev.catnap.loom.testing.Side;
import dev.catnap.loom.testing.Side.VirtualThreads;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * G12, F25: {@code jcmd Thread.dump_to_file} has the virtual threads of a pool as it has those of
 * the JDK's scheduler, and they go on afterwards.
 */
@ExtendWith(NoThreadLeft.class)
class ThreadDumpTest {
  private static final String SIDES = "dev.catnap.loom.testing.Side#available";

  @ParameterizedTest
  @MethodSource(SIDES)
  void asText(Side side, @TempDir Path folder) throws Exception {
    String dump = dumpWhileThreadsLive(side, folder.resolve("threads.txt"), "plain");
    assertTrue(dump.matches("(?s).*\n#[0-9]+ \"parks\" virtual.*"), dump);
    assertTrue(dump.matches("(?s).*\n#[0-9]+ \"yields\" virtual.*"), dump);
    assertTrue(dump.contains("dev.catnap.loom.ThreadDumpTest.parkUntil"), dump);
  }

  @ParameterizedTest
  @MethodSource(SIDES)
  void asJson(Side side, @TempDir Path folder) throws Exception {
    String dump = dumpWhileThreadsLive(side, folder.resolve("threads.json"), "json");
    assertTrue(dump.contains("\"name\": \"parks\""), dump);
    assertTrue(dump.contains("\"name\": \"yields\""), dump);
    assertTrue(dump.contains("dev.catnap.loom.ThreadDumpTest.parkUntil"), dump);
  }

  /** The threads are in the dump because an executor has them: others the JDK does not list. */
  private static String dumpWhileThreadsLive(Side side, Path file, String format) throws Exception {
    AtomicBoolean stop = new AtomicBoolean();
    AtomicLong rounds = new AtomicLong();
    String dump;
    try (VirtualThreads on = side.open(2);
        ExecutorService parks = executor(on, "parks");
        ExecutorService yields = executor(on, "yields")) {
      AtomicBoolean parked = new AtomicBoolean();
      var parker =
          parks.submit(
              () -> {
                parked.set(true);
                parkUntil(stop);
                return Thread.currentThread();
              });
      var yielder =
          yields.submit(
              () -> {
                while (!stop.get()) {
                  Thread.yield();
                  rounds.incrementAndGet();
                }
              });
      try {
        Deadline.until("both run", () -> parked.get() && rounds.get() > 0);
        dump = dump(file, format);
        long before = rounds.get();
        Deadline.until("it goes on", () -> rounds.get() > before);
      } finally {
        stop.set(true);
      }
      yielder.get();
      assertTrue(parker.get().isVirtual());
    }
    return dump;
  }

  private static ExecutorService executor(VirtualThreads on, String name) {
    return Executors.newThreadPerTaskExecutor(on.ofVirtual().name(name).factory());
  }

  private static void parkUntil(AtomicBoolean stop) {
    while (!stop.get()) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  private static String dump(Path file, String format) throws Exception {
    Process jcmd =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                String.valueOf(ProcessHandle.current().pid()),
                "Thread.dump_to_file",
                "-format=" + format,
                file.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(jcmd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, jcmd.waitFor(), said);
    return Files.readString(file);
  }
}
