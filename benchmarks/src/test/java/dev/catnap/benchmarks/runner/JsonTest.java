package dev.catnap.benchmarks.runner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {
  @Test
  void parse_everyKindOfValue() {
    assertEquals(
        Map.of("a", List.of(1.5, -2e3, true), "b\"\n", Map.of("c", "\u00e9\\"), "d", List.of()),
        Json.parse(
            """
            {"a": [1.5, -2E3, true], "b\\"\\n": {"c": "\\u00e9\\\\"}, "d": []}
            """));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "{\"a\" 1}", "[1 2]", "\"a", "nul", "1 1", "{}}"})
  void parse_nonsense_refused(String text) {
    assertThrows(IllegalArgumentException.class, () -> Json.parse(text));
  }
}
