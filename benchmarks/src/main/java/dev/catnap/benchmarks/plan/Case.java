package dev.catnap.benchmarks.plan;

import dev.catnap.benchmarks.peers.NativePeer;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

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
 * @param sizes its own numbers of workers; null for those of the command line
 * @param natives native programs that do the same; null if there are none
 */
public record Case(
    String name,
    Class<?> benchmark,
    String method,
    Map<String, String> params,
    Lineup lineup,
    List<Metric> columns,
    List<Ratio> ratios,
    @Nullable Sizes sizes,
    @Nullable Natives natives) {

  /** Copies the collections. */
  public Case {
    params = Map.copyOf(params);
    columns = List.copyOf(columns);
    ratios = List.copyOf(ratios);
  }

  /**
   * A case that is run with the numbers of workers of the command line.
   *
   * @param name unique in its row
   * @param benchmark the class that JMH runs
   * @param method the benchmark method
   * @param params its other parameters
   * @param lineup who runs
   * @param columns what the table shows
   * @param ratios what is compared
   */
  public Case(
      String name,
      Class<?> benchmark,
      String method,
      Map<String, String> params,
      Lineup lineup,
      List<Metric> columns,
      List<Ratio> ratios) {
    this(name, benchmark, method, params, lineup, columns, ratios, null, null);
  }

  /**
   * The same with numbers of workers of its own.
   *
   * @param own the numbers
   * @return a new case
   */
  public Case withSizes(Sizes own) {
    return new Case(name, benchmark, method, params, lineup, columns, ratios, own, natives);
  }

  /**
   * The same beside native programs.
   *
   * @param programs the programs
   * @return a new case
   */
  public Case withNatives(Natives programs) {
    return new Case(name, benchmark, method, params, lineup, columns, ratios, sizes, programs);
  }

  /**
   * Who has a native program of it.
   *
   * @return in the order in which their forks take turns and tables show them, after the lineup
   */
  public List<NativePeer> nativePeers() {
    return natives == null ? List.of() : natives.peers();
  }

  /**
   * With how many workers it is run.
   *
   * @param asked what the command line says
   * @return that, or its own
   */
  public List<Integer> workers(List<Integer> asked) {
    return sizes == null ? asked : sizes.workers();
  }

  /**
   * Where the time of an operation is not what counts, its ratio says nothing.
   *
   * @return whether it enters geometric means and S1
   */
  public boolean isTimed() {
    return columns.get(0) == Metric.TIME;
  }
}
