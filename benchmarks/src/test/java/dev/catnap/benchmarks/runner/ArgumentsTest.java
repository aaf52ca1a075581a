package dev.catnap.benchmarks.runner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.benchmarks.plan.Row;
import dev.catnap.benchmarks.rows.Rows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ArgumentsTest {
  @Test
  void parse_nothing_allRowsFull() {
    assertEquals(
        new Settings(
            Rows.USUAL, List.of(2), false, Pace.FULL.forks(), null, null, false, List.of(), null),
        Arguments.parse(List.of()));
  }

  @Test
  void parse_everything() {
    Settings settings =
        Arguments.parse(
            List.of("c2", "--workers", "2,8,64", "--forks", "7", "V1", "--out", "a.json"));
    assertEquals(List.of("C2", "V1"), settings.rows().stream().map(Row::id).toList());
    assertEquals(List.of(2, 8, 64), settings.workers());
    assertEquals(7, settings.forks());
    assertEquals(Path.of("a.json"), settings.out());
  }

  @Test
  void parse_page_withAndWithoutFile() {
    assertEquals(Arguments.PAGE, Arguments.parse(List.of("--page", "C2")).page());
    assertEquals(Path.of("p.md"), Arguments.parse(List.of("--page", "p.md", "C2")).page());
    assertEquals(Arguments.PAGE, Arguments.parse(List.of("--from", "a.json")).page());
  }

  @Test
  void parse_native_onlyIfAsked() {
    assertTrue(Arguments.parse(List.of("J1", "--native")).natives());
    assertFalse(Arguments.parse(List.of("J1")).natives());
  }

  @Test
  void parse_http_onlyIfAskedOrNamed() {
    assertFalse(Arguments.parse(List.of()).needsLoadGenerator());
    assertTrue(Arguments.parse(List.of("--http")).rows().containsAll(Rows.ALL));
    assertEquals(Rows.HTTP, Arguments.parse(List.of("H1", "--http")).rows());
    assertTrue(Arguments.parse(List.of("h1")).needsLoadGenerator());
  }

  @Test
  void parse_short_oneFork() {
    Settings settings = Arguments.parse(List.of("--short"));
    assertTrue(settings.quick());
    assertEquals(1, settings.forks());
  }

  @Test
  void parse_against_aCheckoutThatWasBuilt(@TempDir Path checkout) throws IOException {
    List<String> args = List.of("C1", "--against", checkout.toString());
    String refusal =
        assertThrows(IllegalArgumentException.class, () -> Arguments.parse(args)).getMessage();
    assertTrue(refusal.contains("no build of Catnap in " + checkout), refusal);
    for (String module : List.of("core", "dispatcher", "loom-scheduler")) {
      Files.createDirectories(checkout.resolve(module + "/target/classes/dev"));
    }
    assertEquals(checkout, Arguments.parse(args).against());
    for (String more : List.of("--short", "--native", "--page", "H1")) {
      List<String> refused = List.of("C1", "--against", checkout.toString(), more);
      assertThrows(IllegalArgumentException.class, () -> Arguments.parse(refused), more);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"C99", "--forks", "--forks 2", "--workers 2,x", "--workers 0", "--what"})
  void parse_nonsense_refused(String line) {
    List<String> args = List.of(line.split(" ", -1));
    assertThrows(IllegalArgumentException.class, () -> Arguments.parse(args));
  }
}
