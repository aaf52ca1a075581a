package dev.catnap.benchmarks.plan;

import java.util.List;
import java.util.Map;

/**
 * One program with its parameters, and what is compared.
 *
 * @param name unique in its row
 * @param benchmark the class that JMH runs; its parameters {@code scheduler} and {@code workers}
 *     are set by the runner
 * @param method the benchmark method
 * @param params its other parameters
 * @param lineup who runs
 * @param columns what the table shows; ratios over the floor are of the first
 * @param ratios what is compared
 */
public record Case(
    String name,
    Class<?> benchmark,
    String method,
    Map<String, String> params,
    Lineup lineup,
    List<Metric> columns,
    List<Ratio> ratios) {

  /** Copies the collections. */
  public Case {
    params = Map.copyOf(params);
    columns = List.copyOf(columns);
    ratios = List.copyOf(ratios);
  }
}
