package dev.catnap.benchmarks.plan;

import dev.catnap.benchmarks.peers.Peer;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * A ratio between Catnap and others, or a figure by itself, and what it must reach.
 *
 * @param text what is divided by what, once the figures are known
 * @param value the ratio; NaN where it has no meaning
 * @param limit what it must reach; null if it is only reported
 */
public record Ratio(
    Function<Standing, String> text, ToDoubleFunction<Standing> value, @Nullable Limit limit) {

  /**
   * How much better than its best peer Catnap is: above 1 is better.
   *
   * @param metric in what
   * @return a ratio without a limit
   */
  public static Ratio bestPeer(Metric metric) {
    return new Ratio(
        s -> metric.noun() + ": best peer (" + s.bestPeer(metric).label() + ") / " + subject(s),
        s -> s.of(s.bestPeer(metric), metric) / s.subject(metric),
        null);
  }

  /**
   * The inverse, for limits that are stated so.
   *
   * @param metric in what
   * @return a ratio without a limit
   */
  public static Ratio ofBestPeer(Metric metric) {
    return new Ratio(
        s ->
            metric.noun() + ": " + subject(s) + " / best peer (" + s.bestPeer(metric).label() + ")",
        s -> s.subject(metric) / s.of(s.bestPeer(metric), metric),
        null);
  }

  /**
   * Catnap's overhead as a share of a peer's. Without meaning where the peer is no slower than the
   * floor.
   *
   * @param peer the peer
   * @param metric time or CPU time
   * @return a ratio without a limit
   */
  public static Ratio ofOverhead(Peer peer, Metric metric) {
    return new Ratio(
        s -> metric.noun() + " over floor: " + subject(s) + " / " + peer.label(),
        s -> {
          double theirs = s.overhead(peer, metric);
          return theirs > 0 ? s.overhead(s.lineup().subject(), metric) / theirs : Double.NaN;
        },
        null);
  }

  /**
   * Catnap's figure as a multiple of the floor's.
   *
   * @param metric in what
   * @return a ratio without a limit
   */
  public static Ratio ofFloor(Metric metric) {
    return new Ratio(
        s -> metric.noun() + ": " + subject(s) + " / floor",
        s -> s.subject(metric) / s.floor(metric),
        null);
  }

  /**
   * Catnap's figure as a multiple of a peer's.
   *
   * @param peer the peer
   * @param metric in what
   * @return a ratio without a limit
   */
  public static Ratio ofPeer(Peer peer, Metric metric) {
    return new Ratio(
        s -> metric.noun() + ": " + subject(s) + " / " + peer.label(),
        s -> s.subject(metric) / s.of(peer, metric),
        null);
  }

  /**
   * By how much Catnap's figure is above a peer's, for figures that may be zero.
   *
   * @param peer the peer
   * @param metric in what
   * @return a difference without a limit
   */
  public static Ratio above(Peer peer, Metric metric) {
    return new Ratio(
        s -> metric.heading() + ": " + subject(s) + " - " + peer.label(),
        s -> s.subject(metric) - s.of(peer, metric),
        null);
  }

  /**
   * Catnap's figure itself, for targets that are no ratios.
   *
   * @param metric which
   * @return a figure without a limit
   */
  public static Ratio figure(Metric metric) {
    return new Ratio(s -> metric.heading() + ": " + subject(s), s -> s.subject(metric), null);
  }

  /**
   * The same with a target.
   *
   * @param least the least good value
   * @return a new ratio
   */
  public Ratio atLeast(double least) {
    return new Ratio(text, value, Limit.atLeast(least));
  }

  /**
   * The same with a target.
   *
   * @param most the greatest good value
   * @return a new ratio
   */
  public Ratio atMost(double most) {
    return new Ratio(text, value, Limit.atMost(most));
  }

  private static String subject(Standing standing) {
    return standing.lineup().subject().label();
  }
}
