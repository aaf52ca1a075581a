package dev.catnap.internal.worker;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;

/**
 * G2, G7, and what a publish costs: it is a root of HotSpot's compilation wherever it is called
 * from. Compiled into a deep chain of calls, its innermost steps would be calls; compiled into an
 * unpark, it would ask for its stack after the claim of a worker.
 */
class PublishIsCompiledApartTest {
  private static final Pattern METHOD =
      Pattern.compile("boolean publishContinuation\\(.*?\\n\\n", Pattern.DOTALL);

  /** A line of javap: the offset of an instruction. */
  private static final Pattern OFFSET = Pattern.compile("^ +(\\d+): ", Pattern.MULTILINE);

  @Test
  void aPublishHasMoreBytecodeThanHotSpotCompilesIntoACaller() {
    int largestInlined =
        Integer.parseInt(
            ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                .getVMOption("FreqInlineSize")
                .getValue());
    int lastOffset =
        OFFSET
            .matcher(METHOD.matcher(javap(Pool.class)).results().findFirst().orElseThrow().group())
            .results()
            .mapToInt(line -> Integer.parseInt(line.group(1)))
            .max()
            .orElseThrow();
    assertTrue(lastOffset > largestInlined, lastOffset + " bytes, HotSpot's " + largestInlined);
  }

  private static String javap(Class<?> type) {
    StringWriter said = new StringWriter();
    int status =
        ToolProvider.findFirst("javap")
            .orElseThrow()
            .run(
                new PrintWriter(said),
                new PrintWriter(said),
                "-p",
                "-c",
                type.getResource(type.getSimpleName() + ".class").toString());
    assertTrue(status == 0, said::toString);
    return said.toString();
  }
}
