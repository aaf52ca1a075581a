package dev.catnap.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** What the agent says when it cannot do what was asked for. */
class ComplaintTest {
  @Test
  void itIsOneLine_whateverAnExceptionHasToTell() {
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    PrintStream before = System.err;
    System.setErr(new PrintStream(written, true, StandardCharsets.UTF_8));
    try {
      Complaint.virtualThreadsStay(new IllegalStateException("no\n  such\r\n\tfield"));
    } finally {
      System.setErr(before);
    }
    assertEquals(
        "catnap-agent: virtual threads stay on the JDK's scheduler: no such field"
            + System.lineSeparator(),
        written.toString(StandardCharsets.UTF_8));
  }
}
