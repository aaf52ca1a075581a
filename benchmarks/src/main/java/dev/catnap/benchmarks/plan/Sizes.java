package dev.catnap.benchmarks.plan;

import java.util.List;
import java.util.OptionalDouble;

/**
 * Numbers of workers of a case's own, whatever the command line says.
 *
 * @param workers how many, ascending
 * @param metric what is compared between the most and the fewest of them
 * @param growth what it may grow to; empty if it is not compared
 */
public record Sizes(List<Integer> workers, Metric metric, OptionalDouble growth) {

  /** Copies the list. */
  public Sizes {
    workers = List.copyOf(workers);
  }
}
