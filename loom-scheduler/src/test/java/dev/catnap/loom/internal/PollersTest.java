package dev.catnap.loom.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.catnap.loom.internal.OpenPools.Host;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Who calls the JDK's pollers into being, where threads have run out (F8). */
class PollersTest {
  private final OpenPools pools = new OpenPools();
  private final AtomicInteger tries = new AtomicInteger();

  // Pools that nobody holds do not count.
  private final Host first = new Open();
  private final Host second = new Open();

  private static final class Open implements Host {
    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public boolean hasSpares() {
      return true;
    }

    @Override
    public boolean carry(Runnable continuation) {
      return true;
    }
  }

  @Test
  void whereNoThreadCanBeStarted_theNextPoolTriesAgain_andBothCount() {
    Pollers pollers =
        new Pollers(
            pools,
            () -> {
              if (tries.incrementAndGet() == 1) {
                throw new OutOfMemoryError("unable to create native thread (from the test)");
              }
              return true;
            });
    pollers.serve(first);
    assertSame(first, pools.only());
    pollers.serve(second);
    assertNull(pools.only());
    pollers.serve(new Open());
    assertEquals(2, tries.get(), "an answer is remembered");
  }

  @Test
  void whereTheyCannotBeCarriedNoPoolIsAsked() {
    Pollers pollers =
        new Pollers(
            pools,
            () -> {
              tries.incrementAndGet();
              return false;
            });
    pollers.serve(new Open());
    pollers.serve(new Open());
    assertNull(pools.only());
    assertEquals(1, tries.get());
  }
}
