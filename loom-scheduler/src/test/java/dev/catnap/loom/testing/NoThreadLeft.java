package dev.catnap.loom.testing;

import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Fails a test that leaves a worker or timer thread behind (G6). */
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
    Deadline.until("every worker and timer thread is over", () -> before.containsAll(threads()));
  }

  private static Set<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(t -> isOfAPoolOfTests(t.getName()))
        .filter(Thread::isAlive)
        .collect(Collectors.toSet());
  }

  /** The common scheduler has no number, and stays. */
  private static boolean isOfAPoolOfTests(String name) {
    return name.matches("(test|explicit|catnap-[0-9]).*-(worker-[0-9]+|timer)");
  }
}
