package dev.catnap.proof;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** What the lane ran on. */
final class Machine {
  private static final long KILOBYTES_PER_GIGABYTE = 1 << 20;

  private Machine() {}

  /** Processors, memory, system. */
  static String describe() throws IOException {
    return String.format(
        Locale.ROOT,
        "%d processors (%s), %s of memory, %s %s",
        Runtime.getRuntime().availableProcessors(),
        valueOf(Path.of("/proc/cpuinfo"), "model name", System.getProperty("os.arch", "?")),
        memory(),
        System.getProperty("os.name"),
        System.getProperty("os.version"));
  }

  private static String memory() throws IOException {
    String total = valueOf(Path.of("/proc/meminfo"), "MemTotal", "");
    return total.isEmpty()
        ? "an unknown amount"
        : Math.round(Double.parseDouble(total.split(" ", -1)[0]) / KILOBYTES_PER_GIGABYTE) + " GiB";
  }

  /** Of the first line {@code key: value}; what is given if the system has no such file. */
  private static String valueOf(Path file, String key, String otherwise) throws IOException {
    if (!Files.exists(file)) {
      return otherwise;
    }
    for (String line : Files.readAllLines(file)) {
      if (line.startsWith(key)) {
        return line.substring(line.indexOf(':') + 1).strip();
      }
    }
    return otherwise;
  }
}
