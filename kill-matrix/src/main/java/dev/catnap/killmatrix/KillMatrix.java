package dev.catnap.killmatrix;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/** Runs mutants against checks, a few at a time. */
final class KillMatrix {
  /** Twice what the slowest check takes that ends by itself, on a busy machine. */
  static final long BUDGET_SECONDS = 300;

  /** Modules whose tests are the checks. */
  private static final List<String> CHECKED_BY =
      List.of("core", "dispatcher", "lincheck-tests", "jcstress-tests");

  private final Path root;
  private final Path work;

  /** The production classes and every check. */
  private final String classPath;

  /**
   * Of one repository.
   *
   * @param root its root
   * @param work where mutated classes and logs go
   */
  KillMatrix(Path root, Path work) {
    this.root = root;
    this.work = work;
    StringBuilder path = new StringBuilder(System.getProperty("java.class.path", ""));
    for (String module : CHECKED_BY) {
      path.append(File.pathSeparator).append(root.resolve(module).resolve("target/test-classes"));
    }
    this.classPath = path.toString();
  }

  /** What each check made of one mutant, in the order of the checks. */
  record Row(Mutant mutant, Map<Check, Check.Outcome> outcomes) {
    boolean isKilled() {
      return outcomes.values().stream().anyMatch(Check.Outcome::killed);
    }

    /** Left to the model: what runs the code was not seen to notice it. */
    boolean isLeftToTheModel() {
      return outcomes.isEmpty() && mutant.equivalence().isEmpty();
    }
  }

  /**
   * Makes every mutant.
   *
   * @param jobs how many at a time
   * @throws IllegalStateException if an edit does not fit
   */
  void compile(List<Mutant> mutants, int jobs) throws InterruptedException {
    forEach(
        mutants,
        jobs,
        m -> {
          MutatedClasses.compile(m, root, classPath, classesOf(m));
          return m;
        });
  }

  /**
   * Runs mutants that are compiled against those of their killers that run here.
   *
   * @param jobs JVMs at a time
   * @param done called for each mutant as soon as it is done, by several threads
   */
  List<Row> run(List<Mutant> mutants, int jobs, Consumer<Row> done) throws InterruptedException {
    return forEach(
        mutants,
        jobs,
        m -> {
          Row row = row(m);
          done.accept(row);
          return row;
        });
  }

  private interface Step<T> {
    T of(Mutant mutant) throws IOException, InterruptedException;
  }

  /** In the order of the mutants. */
  private static <T> List<T> forEach(List<Mutant> mutants, int jobs, Step<T> step)
      throws InterruptedException {
    ExecutorService pool = Executors.newFixedThreadPool(jobs);
    try {
      List<Future<T>> futures = new ArrayList<>();
      for (Mutant m : mutants) {
        futures.add(pool.submit(() -> step.of(m)));
      }
      List<T> all = new ArrayList<>();
      for (Future<T> future : futures) {
        all.add(get(future));
      }
      return all;
    } finally {
      pool.shutdownNow();
    }
  }

  private Path classesOf(Mutant mutant) {
    return work.resolve(mutant.name());
  }

  private static <T> T get(Future<T> future) throws InterruptedException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }

  private Row row(Mutant mutant) throws IOException, InterruptedException {
    Map<Check, Check.Outcome> outcomes = new LinkedHashMap<>();
    for (Check check : mutant.killers()) {
      if (check.isRunHere()) {
        Path log = work.resolve(mutant.name() + "-" + outcomes.size() + ".log");
        outcomes.put(check, check.run(classesOf(mutant), classPath, log, BUDGET_SECONDS));
      }
    }
    return new Row(mutant, outcomes);
  }
}
