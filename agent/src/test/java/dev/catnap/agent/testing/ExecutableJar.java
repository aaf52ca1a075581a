package dev.catnap.agent.testing;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** An application as Spring Boot packs it: libraries are jars inside the jar, in its own loader. */
public final class ExecutableJar {
  private ExecutableJar() {}

  /** With the programs of the tests and that version of kotlinx.coroutines. */
  public static Path write(Path file, Class<?> main, String version) throws IOException {
    try (OutputStream stream = Files.newOutputStream(file);
        ZipOutputStream out = new ZipOutputStream(stream)) {
      out.putNextEntry(new ZipEntry("META-INF/MANIFEST.MF"));
      out.write(manifest(main).getBytes(StandardCharsets.UTF_8));
      JarCopy.entries(
          Libraries.springBootLoader(),
          out,
          (name, content) -> name.endsWith(".class") ? content : null);
      classes(out);
      for (Path library : List.of(Libraries.kotlin(), Libraries.coroutines(version))) {
        JarCopy.stored(out, "BOOT-INF/lib/" + library.getFileName(), Files.readAllBytes(library));
      }
    }
    return file;
  }

  private static String manifest(Class<?> main) {
    return String.join(
        "\r\n",
        "Manifest-Version: 1.0",
        "Main-Class: org.springframework.boot.loader.launch.JarLauncher",
        "Start-Class: " + main.getName(),
        "Spring-Boot-Classes: BOOT-INF/classes/",
        "Spring-Boot-Lib: BOOT-INF/lib/",
        "",
        "");
  }

  private static void classes(ZipOutputStream out) throws IOException {
    out.putNextEntry(new ZipEntry("BOOT-INF/classes/"));
    out.putNextEntry(new ZipEntry("BOOT-INF/lib/"));
    try (Stream<Path> all = Files.walk(Libraries.programs())) {
      for (Path path : all.filter(Files::isRegularFile).toList()) {
        String name = Libraries.programs().relativize(path).toString().replace('\\', '/');
        out.putNextEntry(new ZipEntry("BOOT-INF/classes/" + name));
        out.write(Files.readAllBytes(path));
      }
    }
  }
}
