package dev.catnap.benchmarks.measure;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Else a server and its load generator would count as somebody who disturbs the measurement. */
class OwnTimeTest {
  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  /** Ten ticks, so that it is no rounding. */
  private static final long ENOUGH_NANOS = 100_000_000;

  @Test
  @Timeout(60)
  void nanos_countChildren_whileTheyRunAndAfter() throws Exception {
    long before = ofChildren();
    Process child = new ProcessBuilder("sh", "-c", "while :; do :; done").start();
    long running;
    try {
      do {
        Thread.onSpinWait(); // until the time limit of this test
        running = ofChildren() - before;
      } while (running < ENOUGH_NANOS);
    } finally {
      child.destroyForcibly().waitFor();
    }
    long ended = ofChildren() - before;
    assertTrue(ended >= running, () -> "not forgotten when it ended: " + ended);
  }

  /** What this process has used meanwhile is not theirs. */
  private static long ofChildren() {
    long all = OwnTime.nanos();
    return all - SYSTEM.getProcessCpuTime();
  }
}
