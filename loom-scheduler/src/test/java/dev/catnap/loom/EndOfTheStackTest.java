package dev.catnap.loom;

import dev.catnap.internal.stack.StackReserve;
import dev.catnap.loom.CarrierPool.Mode;
import dev.catnap.loom.testing.Deadline;
import dev.catnap.loom.testing.Modes;
import dev.catnap.loom.testing.NoThreadLeft;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * G2, G7: where the stack of a thread has room for the JDK's part of an unpark but not for the
 * protocol's, the virtual thread goes on elsewhere. One that is refused there is stranded: for the
 * JDK it runs.
 */
@ExtendWith(NoThreadLeft.class)
class EndOfTheStackTest {
  private volatile long asked;
  private volatile long answered;
  private volatile boolean over;

  private void answer() {
    while (!over) {
      LockSupport.park();
      answered = asked;
    }
  }

  private void ask(Thread thread) {
    long next = asked + 1;
    asked = next;
    LockSupport.unpark(thread);
    while (answered < next) {
      if (thread.getState() == Thread.State.WAITING) {
        LockSupport.unpark(thread); // it had its answer ready before it was asked
      }
      Thread.onSpinWait();
    }
  }

  @SuppressWarnings("InfiniteRecursion")
  private long askToTheEnd(Thread thread, long depth) {
    ask(thread);
    try {
      StackReserve.requireLittle(StackReserve.never());
    } catch (StackOverflowError enough) {
      return depth;
    }
    return askToTheEnd(thread, depth + 1) + 1;
  }

  /**
   * Not in the gate: it fails in one JVM of ten, by what the JIT compiler happens to compile as
   * one. Where that ends between the JDK's part and the protocol, the reserve of the latter is
   * needed before the error can be caught; and the fallback's first use initialises classes.
   */
  @Tag("timing")
  @ParameterizedTest
  @MethodSource("dev.catnap.loom.testing.Modes#available")
  void whoIsUnparkedThereGoesOn(Mode mode) throws Exception {
    try (CarrierPool pool = Modes.pool(mode, 2)) {
      Thread thread = pool.ofVirtual().start(this::answer);
      FutureTask<?> asks =
          new FutureTask<>(
              () -> {
                for (int i = 0; i < 200; i++) {
                  ask(thread);
                }
                try {
                  long ignored = askToTheEnd(thread, 0);
                } catch (StackOverflowError atTheEntry) {
                  // Compiled as one with the protocol, unpark needs its stack where it begins.
                  return;
                }
              },
              null);
      Thread deep = new Thread(null, asks, "deep", 256 * 1024);
      deep.start();
      Deadline.join(deep);
      asks.get();
      over = true;
      LockSupport.unpark(thread);
      Deadline.join(thread);
    }
  }
}
