package dev.catnap.internal.atomic;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
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
    long field = offset(padded.getSuperclass().getDeclaredField("value"));
    assertTrue(field >= APART, () -> "in front: " + field);
    long end = 0;
    for (Field tail : padded.getDeclaredFields()) {
      end = Math.max(end, offset(tail) + 1);
    }
    long behind = end - field - Long.BYTES; // the largest of them
    assertTrue(behind >= APART - Long.BYTES, () -> "behind: " + behind);
  }

  /** Or the object is larger than it need be, and still has neighbours in one of its gaps. */
  @ParameterizedTest
  @ValueSource(classes = {PaddedInt.class, PaddedLong.class, PaddedReference.class})
  void allOfThePaddingInFrontIsInFront(Class<?> padded) throws Exception {
    Class<?> withField = padded.getSuperclass();
    long field = offset(withField.getDeclaredField("value"));
    long last =
        Arrays.stream(withField.getSuperclass().getDeclaredFields())
            .mapToLong(PaddingTest::offset)
            .max()
            .getAsLong();
    assertTrue(last < field, () -> last + " is behind " + field);
  }

  /** By reflection: the compiler warns of the class, and cannot be told not to. */
  private static long offset(Field f) {
    try {
      Class<?> type = Class.forName("sun.misc.Unsafe");
      Field instance = type.getDeclaredField("theUnsafe");
      instance.setAccessible(true);
      Method offset = type.getMethod("objectFieldOffset", Field.class);
      return (long) offset.invoke(instance.get(null), f);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(f.toString(), e);
    }
  }
}
