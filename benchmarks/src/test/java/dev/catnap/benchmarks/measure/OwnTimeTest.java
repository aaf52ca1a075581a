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
  void ofChildren_oneThatRunsAndEnds_countedThroughout() throws Exception {
    long before = OwnTime.ofChildren();
    Process child = new ProcessBuilder("sh", "-c", "while :; do :; done").start();
    long running;
    try {
      do {
        Thread.onSpinWait(); // until the time limit of this test
        running = OwnTime.ofChildren() - before;
      } while (running < ENOUGH_NANOS);
    } finally {
      child.destroyForcibly().waitFor();
    }
    long ended = OwnTime.ofChildren() - before;
    assertTrue(ended >= running, ended + " when it had ended, " + running + " before");

    long least = SYSTEM.getProcessCpuTime();
    long own = OwnTime.nanos() - OwnTime.ofChildren();
    long most = SYSTEM.getProcessCpuTime();
    assertTrue(own >= least && own <= most, () -> "of this process and its children: " + own);
  }
}
