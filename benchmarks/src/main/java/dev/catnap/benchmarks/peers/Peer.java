package dev.catnap.benchmarks.peers;

import java.util.Locale;

/** Something that a workload can run on; implemented by the enums that JMH takes as parameters. */
public interface Peer {
  /**
   * The name of the enum constant.
   *
   * @return what JMH takes as the parameter's value
   */
  String name();

  /**
   * The name in tables and messages.
   *
   * @return such as {@code fjp-async}
   */
  default String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
