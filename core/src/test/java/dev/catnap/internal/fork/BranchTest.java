package dev.catnap.internal.fork;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Who waits for a branch is woken once, and sees then that it is done (G1). */
class BranchTest {
  private final List<Boolean> doneWhenWoken = new ArrayList<>();
  private @Nullable Branch branch;

  private Branch branch(Runnable body) {
    Branch b = new RunBranch(body, () -> doneWhenWoken.add(branch != null && branch.isDone()));
    branch = b;
    return b;
  }

  @Test
  void whoWaitsIsWokenWhenTheBranchIsDone() {
    branch(() -> {}).run();
    assertEquals(List.of(true), doneWhenWoken);
  }

  @Test
  void alsoWhenItThrows_andSeesWhat() {
    RuntimeException thrown = new RuntimeException("expected");
    Branch b =
        branch(
            () -> {
              throw thrown;
            });
    b.run();
    assertEquals(List.of(true), doneWhenWoken);
    assertSame(thrown, b.failure());
  }

  @Test
  void alsoWhenItIsCancelled() {
    CancellationException why = new CancellationException("expected");
    Branch b = branch(() -> {});
    b.cancel(why);
    assertEquals(List.of(true), doneWhenWoken);
    assertSame(why, b.failure());
  }
}
