package dev.catnap.benchmarks.rows;

import dev.catnap.benchmarks.plan.Row;
import java.util.List;
import java.util.stream.Stream;

/** All rows, in the order in which they are run. */
public final class Rows {
  /**
   * What runs unless others are named. A new row enters here, and is run and tested from then on.
   */
  public static final List<Row> USUAL =
      List.of(
          C1ChannelPingPong.ROW,
          C2Launches.ROW,
          C3AsyncTree.ROW,
          C4Yields.ROW,
          C5Contention.ROW,
          C6Delays.ROW,
          C7BlockingHops.ROW,
          C8RoundTrips.ROW,
          C9Programs.ROW,
          V1PingPong.ROW,
          V2StartAndJoin.ROW,
          V3TurnsAndLocks.ROW,
          V4Programs.ROW,
          V5RoundTrips.ROW,
          V6Programs.ROW,
          P1Pipelines.ROW,
          P2VirtualPipelines.ROW,
          J1ForkJoin.ROW,
          W1WakeLatency.ROW,
          W2PacedTasks.ROW,
          W3Bursts.ROW,
          W4Hogs.ROW,
          W5IdlePool.ROW,
          W6SpinOrSleep.ROW,
          W7BlockingStarts.ROW,
          W8LightLoad.ROW,
          M1Memory.ROW);

  /** What needs the load generator as well. */
  public static final List<Row> HTTP = List.of(H1Http.ROW);

  /** Both. */
  public static final List<Row> ALL = Stream.concat(USUAL.stream(), HTTP.stream()).toList();

  private Rows() {}
}
