package dev.catnap.proof;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Writes {@code docs/proof.md} if the build that is about to end was green, or says why not. */
public final class Main {
  /** Written by the lane itself, before this page. */
  private static final List<String> GENERATED =
      List.of("docs/proof.md", "docs/kill-matrix.md", "docs/model/verified.sha256");

  private Main() {}

  /**
   * Writes the page.
   *
   * @param args the root of the repository, and when the build began, as in {@code
   *     2026-11-23T15:18:38Z}; then the options of the lane, as in {@code test.excluded=none}
   * @throws IllegalStateException if a part failed or did not run; the page stays as it was
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    Path root = Path.of(args[0]);
    Instant start = Instant.parse(args[1]);
    List<String> complaints = new ArrayList<>(withoutPart(root));
    complaints.addAll(changed(List.of(args).subList(2, args.length)));
    List<Part.Result> results = new ArrayList<>();
    for (Part part : Part.ALL) {
      results.add(part.read(root, start, complaints));
    }
    if (!complaints.isEmpty()) {
      throw new IllegalStateException(
          "docs/proof.md is written of a whole green run only:\n  "
              + String.join("\n  ", complaints));
    }
    Duration took = Duration.between(start, Instant.now());
    String page = Page.of(results, commit(root), Machine.describe(), start, took);
    Files.writeString(root.resolve("docs/proof.md"), page);
  }

  /** Directories of tests that the page would pass over. */
  static List<String> withoutPart(Path root) throws IOException {
    TreeSet<String> named = new TreeSet<>();
    Part.ALL.forEach(part -> named.add(part.module()));
    try (Stream<Path> directories = Files.list(root)) {
      return directories
          .filter(d -> Files.isDirectory(d.resolve("src/test")))
          .map(d -> d.getFileName().toString())
          .filter(module -> !named.contains(module))
          .map(module -> module + " is no part of the page")
          .toList();
    }
  }

  /**
   * Options that somebody set: the page is about the lane as it is. This module's pom marks those
   * that nobody has set, but for the one that its own tests need.
   */
  static List<String> changed(List<String> options) {
    return options.stream()
        .filter(option -> !option.equals("test.excluded=none") && !option.endsWith("=as it is"))
        .map(option -> option + " is not what the lane sets")
        .toList();
  }

  private static String commit(Path root) throws IOException, InterruptedException {
    if (!Files.exists(root.resolve(".git"))) {
      return "unknown: not a checkout";
    }
    String commit = git(root, "rev-parse", "HEAD").strip();
    List<String> changed =
        git(root, "status", "--porcelain", "--untracked-files=no")
            .lines()
            .map(line -> line.substring("XY ".length()))
            .filter(file -> !GENERATED.contains(file))
            .toList();
    return changed.isEmpty() ? commit : commit + " with changes of " + String.join(", ", changed);
  }

  private static String git(Path root, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("git", "-C", root.toString()));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IllegalStateException(String.join(" ", command) + " failed");
    }
    return output;
  }
}
