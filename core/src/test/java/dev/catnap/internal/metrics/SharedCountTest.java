package dev.catnap.internal.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

/** G1, G2, F9: counted after a publish, without memory too. */
class SharedCountTest {
  @Test
  void whatThereIsNoMemoryForIsCountedAllTheSame() {
    SharedCount count =
        new SharedCount(
            new LongAdder() {
              private boolean full;

              @Override
              public void add(long n) {
                full = !full;
                if (full) {
                  throw new OutOfMemoryError("on purpose");
                }
                super.add(n);
              }
            });
    for (int i = 0; i < 4; i++) {
      count.increment();
    }
    count.add(10);
    count.add(100);
    assertEquals(114, count.sum());
  }
}
