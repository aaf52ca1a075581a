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

  private static String dumpWhileThreadsLive(Side side, Path file, String format) throws Exception {
    AtomicBoolean stop = new AtomicBoolean();
    AtomicLong parks = new AtomicLong();
    AtomicLong yields = new AtomicLong();
    try (VirtualThreads on = side.open(2)) {
      Thread parker = on.ofVirtual().name("parks").start(() -> parkUntil(stop, parks));
      Thread yielder = on.ofVirtual().name("yields").start(() -> yieldUntil(stop, yields));
      try {
        goOn(parks, yields);
        String dump = dump(file, format);
        goOn(parks, yields);
        return dump;
      } finally {
        stop.set(true);
        Deadline.join(parker, yielder);
      }
    }
  }

  private static void goOn(AtomicLong parks, AtomicLong yields) {
    long parked = parks.get();
    long yielded = yields.get();
    Deadline.until("both go on", () -> parks.get() > parked && yields.get() > yielded);
  }

  private static void yieldUntil(AtomicBoolean stop, AtomicLong rounds) {
    while (!stop.get()) {
      Thread.yield();
      rounds.incrementAndGet();
    }
  }

  private static void parkUntil(AtomicBoolean stop, AtomicLong rounds) {
    while (!stop.get()) {
      LockSupport.parkNanos(1_000_000);
      rounds.incrementAndGet();
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
