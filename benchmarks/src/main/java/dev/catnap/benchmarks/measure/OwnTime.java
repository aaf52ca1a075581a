package dev.catnap.benchmarks.measure;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** CPU time of this process and of those that it has started. */
final class OwnTime {
  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  private static final Path STAT = Path.of("/proc/self/stat");

  /** After the name, which may contain anything: user and system time of children that ended. */
  private static final int CHILDREN_USER = 13;

  private static final int CHILDREN_SYSTEM = 14;

  private OwnTime() {}

  /** Nanoseconds, in steps of 10 ms. */
  static long nanos() {
    return SYSTEM.getProcessCpuTime() + ofChildren();
  }

  /**
   * Nanoseconds, in steps of 10 ms. One that ends between the two reads is in neither, once; what
   * is counted of it afterwards is no less than it was while it ran.
   */
  static long ofChildren() {
    return ofChildrenThatEnded() + ofChildrenThatRun();
  }

  private static long ofChildrenThatRun() {
    return ProcessHandle.current()
        .descendants()
        .mapToLong(child -> child.info().totalCpuDuration().orElse(Duration.ZERO).toNanos())
        .sum();
  }

  /** 0 where there is no such file. */
  private static long ofChildrenThatEnded() {
    String stat;
    try {
      stat = Files.readString(STAT);
    } catch (IOException e) {
      return 0;
    }
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    long ticks = Long.parseLong(fields[CHILDREN_USER]) + Long.parseLong(fields[CHILDREN_SYSTEM]);
    return ticks * MachineTime.NANOS_PER_TICK;
  }
}
