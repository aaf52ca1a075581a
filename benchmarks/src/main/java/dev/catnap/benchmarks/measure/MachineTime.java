package dev.catnap.benchmarks.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What the machine's cores have been doing, from {@code /proc/stat}. */
public final class MachineTime {
  private static final Path STAT = Path.of("/proc/stat");

  /** USER_HZ, which is 100 on every Linux that runs a JVM. */
  static final long NANOS_PER_TICK = 10_000_000;

  /** In the line "cpu user nice system idle iowait irq softirq steal": all but idle and iowait. */
  private static final List<Integer> BUSY_FIELDS = List.of(1, 2, 3, 6, 7, 8);

  private MachineTime() {}

  /**
   * The time that all cores together were busy since boot, time stolen by a hypervisor included.
   *
   * @return nanoseconds, in steps of 10 ms; 0 where there is no such file
   */
  public static long busyNanos() {
    List<String> lines;
    try {
      lines = Files.readAllLines(STAT);
    } catch (IOException e) {
      return 0;
    }
    String[] fields = lines.get(0).split(" +", -1);
    long ticks = 0;
    for (int field : BUSY_FIELDS) {
      ticks += Long.parseLong(fields[field]);
    }
    return ticks * NANOS_PER_TICK;
  }
}
