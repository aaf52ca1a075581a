package dev.catnap.killmatrix;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Compiles the files that a mutant changes against the production classes. */
final class MutatedClasses {
  private static final String DISPATCHER = "dispatcher/";

  private MutatedClasses() {}

  /**
   * Applies the edits and compiles.
   *
   * @param root of the repository
   * @param classPath the production classes
   * @param to where the classes go; to be put first on a class path
   * @throws IllegalArgumentException if an edit does not fit, or the result does not compile: then
   *     the mutant is wrong, not the code
   */
  static void compile(Mutant mutant, Path root, String classPath, Path to) throws IOException {
    Map<String, List<String>> edited = new LinkedHashMap<>();
    for (Mutant.Edit e : mutant.edits()) {
      List<String> before = edited.get(e.file());
      if (before == null) {
        before = Files.readAllLines(source(root, e.file()));
      }
      edited.put(e.file(), e.applyTo(mutant.name(), before));
    }
    Path sourceRoot = to.resolveSibling(to.getFileName() + "-src");
    deleteAll(sourceRoot);
    deleteAll(to);
    List<Path> files = new ArrayList<>();
    for (var entry : edited.entrySet()) {
      Path f = sourceRoot.resolve(entry.getKey());
      Files.createDirectories(Objects.requireNonNull(f.getParent()));
      Files.write(f, entry.getValue());
      files.add(f);
    }
    Files.createDirectories(to);
    JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
    StringWriter messages = new StringWriter();
    try (StandardJavaFileManager manager = javac.getStandardFileManager(null, null, null)) {
      boolean compiled =
          javac
              .getTask(
                  messages,
                  manager,
                  null,
                  List.of(
                      "--release",
                      "17",
                      "-proc:none",
                      "-g",
                      "-parameters",
                      "-XDstringConcat=inline",
                      "-nowarn",
                      "-cp",
                      classPath,
                      "-d",
                      to.toString()),
                  null,
                  manager.getJavaFileObjectsFromPaths(files))
              .call();
      if (!compiled) {
        throw new IllegalArgumentException(mutant.name() + " does not compile: " + messages);
      }
    }
  }

  private static Path source(Path root, String file) {
    return file.startsWith(DISPATCHER)
        ? root.resolve("dispatcher/src/main/java/dev/catnap/coroutines")
            .resolve(file.substring(DISPATCHER.length()))
        : root.resolve("core/src/main/java/dev/catnap/internal").resolve(file);
  }

  /** What an earlier run left, of a class that the mutant no longer edits, would be checked too. */
  private static void deleteAll(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    try (Stream<Path> paths = Files.walk(directory)) {
      for (Path p : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(p);
      }
    }
  }
}
