package dev.catnap.loom.internal.jdk;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.catnap.loom.testing.ForkedJvm;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** G2, G11: a time limit that is not needed any more. */
class VirtualTimerTest {
  /**
   * The JDK cancels it when the virtual thread is said to run already: that would be stranded. Such
   * a stack has a task that joins, and runs others meanwhile, in a recursion. Hot as well: compiled
   * into its caller, a cancel would ask for all its stack where that begins.
   */
  @ParameterizedTest
  @ValueSource(ints = {0, 200_000})
  void whereTheStackEndsItIsCancelled_andHasNothingToDoWhenItsTimeComes(int before)
      throws Exception {
    assertEquals(
        List.of(
            "cancelled where it was called first: true",
            "armed: 1",
            "is cancelled: true",
            "a second time: false",
            "has nothing to do: true"),
        ForkedJvm.run(CancelProbe.options(), CancelProbe.class, String.valueOf(before)));
  }
}
