package dev.catnap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.testing.NoThreadLeft;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a builder's settings are to a scheduler that has no threads (F10). */
@ExtendWith(NoThreadLeft.class)
class CurrentThreadBuilderTest {

  @Test
  void theBuilderStaysAsItWas() throws Exception {
    var builder = WorkStealingScheduler.builder().name("kept").parallelism(3).maxThreads(7);
    try (var current = builder.buildForCurrentThread()) {
      assertEquals(1, current.scheduler().parallelism());
      assertEquals(1, current.scheduler().maxThreads());
      assertEquals(5, current.run(() -> 5));
    }
    try (var pool = builder.build()) {
      assertEquals(3, pool.parallelism());
      assertEquals(7, pool.maxThreads());
    }
  }

  /** As many workers as it has, without complaint: it has one whatever was said. */
  @Test
  void howManyThreadsThereMayBeHasNoEffect() throws Exception {
    var builder = WorkStealingScheduler.builder().parallelism(4).maxThreads(2);
    try (var current = builder.threadBudget(ThreadBudget.of(3)).buildForCurrentThread()) {
      assertEquals(5, current.run(() -> 5));
    }
  }

  /** G9: what is not used here is there for the pools that share it. */
  @Test
  void itTakesNothingOfABudget_notEvenOfOneThatIsUsedUp() throws Exception {
    ThreadBudget budget = ThreadBudget.of(2);
    var builder = WorkStealingScheduler.builder().parallelism(2).threadBudget(budget);
    try (var first = builder.buildForCurrentThread()) {
      assertEquals(0, budget.inUse());
      try (var pool = builder.build();
          var second = builder.buildForCurrentThread()) {
        assertEquals(2, budget.inUse());
        assertEquals(7, first.run(() -> pool.join(() -> 3, () -> 4).left() + 4));
        assertEquals(5, second.run(() -> 5));
      }
      assertEquals(0, budget.inUse());
    }
    assertEquals(0, budget.inUse(), "given back what was not taken");
  }

  @Test
  void aFlavorThatIsAboutSeveralThreadsIsRefusedByName() {
    var builder = WorkStealingScheduler.builder().flavor(Flavor.THREAD_PER_CORE);
    var e = assertThrows(IllegalStateException.class, builder::buildForCurrentThread);
    assertTrue(String.valueOf(e.getMessage()).contains("THREAD_PER_CORE"), e::getMessage);
  }

  /** Its threads are their owners': as they were, during a run too. */
  @Test
  void settingsOfThreadsHaveNoEffectOnTheCaller() throws Exception {
    Thread self = Thread.currentThread();
    AtomicReference<String> seen = new AtomicReference<>();
    String before = self.getPriority() + " " + self.getContextClassLoader();
    var builder =
        WorkStealingScheduler.builder()
            .priority(Thread.MAX_PRIORITY)
            .contextClassLoader(new ClassLoader(null) {});
    try (var current = builder.buildForCurrentThread()) {
      current.run(
          () -> {
            seen.set(self.getPriority() + " " + self.getContextClassLoader());
            return 0;
          });
    }
    assertEquals(before, seen.get());
  }
}
