package dev.catnap.killmatrix;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads files of mutants:
 *
 * <pre>
 *   = no-final-check                       begins a mutant
 *   step: FinalCheck
 *   story: A push just before Register is seen by nobody.
 *   killer: lincheck SleepLostWakeupTest#aPublishReachesAWorkerThatFallsAsleep
 *   equivalent: ...                        instead of killers; goes on in indented lines, as a story does
 *   &#64; sleep/Sleep.java                     begins an edit, below internal/ of the core, or of
 *                                          dispatcher/; then lines as in a diff:
 *    unchanged
 *   -taken out
 *   +put in
 *   # a comment
 * </pre>
 */
final class MutantFile {
  private final Path file;
  private final List<Mutant> mutants = new ArrayList<>();

  private String name = "";
  private String step = "";
  private String story = "";
  private String equivalence = "";
  private List<Mutant.Edit> edits = new ArrayList<>();
  private List<Check> killers = new ArrayList<>();

  private String editedFile = "";
  private List<String> original = new ArrayList<>();
  private List<String> replacement = new ArrayList<>();

  private MutantFile(Path file) {
    this.file = file;
  }

  /** All mutants of a folder, file by file in the order of their names. */
  static List<Mutant> readAll(Path folder) throws IOException {
    List<Mutant> all = new ArrayList<>();
    List<Path> files;
    try (var listing = Files.list(folder)) {
      files = listing.filter(f -> f.toString().endsWith(".mutants")).sorted().toList();
    }
    for (Path f : files) {
      all.addAll(new MutantFile(f).read());
    }
    return all;
  }

  private List<Mutant> read() throws IOException {
    int number = 0;
    for (String line : Files.readAllLines(file)) {
      number++;
      try {
        accept(line);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(file + ":" + number + ": " + e.getMessage(), e);
      }
    }
    endMutant();
    return mutants;
  }

  private void accept(String line) {
    if (line.startsWith("= ")) {
      endMutant();
      name = line.substring(2).strip();
    } else if (line.startsWith("@ ")) {
      endEdit();
      editedFile = line.substring(2).strip();
    } else if (line.startsWith("#")) {
      return;
    } else if (!editedFile.isEmpty()) {
      acceptEdited(line);
    } else {
      acceptHead(line);
    }
  }

  private void acceptEdited(String line) {
    if (line.isEmpty()) {
      return; // an empty line of the source is " "
    }
    String rest = line.substring(1);
    switch (line.charAt(0)) {
      case ' ' -> {
        original.add(rest);
        replacement.add(rest);
      }
      case '-' -> original.add(rest);
      case '+' -> replacement.add(rest);
      default -> throw new IllegalArgumentException("neither ' ', '-' nor '+': " + line);
    }
  }

  private void acceptHead(String line) {
    if (line.isBlank()) {
      return;
    }
    if (line.startsWith("  ")) {
      String more = " " + line.strip();
      if (!equivalence.isEmpty()) {
        equivalence += more;
      } else {
        story += more;
      }
      return;
    }
    int colon = line.indexOf(':');
    String key = colon < 0 ? line : line.substring(0, colon);
    String value = colon < 0 ? "" : line.substring(colon + 1).strip();
    switch (key) {
      case "step" -> step = value;
      case "story" -> story = value;
      case "equivalent" -> equivalence = value;
      case "killer" -> killers.add(Check.parse(value));
      default -> throw new IllegalArgumentException("no such key: " + line);
    }
  }

  private void endEdit() {
    if (!editedFile.isEmpty()) {
      edits.add(new Mutant.Edit(editedFile, original, replacement));
    }
    editedFile = "";
    original = new ArrayList<>();
    replacement = new ArrayList<>();
  }

  private void endMutant() {
    endEdit();
    if (!name.isEmpty()) {
      mutants.add(new Mutant(name, step, story, edits, killers, equivalence));
    }
    name = "";
    step = "";
    story = "";
    equivalence = "";
    edits = new ArrayList<>();
    killers = new ArrayList<>();
  }
}
