package dev.catnap.killmatrix;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A wrong version of the core, or of the dispatcher.
 *
 * @param name unique; in the table, on the command line, in directory names
 * @param step the step of the protocol, or the operation, that it breaks
 * @param story what goes wrong, in a sentence or two
 * @param edits what is changed
 * @param killers checks that notice it; the build runs these
 * @param equivalence why no run of the code can notice it; empty if some can
 */
record Mutant(
    String name,
    String step,
    String story,
    List<Edit> edits,
    List<Check> killers,
    String equivalence) {

  Mutant {
    edits = List.copyOf(edits);
    killers = List.copyOf(killers);
    if (edits.isEmpty()) {
      throw new IllegalArgumentException(name + " edits nothing");
    }
    if (killers.isEmpty() && equivalence.isEmpty()) {
      throw new IllegalArgumentException(
          name + " needs either checks that kill it or an argument that none can");
    }
  }

  /** For the gate: the first of the checks that come out the same each time, if there is one. */
  Optional<Mutant> withOneDeterministicKiller() {
    return killers.stream()
        .filter(Check::isDeterministic)
        .findFirst()
        .map(one -> new Mutant(name, step, story, edits, List.of(one), equivalence));
  }

  /**
   * One place that changes.
   *
   * @param file below {@code core/src/main/java/dev/catnap/internal}; after {@code dispatcher/},
   *     below {@code dispatcher/src/main/java/dev/catnap/coroutines}
   * @param original whole lines that are there exactly once
   * @param replacement whole lines, or nothing
   */
  record Edit(String file, List<String> original, List<String> replacement) {
    Edit {
      original = List.copyOf(original);
      replacement = List.copyOf(replacement);
    }

    /**
     * The changed source.
     *
     * @throws IllegalArgumentException if the original lines are not there exactly once: the source
     *     has changed, and the mutant must follow
     */
    List<String> applyTo(String mutant, List<String> source) {
      int at = -1;
      for (int i = 0; i + original.size() <= source.size(); i++) {
        if (source.subList(i, i + original.size()).equals(original)) {
          if (at >= 0) {
            throw new IllegalArgumentException(mutant + ": twice in " + file + ": " + original);
          }
          at = i;
        }
      }
      if (at < 0) {
        throw new IllegalArgumentException(mutant + ": not in " + file + ": " + original);
      }
      List<String> edited = new ArrayList<>(source.subList(0, at));
      edited.addAll(replacement);
      edited.addAll(source.subList(at + original.size(), source.size()));
      return edited;
    }
  }
}
