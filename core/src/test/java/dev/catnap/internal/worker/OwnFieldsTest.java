package dev.catnap.internal.worker;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.internal.atomic.Offsets;
import dev.catnap.internal.blocking.SectionForecast;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a worker writes for each task, publish or section does not lie on a cache line with what
 * others read, neither in its own object nor in the next one.
 */
class OwnFieldsTest {
  /** Two lines, since processors load them in pairs. */
  private static final long APART = 128;

  private static List<Field> instanceFields(Class<?> type) {
    List<Field> all = new ArrayList<>();
    for (Class<?> c = type; c != null; c = c.getSuperclass()) {
      for (Field f : c.getDeclaredFields()) {
        if (!Modifier.isStatic(f.getModifiers())) {
          all.add(f);
        }
      }
    }
    return all;
  }

  private static boolean isWritten(Field f) {
    return !Modifier.isFinal(f.getModifiers()) && f.getType() != byte.class;
  }

  @ParameterizedTest
  @ValueSource(classes = {Turns.class, Publisher.class, Section.class, SectionForecast.Row.class})
  void isTwoLinesAwayFromAllElse(Class<?> type) {
    List<Field> fields = instanceFields(type);
    long end = fields.stream().mapToLong(Offsets::of).max().getAsLong() + 1;
    List<Field> written = fields.stream().filter(OwnFieldsTest::isWritten).toList();
    assertFalse(written.isEmpty());
    for (Field f : written) {
      long offset = Offsets.of(f);
      assertTrue(offset >= APART, () -> f + " is at " + offset);
      assertTrue(end - offset - Offsets.sizeOf(f) >= APART, () -> f + " is at " + offset);
    }
  }

  /** But for what changes with its thread, or when it falls asleep. */
  @Test
  void nothingElseOfAWorkerIsWrittenWhileItRuns() {
    List<String> written =
        instanceFields(Worker.class).stream()
            .filter(OwnFieldsTest::isWritten)
            .map(Field::getName)
            .sorted()
            .toList();
    assertTrue(
        List.of(
                "amongTheAwake", // of Sleeper: it falls asleep, or is woken
                "announcedJec",
                "beginsWith", // its thread begins
                "hooks",
                "owner",
                "place",
                "thread")
            .equals(written),
        written::toString);
  }
}
