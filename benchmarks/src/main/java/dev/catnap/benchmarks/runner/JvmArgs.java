package dev.catnap.benchmarks.runner;

import dev.catnap.benchmarks.peers.PoolSizes;
import java.util.ArrayList;
import java.util.List;

/** The arguments of every JVM that runs a workload. */
final class JvmArgs {
  private static final List<String> SAME_FOR_ALL =
      List.of(
          // What the Loom face needs; the same for all, as everything else.
          "--add-opens=java.base/java.lang=ALL-UNNAMED",
          "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED",
          // JMH uses Unsafe, and JDK 25 would say so on every start.
          "--sun-misc-unsafe-memory-access=allow",
          // Not left to ergonomics, which look at the machine.
          "-XX:+UseG1GC",
          "-Xms1g",
          "-Xmx1g",
          // Else the kernel clears pages while the first gigabyte is allocated, for seconds, and
          // whoever allocates little has them for longer.
          "-XX:+AlwaysPreTouch");

  private JvmArgs() {}

  static List<String> of(int workers) {
    List<String> args = new ArrayList<>(SAME_FOR_ALL);
    args.addAll(PoolSizes.jvmArgs(workers));
    return args;
  }
}
