package dev.catnap.testing;

import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Fails a test that leaves a thread of a scheduler behind (G6). */
public final class NoThreadLeft implements BeforeEachCallback, AfterEachCallback {
  private Set<Thread> before = Set.of();

  /** Made by JUnit. */
  public NoThreadLeft() {}

  @Override
  public void beforeEach(ExtensionContext context) {
    before = threads();
  }

  @Override
  public void afterEach(ExtensionContext context) {
    Await.until(
        "every worker and timer thread is over",
        () -> before.containsAll(threads()),
        () -> threads().stream().filter(t -> !before.contains(t)).toList());
  }

  private static Set<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(t -> t.getName().matches(".*-(worker-\\d+|timer|sentinel)"))
        .filter(
            t -> !t.getName().matches("catnap-(worker-\\d+|timer|sentinel)")) // common: it stays
        .filter(t -> !t.getName().startsWith("ForkJoinPool-")) // carriers of the JDK
        .filter(Thread::isAlive)
        .collect(Collectors.toSet());
  }
}
