package dev.catnap.internal.sleep;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** G1: who looks for work overlooks nobody that may have some. */
class AwakeSetTest {
  /** Of less than a word, of words to the last bit, and of a part of the last one. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 63, 64, 65, 128, 200})
  void itHoldsWhatWasAddedAndNotRemoved(int capacity) {
    AwakeSet set = new AwakeSet(capacity);
    BitSet expected = new BitSet();
    Random random = new Random(capacity);
    for (int round = 0; round < 2_000; round++) {
      int index = random.nextInt(capacity);
      if (expected.get(index)) {
        set.remove(index);
      } else {
        set.add(index);
      }
      expected.flip(index);
      int to = random.nextInt(capacity + 1);
      int from = random.nextInt(to + 1);
      for (int i = set.next(from, to); i >= 0; i = set.next(from, to)) {
        assertEquals(expected.nextSetBit(from), i);
        from = i + 1;
      }
      int next = expected.nextSetBit(from);
      assertEquals(to, next < 0 ? to : Math.min(next, to), "none is left in between");
    }
  }
}
