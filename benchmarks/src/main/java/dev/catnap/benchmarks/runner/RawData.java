package dev.catnap.benchmarks.runner;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatFactory;
import org.openjdk.jmh.results.format.ResultFormatType;

/**
 * Writes {@code {"environment": {...}, "short": false, "cases": [...], "results": [...]}}. The
 * cases have the figures of each fork, and are what is read again. The results are in JMH's own
 * JSON format, one element per fork, in the order in which they ran.
 */
final class RawData {

  private RawData() {}

  static void write(Path file, RunData data, List<RunResult> results) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (PrintStream stream = new PrintStream(bytes, false, StandardCharsets.UTF_8)) {
      ResultFormatFactory.getInstance(ResultFormatType.JSON, stream).writeOut(results);
    }
    write(file, data, ",\n  \"results\": " + bytes.toString(StandardCharsets.UTF_8).strip());
  }

  /** Without JMH's results: a fiftieth of that, and all that is read again. */
  static void write(Path file, RunData data) throws IOException {
    write(file, data, "");
  }

  private static void write(Path file, RunData data, String rest) throws IOException {
    String facts =
        data.environment().entrySet().stream()
            .map(fact -> "    " + quote(fact.getKey()) + ": " + quote(fact.getValue()))
            .collect(Collectors.joining(",\n"));
    Files.writeString(
        file,
        "{\n  \"environment\": {\n"
            + facts
            + "\n  },\n  \"short\": "
            + data.quick()
            + ",\n  \"cases\": ["
            + data.outcomes().stream().map(RawData::json).collect(Collectors.joining(","))
            + "\n  ]"
            + rest
            + "\n}\n");
  }

  private static String json(Outcome outcome) {
    Measured measured = outcome.measured();
    String forks =
        measured.peers().stream()
            .map(
                peer ->
                    "\n      %s: [%s]"
                        .formatted(
                            quote(peer.label()),
                            measured.forks(peer).stream()
                                .map(RawData::json)
                                .collect(Collectors.joining(", "))))
            .collect(Collectors.joining(","));
    return "\n    {\"row\": %s, \"case\": %s, \"workers\": %d, \"wanted\": %d, \"forks\": {%s}}"
        .formatted(
            quote(outcome.row().id()),
            quote(measured.program().name()),
            measured.workers(),
            measured.wanted(),
            forks);
  }

  private static String json(Fork fork) {
    return fork.figures().entrySet().stream()
        // JSON has no such numbers; absent is the same to us.
        .filter(figure -> Double.isFinite(figure.getValue()))
        .map(figure -> quote(figure.getKey().name()) + ": " + figure.getValue())
        .collect(Collectors.joining(", ", "{", "}"));
  }

  private static String quote(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (c < ' ') {
        quoted.append(String.format("\\u%04x", (int) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }
}
