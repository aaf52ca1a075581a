package dev.catnap.internal.atomic;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A padded field has its cache lines to itself: what the JVM really lays out, which is not what the
 * order of the declarations says.
 */
class PaddingTest {
  /** Two lines, since processors load them in pairs. */
  private static final long APART = 128;

  @ParameterizedTest
  @ValueSource(classes = {PaddedInt.class, PaddedLong.class, PaddedReference.class})
  void nothingElseIsWithinTwoLinesOfTheField(Class<?> padded) throws Exception {
    long field = Offsets.of(padded.getSuperclass().getDeclaredField("value"));
    assertTrue(field >= APART, () -> "in front: " + field);
    long end = 0;
    for (Field tail : padded.getDeclaredFields()) {
      end = Math.max(end, Offsets.of(tail) + 1);
    }
    long behind = end - field - Long.BYTES; // the largest of them
    assertTrue(behind >= APART - Long.BYTES, () -> "behind: " + behind);
  }

  /** Or the object is larger than it need be, and still has neighbours in one of its gaps. */
  @ParameterizedTest
  @ValueSource(classes = {PaddedInt.class, PaddedLong.class, PaddedReference.class})
  void allOfThePaddingInFrontIsInFront(Class<?> padded) throws Exception {
    Class<?> withField = padded.getSuperclass();
    long field = Offsets.of(withField.getDeclaredField("value"));
    long last =
        Arrays.stream(withField.getSuperclass().getDeclaredFields())
            .mapToLong(Offsets::of)
            .max()
            .getAsLong();
    assertTrue(last < field, () -> last + " is behind " + field);
  }
}
