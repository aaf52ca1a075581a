package dev.catnap.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The small samples print what is true, and leave no thread behind. */
@Timeout(60)
class HelloSamplesTest {
  private static final Path HOME = Path.of(System.getProperty("java.home"));
  private static final Pattern ON_THREADS = Pattern.compile("on \\[(.+)]");

  private static void assertOnWorkers(String line) {
    Matcher matcher = ON_THREADS.matcher(line);
    assertTrue(matcher.find(), line);
    for (String thread : matcher.group(1).split(", ", -1)) {
      assertTrue(thread.startsWith("hello-worker-"), line);
    }
  }

  private static long size(Path file) {
    try {
      return Files.size(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void completableFuture() throws Exception {
    List<String> lines = Printed.by(HelloCompletableFuture::main);
    long read = Files.readAllLines(HOME.resolve("release")).size();
    assertEquals("9592 primes below 100000, and " + read + " lines read", lines.get(0));
    assertOnWorkers(lines.get(1));
  }

  @Test
  void currentThread() throws Exception {
    assertEquals(
        List.of(
            "on the caller's thread: true",
            "a task",
            "a timer",
            "an answer from elsewhere",
            "timer done: true",
            "and what is left runs in close()"),
        Printed.by(HelloCurrentThread::main));
  }

  @Test
  void coroutinesOnOneThread() throws Exception {
    assertEquals(
        List.of("1000 coroutines on " + Thread.currentThread().getName()),
        Printed.by(args -> HelloOneThreadKt.main()));
  }

  @Test
  void reactor() throws Exception {
    List<String> lines = Printed.by(HelloReactor::main);
    List<Path> files;
    try (Stream<Path> all = Files.walk(HOME.resolve("conf"))) {
      files = all.filter(Files::isRegularFile).toList();
    }
    assertFalse(files.isEmpty());
    long bytes = files.stream().mapToLong(HelloSamplesTest::size).sum();
    assertEquals(files.size() + " files, " + bytes + " bytes", lines.get(0));
    assertTrue(lines.get(1).startsWith("ticks [0, 1, 2] on ["), lines.get(1));
    assertOnWorkers(lines.get(1));
  }

  @Test
  void rxJava() throws Exception {
    List<String> lines = Printed.by(HelloRxJava::main);
    assertEquals("from 77031 it is 351 numbers to 1", lines.get(0));
    assertTrue(lines.get(1).startsWith("ticks [0, 1, 2] on ["), lines.get(1));
    assertOnWorkers(lines.get(1));
  }

  @Test
  void virtualThreads() throws Exception {
    long read = size(HOME.resolve("release"));
    assertEquals(
        List.of(
            "10000 virtual threads slept",
            "a blocking task read " + read + " characters",
            "a delayed task ran on one of the same workers"),
        Printed.by(HelloVirtualThreads::main));
  }

  @Test
  void coroutines() throws Exception {
    long read = 1000 * size(HOME.resolve("release"));
    assertEquals(
        List.of("1000 coroutines read " + read + " characters"),
        Printed.by(args -> HelloCoroutinesKt.main()));
  }
}
