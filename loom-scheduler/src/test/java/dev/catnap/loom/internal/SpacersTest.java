package dev.catnap.loom.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.Flavor;
import dev.catnap.loom.CarrierPool;
import dev.catnap.loom.CarrierPool.Mode;
import dev.catnap.loom.testing.Modes;
import dev.catnap.loom.testing.NoThreadLeft;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Carriers are no neighbours in HotSpot's table of threads. */
@ExtendWith(NoThreadLeft.class)
class SpacersTest {

  private static List<Thread> alive() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(t -> t.getName().equals("catnap-spacer"))
        .toList();
  }

  @Test
  void theyStayUntilTheEnd_andThenNoneIsLeft() {
    Spacers spacers = new Spacers();
    spacers.separate();
    spacers.separate();
    assertEquals(6, alive().size());
    spacers.end();
    assertEquals(List.of(), alive());
  }

  @Test
  void afterTheEndNoneIsStarted() {
    Spacers spacers = new Spacers();
    spacers.end();
    spacers.separate();
    assertEquals(List.of(), alive());
  }

  /** Three and the carrier's room, twice; a pool with few threads had not been built any more. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7})
  void whereThreadsRunOut_theyMakeRoomForTheCarriers(int atMost) {
    AtomicInteger made = new AtomicInteger();
    Spacers spacers =
        new Spacers(
            body ->
                new Thread(body, "catnap-spacer") {
                  @Override
                  public synchronized void start() {
                    if (made.getAndIncrement() == atMost) {
                      throw new OutOfMemoryError("unable to create native thread (from the test)");
                    }
                    super.start();
                  }
                });
    spacers.separate();
    spacers.separate();
    assertEquals(List.of(), alive());
    spacers.separate();
    assertEquals(atMost + 1, made.get(), "none is tried after that");
  }

  @ParameterizedTest
  @MethodSource("dev.catnap.loom.testing.Modes#available")
  void betweenEachTwoCarriersThereAreThree(Mode mode) {
    assertSpaced(Modes.builder(mode, 4));
  }

  @ParameterizedTest
  @EnumSource
  void betweenEachTwoCarriersThereAreThree(Flavor flavor) {
    assertSpaced(CarrierPool.builder().name("test").parallelism(4).flavor(flavor));
  }

  /** Threads are numbered as they are made; nobody says which ones were there in between. */
  private static void assertSpaced(CarrierPool.Builder builder) {
    try (CarrierPool pool = builder.build()) {
      assertEquals(List.of(), alive());
      Queue<Long> carriers = new ConcurrentLinkedQueue<>();
      pool.scheduler().broadcast(() -> carriers.add(Thread.currentThread().threadId())).join();
      List<Long> inOrder = carriers.stream().sorted().toList();
      assertEquals(4, inOrder.size());
      for (int i = 1; i < 4; i++) {
        assertTrue(inOrder.get(i) - inOrder.get(i - 1) > 3, () -> "neighbours: " + inOrder);
      }
    }
  }
}
