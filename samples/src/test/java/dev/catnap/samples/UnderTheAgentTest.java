package dev.catnap.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.samples.web.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The demo and the Ktor server, unchanged, each in a JVM with the agent: what is on {@code
 * Dispatchers.Default}, on {@code Dispatchers.IO} and in virtual threads is on one pool (G12).
 */
@Timeout(230)
class UnderTheAgentTest {
  /** Each of the two takes some seconds. */
  private static final long SECONDS = 90;

  private static final Path JAVA_HOME = Path.of(System.getProperty("java.home"));
  private static final String WORKER = "catnap-jvm-worker-";
  private static final Pattern URL = Pattern.compile("served at (http://[0-9.:]+/)");

  @TempDir private Path folder;

  private Process start(String main, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(JAVA_HOME.resolve("bin/java").toString());
    command.add(
        "-javaagent:" + System.getProperty("catnap.agent.jar") + "=virtual-threads,coroutines");
    // For the Catnap that these samples bring.
    command.add("--add-opens=java.base/java.lang=ALL-UNNAMED");
    command.add("--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED");
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main));
    command.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectOutput(out().toFile()).redirectError(err().toFile());
    builder.environment().keySet().removeIf(name -> name.endsWith("_OPTIONS")); // they add flags
    return builder.start();
  }

  private Path out() {
    return folder.resolve("out");
  }

  private Path err() {
    return folder.resolve("err");
  }

  private void awaitEnd(Process process) throws Exception {
    if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError(
          String.join(
              "\n",
              "not over within " + SECONDS + " s",
              Files.readString(out()),
              Files.readString(err()),
              threads(process.pid())));
    }
  }

  private void assertNoComplaint() throws IOException {
    assertFalse(Files.readString(err()).contains("catnap-agent:"), Files.readString(err()));
  }

  /** Its runs on the dispatchers of kotlinx.coroutines and on the JDK's scheduler are neither. */
  @Test
  void demo() throws Exception {
    Path tree = Files.createDirectory(folder.resolve("tree"));
    for (int i = 0; i < 200; i++) {
      Files.writeString(tree.resolve("f" + i + ".py"), "def f" + i + "(x):\n" + "  y + z\n");
    }
    Process demo =
        start(
            "dev.catnap.samples.demo.DemoKt",
            "--rounds",
            "1",
            "--warm-up",
            "1",
            "--clients",
            "20",
            "--rate",
            "400",
            tree.toString());
    try {
      awaitEnd(demo);
      String report = Files.readString(out());
      assertEquals(0, demo.exitValue(), report);
      String threads = report.substring(report.indexOf("Default + JDK, last run"));
      List<String> table =
          threads.lines().skip(1).takeWhile(line -> !line.contains(" of ")).toList();
      assertFalse(table.isEmpty(), report);
      assertEquals(
          List.of(), table.stream().filter(line -> !line.strip().startsWith(WORKER)).toList());
      assertNoComplaint();
    } finally {
      demo.destroyForcibly();
    }
  }

  @Test
  void ktor() throws Exception {
    Path notes = Files.createDirectory(folder.resolve("notes"));
    Process server = start("dev.catnap.samples.ktor.KtorSampleKt", "0", notes.toString());
    try {
      Await.until("it says where, or ends", () -> url().find() || !server.isAlive());
      Matcher served = url();
      assertTrue(served.find(), () -> "no address in " + said(out()) + said(err()));
      exchange(served.group(1));
      String threads = threads(server.pid());
      assertTrue(threads.contains('"' + WORKER), threads);
      assertFalse(threads.contains("DefaultDispatcher-worker"), threads);
      assertNoComplaint();
      server.destroy(); // as Ctrl-C
      awaitEnd(server);
    } finally {
      server.destroyForcibly();
    }
  }

  private Matcher url() {
    return URL.matcher(said(out()));
  }

  private static String said(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void exchange(String url) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      for (int i = 0; i < 100; i++) {
        var note = HttpRequest.newBuilder(URI.create(url + "notes/n" + i % 7));
        var put = note.copy().PUT(BodyPublishers.ofString("note " + i)).build();
        assertEquals(2, client.send(put, BodyHandlers.ofString()).statusCode() / 100);
        assertEquals("note " + i, client.send(note.build(), BodyHandlers.ofString()).body());
      }
    }
  }

  private String threads(long pid) throws Exception {
    Path dump = folder.resolve("threads");
    Process jcmd =
        new ProcessBuilder(
                JAVA_HOME.resolve("bin/jcmd").toString(), String.valueOf(pid), "Thread.print")
            .redirectErrorStream(true)
            .redirectOutput(dump.toFile())
            .start();
    boolean ignored = jcmd.waitFor(SECONDS, TimeUnit.SECONDS);
    jcmd.destroyForcibly();
    return Files.readString(dump);
  }
}
