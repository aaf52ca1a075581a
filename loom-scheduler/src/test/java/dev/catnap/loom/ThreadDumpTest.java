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
    assertTrue(dump.matches("(?s).*\n#[0-9]+ \"computes\" virtual.*"), dump);
    assertTrue(dump.contains("dev.catnap.loom.ThreadDumpTest.parkUntil"), dump);
  }

  @ParameterizedTest
  @MethodSource(SIDES)
  void asJson(Side side, @TempDir Path folder) throws Exception {
    String dump = dumpWhileThreadsLive(side, folder.resolve("threads.json"), "json");
    assertTrue(dump.contains("\"name\": \"parks\""), dump);
    assertTrue(dump.contains("\"name\": \"computes\""), dump);
    assertTrue(dump.contains("dev.catnap.loom.ThreadDumpTest.parkUntil"), dump);
  }

  /**
   * One is parked and one computes as long as the dump is taken: JDK 25 may crash, on its own
   * scheduler as well, if virtual threads mount or unmount meanwhile (JDK-8364343).
   */
  private static String dumpWhileThreadsLive(Side side, Path file, String format) throws Exception {
    AtomicBoolean stop = new AtomicBoolean();
    try (VirtualThreads on = side.open(2)) {
      Thread parks = on.ofVirtual().name("parks").start(() -> parkUntil(stop));
      Thread computes = on.ofVirtual().name("computes").start(() -> computeUntil(stop));
      try {
        Deadline.until("it is parked", () -> parks.getState() == Thread.State.WAITING);
        Deadline.until("it is mounted", () -> computes.toString().contains("@"));
        return dump(file, format);
      } finally {
        stop.set(true);
        LockSupport.unpark(parks);
        Deadline.join(parks, computes);
      }
    }
  }

  private static void computeUntil(AtomicBoolean stop) {
    while (!stop.get()) {
      Thread.onSpinWait();
    }
  }

  private static void parkUntil(AtomicBoolean stop) {
    while (!stop.get()) {
      LockSupport.park();
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
