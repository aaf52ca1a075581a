package dev.catnap.benchmarks.runner;

import dev.catnap.benchmarks.peers.NativePeer;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What native programs are built with.
 *
 * @param path where executables are looked for
 * @param registry where Debian's packages of Rust libraries install their sources
 */
record NativeTools(List<Path> path, Path registry) {
  /** Those of this machine. */
  static final NativeTools INSTALLED =
      new NativeTools(
          Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
              .map(Path::of)
              .toList(),
          Path.of("/usr/share/cargo/registry"));

  /** Copies the list. */
  NativeTools {
    path = List.copyOf(path);
  }

  /** The Debian packages that a peer lacks; none if it can be built. */
  List<String> missing(NativePeer peer) {
    return switch (peer) {
      case GO -> missing("go", "golang-go");
      case RAYON, TOKIO -> {
        List<String> packages = new ArrayList<>(missing("cargo", "cargo"));
        packages.addAll(missing("rustc", "rustc"));
        if (library(peer).isEmpty()) {
          packages.add("librust-" + peer.label() + "-dev");
        }
        yield packages;
      }
    };
  }

  private List<String> missing(String executable, String inPackage) {
    return path.stream().anyMatch(folder -> Files.isExecutable(folder.resolve(executable)))
        ? List.of()
        : List.of(inPackage);
  }

  /** Their versions, and those of their compilers. */
  String describe(Set<NativePeer> peers) throws IOException, InterruptedException {
    List<String> all = new ArrayList<>();
    for (NativePeer peer : peers) {
      all.add(
          peer == NativePeer.GO
              ? firstLine("go", "version")
              : library(peer) + " by " + firstLine("rustc", "--version"));
    }
    return all.isEmpty() ? "none" : String.join(", ", all);
  }

  private static String firstLine(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return output.lines().findFirst().orElse("unknown");
  }

  /** Its name and version, such as rayon-1.6.1; empty if it is not there. */
  String library(NativePeer peer) {
    String name = peer.label() + "-";
    try (Stream<Path> libraries = Files.list(registry)) {
      return libraries
          .map(library -> library.getFileName().toString())
          // Not rayon-core.
          .filter(l -> l.startsWith(name) && Character.isDigit(l.charAt(name.length())))
          .findFirst()
          .orElse("");
    } catch (IOException e) {
      return "";
    }
  }
}
