package dev.catnap.samples;

import dev.catnap.samples.web.Await;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What a sample prints; it must leave no thread behind that has a name of its own. */
public final class Printed {

  /** The main method of a sample. */
  @FunctionalInterface
  public interface Main {
    void run(String[] args) throws Exception;
  }

  private Printed() {}

  public static List<String> by(Main main) throws Exception {
    PrintStream before = System.out;
    var printed = new ByteArrayOutputStream();
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      main.run(new String[0]);
    } finally {
      System.setOut(before);
    }
    Await.until("no thread is left", Printed::isNoneLeft);
    return printed.toString(StandardCharsets.UTF_8).lines().toList();
  }

  private static boolean isNoneLeft() {
    return Thread.getAllStackTraces().keySet().stream()
        .noneMatch(thread -> thread.getName().startsWith("hello-"));
  }
}
