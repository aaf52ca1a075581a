package dev.catnap.benchmarks.runner;

import dev.catnap.benchmarks.peers.NativePeer;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Builds the native programs, as far as the machine can.
 *
 * @param tools what the machine has
 * @param sources their folder
 * @param target where they are copied and built: compilers write beside their sources
 * @param log what compilers print is added to
 */
record NativeBuild(NativeTools tools, Path sources, Path target, Path log) {
  private static final String EXECUTABLE = "native-peer";

  /**
   * Builds all that can be built.
   *
   * @param progress gets a line about each
   * @return the executables
   */
  Map<NativePeer, Path> run(PrintStream progress) throws IOException, InterruptedException {
    Map<NativePeer, Path> built = new EnumMap<>(NativePeer.class);
    copySources();
    for (NativePeer peer : NativePeer.values()) {
      List<String> missing = tools.missing(peer);
      if (!missing.isEmpty()) {
        progress.println(
            peer.label()
                + ": left out, since Debian packages are missing: "
                + String.join(" ", missing));
      } else if (succeeds(peer)) {
        progress.println(peer.label() + ": built");
        built.put(peer, folder(peer).resolve(executable(peer)));
      } else {
        progress.println(peer.label() + ": left out, since it could not be built; see " + log);
      }
    }
    return built;
  }

  private Path folder(NativePeer peer) {
    return target.resolve(peer.label());
  }

  private static Path executable(NativePeer peer) {
    return peer == NativePeer.GO ? Path.of(EXECUTABLE) : Path.of("target", "release", EXECUTABLE);
  }

  private static List<String> command(NativePeer peer) {
    return peer == NativePeer.GO
        ? List.of("go", "build", "-buildvcs=false", "-o", EXECUTABLE, ".")
        : List.of("cargo", "build", "--release", "--offline", "--target-dir", "target");
  }

  private boolean succeeds(NativePeer peer) throws IOException, InterruptedException {
    // Of another version of cargo, or of packages that were replaced since.
    Files.deleteIfExists(folder(peer).resolve("Cargo.lock"));
    return new ProcessBuilder(command(peer))
            .directory(folder(peer).toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start()
            .waitFor()
        == 0;
  }

  private void copySources() throws IOException {
    try (Stream<Path> all = Files.walk(sources)) {
      for (Path source : all.toList()) {
        Path copy = target.resolve(sources.relativize(source).toString());
        if (Files.isDirectory(source)) {
          Files.createDirectories(copy);
        } else {
          Files.copy(source, copy, StandardCopyOption.REPLACE_EXISTING);
        }
      }
    }
  }
}
