package dev.catnap.killmatrix;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/** Runs mutants against checks, a few at a time. */
final class KillMatrix {
  /** Modules whose tests are the checks. */
  private static final List<String> CHECKED_BY =
      List.of("core", "dispatcher", "lincheck-tests", "jcstress-tests");

  private final Path root;
  private final Path work;
  private final int jobs;

  /** The production classes and every check. */
  private final String classPath;

  /**
   * Of one repository.
   *
   * @param root its root
   * @param work where mutated classes and logs go
   * @param jobs compilers, or JVMs, at a time
   */
  KillMatrix(Path root, Path work, int jobs) {
    this.root = root;
    this.work = work;
    this.jobs = jobs;
    StringBuilder path = new StringBuilder(System.getProperty("java.class.path", ""));
    for (String module : CHECKED_BY) {
      path.append(File.pathSeparator).append(root.resolve(module).resolve("target/test-classes"));
    }
    this.classPath = path.toString();
  }

  /** What each check made of one mutant, in the order of the checks. */
  record Row(Mutant mutant, Map<Check, Check.Outcome> outcomes) {}

  /**
   * Makes every mutant.
   *
   * @throws IllegalStateException if an edit does not fit
   */
  void compile(List<Mutant> mutants) throws InterruptedException {
    forEach(
        mutants,
        m -> {
          MutatedClasses.compile(m, root, classPath, classesOf(m));
          return m;
        });
  }

  /**
   * Runs every check of these mutants once on the unchanged code, with the same flags: one that
   * fails there, or hangs, would notice every mutant without seeing any.
   */
  Map<Check, Check.Outcome> controls(List<Mutant> mutants)
      throws InterruptedException, IOException {
    List<Check> checks =
        mutants.stream()
            .flatMap(m -> m.killers().stream())
            .filter(Check::isRunHere)
            .distinct()
            .toList();
    Path unchanged = Files.createDirectories(work.resolve("unchanged"));
    List<Check.Outcome> outcomes =
        forEach(
            checks,
            c -> {
              Path log = work.resolve("control-" + checks.indexOf(c) + ".log");
              return c.run(unchanged, classPath, log, Check.Limits.OF_CONTROL);
            });
    Map<Check, Check.Outcome> controls = new LinkedHashMap<>();
    for (int i = 0; i < checks.size(); i++) {
      controls.put(checks.get(i), outcomes.get(i));
    }
    return controls;
  }

  /**
   * Runs mutants that are compiled against those of their killers that run here.
   *
   * @param controls what came out on the unchanged code
   * @param done called for each mutant as soon as it is done, by several threads
   */
  List<Row> run(List<Mutant> mutants, Map<Check, Check.Outcome> controls, Consumer<Row> done)
      throws InterruptedException {
    return forEach(
        mutants,
        m -> {
          Row row = row(m, controls);
          done.accept(row);
          return row;
        });
  }

  private interface Step<T, R> {
    R of(T item) throws IOException, InterruptedException;
  }

  /** In the order of the items, some at a time. */
  private <T, R> List<R> forEach(List<T> items, Step<T, R> step) throws InterruptedException {
    ExecutorService pool = Executors.newFixedThreadPool(jobs);
    try {
      List<Future<R>> futures = new ArrayList<>();
      for (T item : items) {
        futures.add(pool.submit(() -> step.of(item)));
      }
      List<R> all = new ArrayList<>();
      for (Future<R> future : futures) {
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

  private static <R> R get(Future<R> future) throws InterruptedException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }

  private Row row(Mutant mutant, Map<Check, Check.Outcome> controls)
      throws IOException, InterruptedException {
    Map<Check, Check.Outcome> outcomes = new LinkedHashMap<>();
    for (Check check : mutant.killers()) {
      if (check.isRunHere()) {
        Path log = work.resolve(mutant.name() + "-" + outcomes.size() + ".log");
        Check.Outcome control =
            Objects.requireNonNull(controls.get(check), () -> "no control of " + check);
        Check.Limits limits = Check.Limits.afterControl(control.seconds());
        outcomes.put(check, check.run(classesOf(mutant), classPath, log, limits));
      }
    }
    return new Row(mutant, outcomes);
  }
}
