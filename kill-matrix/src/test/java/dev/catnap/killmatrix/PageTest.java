package dev.catnap.killmatrix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PageTest {
  private static final Check UNIT = Check.parse("unit ATest#a|b");
  private static final Check STEPS = Check.parse("steps BTest");
  private static final Check TLC = Check.parse("tlc Module-Bug");
  private static final Mutant FIRST = mutant("first", "It strands | it hangs.", UNIT, TLC);
  private static final Mutant SECOND = mutant("second", "It spins.", STEPS);

  private static Mutant mutant(String name, String story, Check... killers) {
    Mutant.Edit edit = new Mutant.Edit("a/B.java", List.of("x"), List.of());
    return new Mutant(name, "Push", story, List.of(edit), List.of(killers), "");
  }

  private static KillMatrix.Row row(Mutant mutant, Check check, double seconds) {
    return new KillMatrix.Row(mutant, Map.of(check, outcome(seconds)));
  }

  private static Check.Outcome outcome(double seconds) {
    return new Check.Outcome(true, "noticed", "one run", seconds);
  }

  private static List<String> whole() {
    return Page.of(
            List.of(FIRST, SECOND),
            List.of(row(FIRST, UNIT, 11), row(SECOND, STEPS, 12)),
            Map.of(UNIT, outcome(1.1), STEPS, outcome(1.2)),
            List.of())
        .lines()
        .toList();
  }

  @Test
  void itSaysOfEachMutantWhatTheFilesSay() {
    assertEquals(
        List.of(Page.description(FIRST), Page.description(SECOND)), Page.describedIn(whole()));
  }

  @Test
  void whatWasNotRunIsAsBefore() {
    List<String> page =
        Page.of(
                List.of(FIRST, SECOND),
                List.of(row(SECOND, STEPS, 22)),
                Map.of(STEPS, outcome(2.2)),
                whole())
            .lines()
            .toList();
    assertEquals(
        whole().stream()
            .map(l -> l.replace("| 12 s |", "| 22 s |").replace("| 1.2 s |", "| 2.2 s |"))
            .toList(),
        page);
  }

  @Test
  void aMutantThatHasChangedMustBeRun() {
    for (Mutant changed :
        List.of(
            mutant("first", "It strands.", UNIT, TLC),
            mutant("first", "It strands | it hangs.", UNIT),
            mutant("third", "It is new.", TLC))) {
      Exception e =
          assertThrows(
              IllegalStateException.class,
              () -> Page.of(List.of(changed), List.of(), Map.of(), whole()));
      assertTrue(e.getMessage().contains(changed.name()), e::getMessage);
    }
  }
}
