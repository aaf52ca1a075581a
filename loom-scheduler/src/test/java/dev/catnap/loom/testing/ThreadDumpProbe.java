package dev.catnap.loom.testing;

import dev.catnap.loom.testing.Side.VirtualThreads;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Has its own threads dumped while two virtual ones live. In a JVM of its own: JDK 25 may crash, on
 * its own scheduler as well, if virtual threads mount or unmount meanwhile (JDK-8364343).
 */
public final class ThreadDumpProbe {
  private ThreadDumpProbe() {}

  /** A {@link Side}, a format of {@code jcmd}, and the file. */
  public static void main(String[] args) throws Exception {
    AtomicBoolean stop = new AtomicBoolean();
    try (VirtualThreads on = Side.valueOf(args[0]).open(2)) {
      Thread parks = on.ofVirtual().name("parks").start(() -> parkUntil(stop));
      Thread computes = on.ofVirtual().name("computes").start(() -> computeUntil(stop));
      try {
        // So that neither of the two mounts or unmounts while the dump is taken.
        Deadline.until("it is parked", () -> parks.getState() == Thread.State.WAITING);
        Deadline.until("it is mounted", () -> computes.toString().contains("@"));
        System.out.print(dump(args[1], Path.of(args[2])));
      } finally {
        stop.set(true);
        LockSupport.unpark(parks);
        Deadline.join(parks, computes);
      }
    }
    System.out.println("they go on");
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

  private static String dump(String format, Path file) throws Exception {
    return ForkedJvm.run(
        List.of(
            ForkedJvm.tool("jcmd"),
            String.valueOf(ProcessHandle.current().pid()),
            "Thread.dump_to_file",
            "-format=" + format,
            file.toString()));
  }
}
