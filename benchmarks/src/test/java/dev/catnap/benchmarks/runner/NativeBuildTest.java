package dev.catnap.benchmarks.runner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.benchmarks.peers.NativePeer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On machines made up of folders: nothing is compiled. */
class NativeBuildTest {
  private static final Path SOURCES = Path.of("src", "main", "native");

  @TempDir private Path folder;

  @Test
  void run_nothingInstalled_namesThePackagesAndGoesOn() throws Exception {
    ByteArrayOutputStream progress = new ByteArrayOutputStream();
    Map<NativePeer, Path> built =
        new NativeBuild(tools(), SOURCES, folder.resolve("native"), folder.resolve("run.log"))
            .run(new PrintStream(progress, true, StandardCharsets.UTF_8));
    assertEquals(Map.of(), built);
    assertEquals(
        """
        rayon: left out, since Debian packages are missing: cargo rustc librust-rayon-dev
        go: left out, since Debian packages are missing: golang-go
        tokio: left out, since Debian packages are missing: cargo rustc librust-tokio-dev
        """,
        progress.toString(StandardCharsets.UTF_8));
  }

  @Test
  void missing_everythingInstalled_nothing() throws IOException {
    for (String tool : List.of("cargo", "rustc", "go")) {
      assertTrue(Files.createFile(folder.resolve(tool)).toFile().setExecutable(true));
    }
    Files.createDirectories(folder.resolve("registry").resolve("rayon-core-1.10.1"));
    assertEquals(List.of("librust-rayon-dev"), tools().missing(NativePeer.RAYON));
    Files.createDirectory(folder.resolve("registry").resolve("rayon-1.6.1"));
    assertEquals(List.of(), tools().missing(NativePeer.RAYON));
    assertEquals(List.of(), tools().missing(NativePeer.GO));
  }

  private NativeTools tools() {
    return new NativeTools(List.of(folder), folder.resolve("registry"));
  }
}
