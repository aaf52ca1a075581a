package dev.catnap.benchmarks.runner;

import dev.catnap.benchmarks.measure.MachineTime;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** Where and when a run took place, and whether the machine was idle. */
final class Machine {
  private static final Duration GLANCE = Duration.ofSeconds(1);

  private Machine() {}

  /**
   * What a result is worth nothing without.
   *
   * @param args the command line
   */
  static Map<String, String> describe(List<String> args) {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("date", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    facts.put("command", command(args));
    facts.put("commit", System.getProperty("catnap.commit", "unknown"));
    facts.put("processor", processor() + " x " + Runtime.getRuntime().availableProcessors());
    facts.put("system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    facts.put("jdk", System.getProperty("java.vendor.version") + " " + Runtime.version());
    facts.put("load average", String.format(Locale.ROOT, "%.2f", loadAverage()));
    return facts;
  }

  /** To be typed elsewhere: the folders of one machine mean nothing to the page's readers. */
  static String command(List<String> args) {
    StringBuilder command = new StringBuilder("benchmarks/run");
    for (String arg : args) {
      command.append(' ').append(Objects.toString(Path.of(arg).getFileName(), arg));
    }
    return command.toString();
  }

  /** Cores that are busy now, seen over a second in which we sleep. */
  static double busyCores() throws InterruptedException {
    long before = MachineTime.busyNanos();
    Thread.sleep(GLANCE);
    return (double) (MachineTime.busyNanos() - before) / GLANCE.toNanos();
  }

  /** Over the last minute; if the script told us, before our own build. */
  static double loadAverage() {
    String told = System.getProperty("catnap.benchmarks.load", "");
    return told.isEmpty()
        ? ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage()
        : Double.parseDouble(told);
  }

  private static String processor() {
    try {
      for (String line : Files.readAllLines(Path.of("/proc/cpuinfo"))) {
        if (line.startsWith("model name")) {
          return line.substring(line.indexOf(':') + 1).trim();
        }
      }
    } catch (IOException e) {
      // No such file here.
    }
    return System.getProperty("os.arch");
  }
}
