package dev.catnap.benchmarks;

import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.catnap.benchmarks.http.Wrk;
import dev.catnap.benchmarks.peers.Peer;
import dev.catnap.benchmarks.plan.Case;
import dev.catnap.benchmarks.plan.Row;
import dev.catnap.benchmarks.rows.Rows;
import java.lang.annotation.Annotation;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Every case of every row once on everything that it runs on, without JMH: the workloads check
 * their own results. A new row needs no test of its own.
 */
class EveryWorkloadTest {
  /** As many as surefire's arguments give the JVM's own schedulers. */
  private static final int WORKERS = 2;

  /** A lost wakeup shows as a hang; longer than the workloads' own patience, which say more. */
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  /** Besides Catnap, one that is none: the workload itself is right. */
  @TestFactory
  Stream<DynamicTest> everyCase_onCatnapAndOnePeer() {
    return tests(program -> program.lineup().all().stream().limit(2));
  }

  @Tag("long")
  @TestFactory
  Stream<DynamicTest> everyCase_onAllOthers() {
    return tests(program -> program.lineup().all().stream().skip(2));
  }

  /** Where it is installed: what such a row does by itself, {@code http} tests show anywhere. */
  @Tag("long")
  @TestFactory
  Stream<DynamicTest> everyCase_underTheLoadGenerator() {
    assumeTrue(Wrk.isInstalled());
    return tests(Rows.HTTP, program -> program.lineup().all().stream());
  }

  private static Stream<DynamicTest> tests(Function<Case, Stream<Peer>> choice) {
    return tests(Rows.USUAL, choice);
  }

  private static Stream<DynamicTest> tests(List<Row> rows, Function<Case, Stream<Peer>> choice) {
    return rows.stream()
        .flatMap(
            row ->
                row.cases().stream()
                    .flatMap(program -> tests(row, program, choice.apply(program))));
  }

  private static Stream<DynamicTest> tests(Row row, Case program, Stream<Peer> peers) {
    return peers.map(
        peer ->
            dynamicTest(
                row.id() + " " + program.name() + " on " + peer.label(),
                () -> assertTimeoutPreemptively(PATIENCE, () -> runOnce(program, peer))));
  }

  private static void runOnce(Case program, Peer peer) throws Exception {
    Class<?> type = program.benchmark();
    Object benchmark = type.getConstructor().newInstance();
    type.getField("scheduler").set(benchmark, peer);
    type.getField("workers").setInt(benchmark, program.workers(List.of(WORKERS)).get(0));
    for (var param : program.params().entrySet()) {
      Field field = type.getField(param.getKey());
      field.set(benchmark, valueOf(field.getType(), param.getValue()));
    }
    invokeAnnotated(benchmark, Setup.class);
    try {
      type.getMethod(program.method()).invoke(benchmark);
    } finally {
      invokeAnnotated(benchmark, TearDown.class);
    }
  }

  /** As JMH reads it. */
  private static Object valueOf(Class<?> type, String value) {
    return type == int.class
        ? Integer.valueOf(value)
        : Stream.of(type.getEnumConstants())
            .filter(constant -> ((Enum<?>) constant).name().equals(value))
            .findFirst()
            .orElseThrow();
  }

  private static void invokeAnnotated(Object benchmark, Class<? extends Annotation> annotation)
      throws Exception {
    for (Method method : benchmark.getClass().getMethods()) {
      if (method.isAnnotationPresent(annotation)) {
        method.invoke(benchmark);
      }
    }
  }
}
