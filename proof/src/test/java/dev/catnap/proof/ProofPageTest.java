package dev.catnap.proof;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page adds up what the tests say, and nothing that was not run gets on it. */
class ProofPageTest {
  private static final Path ROOT = Path.of(System.getProperty("catnap.root", ".."));
  private static final Part PART = new Part("Checks", "checks", "surefire-reports");
  private static final Instant BUILD = Instant.parse("2026-11-23T15:00:00Z");

  @TempDir private Path root = Path.of("");

  @Test
  void everyModuleWithTestsIsAPart() throws IOException {
    assertEquals(List.of(), Main.withoutPart(ROOT));
  }

  @Test
  void countsOfOneUnitAreAddedUp_andRemarksAreKept() throws IOException {
    report("FirstTest", 10, 2, "covered: 500 interleavings\nother output\ncovered: seed 7");
    report("SecondTest", 20, 4, "covered: 1250 interleavings\ncovered: 3 mutants");
    List<String> complaints = new ArrayList<>();
    Part.Result result = PART.read(root, BUILD, complaints);
    assertEquals(List.of(), complaints);

    String page = Page.of(List.of(result), "abc", "a machine", BUILD, Duration.ofSeconds(75));
    assertHasLine(page, "| date | 2026-11-23 |");
    assertHasLine(page, "| commit | abc |");
    assertHasLine(page, "| JDK | Maker 25.0.3 |");
    assertHasLine(page, "| machine | a machine |");
    assertHasLine(page, "| time, compiling and packing included | 1 min 15 s |");
    // From 8, when the first began, to 20, when the second ended.
    assertHasLine(page, "| Checks | 6 | 1,750 interleavings, 3 mutants | 12 s |");
    assertHasLine(page, "| Checks | `FirstTest` | 500 interleavings | 2 s |");
    assertHasLine(page, "| Checks | `SecondTest` | 1,250 interleavings, 3 mutants | 4 s |");
    assertHasLine(page, "- Checks: seed 7");
  }

  @Test
  void aFailureIsNoProof() throws IOException {
    report("FirstTest", 10, 2, "");
    Path file = reportOf("FirstTest");
    Files.writeString(file, Files.readString(file).replace("errors=\"0\"", "errors=\"1\""));
    touch(file, 10);
    assertComplaint("Checks: dev.catnap.FirstTest: 1 failed");
  }

  @Test
  void aReportOfABuildBeforeIsNone() throws IOException {
    report("FirstTest", -1, 2, "");
    assertComplaint("Checks: dev.catnap.FirstTest was not run");
  }

  /** As when the JVM of the tests has died. */
  @Test
  void aClassWithoutReportWasNotRun() throws IOException {
    report("FirstTest", 10, 2, "");
    report("SecondTest", 20, 2, "");
    Files.delete(reportOf("SecondTest"));
    assertComplaint("Checks: dev.catnap.SecondTest was not run");
  }

  @Test
  void aPartWithoutClassesWasNotRun() throws IOException {
    assertComplaint("Checks: nothing was run");
  }

  /** Half a lane would look like a whole one. */
  @Test
  void whatSomebodySetOnTheCommandLineIsNotTheLane() {
    assertEquals(
        List.of(), Main.changed(List.of("test.excluded=none", "catnap.killmatrix.only=as it is")));
    assertEquals(
        List.of("catnap.lincheck.depth=0.1 is not what the lane sets"),
        Main.changed(List.of("test.excluded=none", "catnap.lincheck.depth=0.1")));
  }

  private void assertComplaint(String expected) throws IOException {
    List<String> complaints = new ArrayList<>();
    PART.read(root, BUILD, complaints);
    assertTrue(complaints.contains(expected), complaints::toString);
  }

  private static void assertHasLine(String page, String line) {
    assertTrue(page.lines().anyMatch(line::equals), () -> line + " is not in\n" + page);
  }

  /** As Surefire leaves it, of a class of two tests a second. */
  private void report(String name, int endsAfterSeconds, int tests, String output)
      throws IOException {
    Path classes = Files.createDirectories(root.resolve("checks/target/test-classes/dev/catnap"));
    Files.write(classes.resolve(name + ".class"), new byte[0]);
    Files.write(classes.resolve(name + "$Helper.class"), new byte[0]);
    Files.createDirectories(reportOf(name).getParent());
    Files.writeString(
        reportOf(name),
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuite name="dev.catnap.%1$s" time="%2$d.0" tests="%2$d" errors="0" skipped="0" failures="0">
          <properties>
            <property name="java.vendor" value="Maker"/>
            <property name="java.runtime.version" value="25.0.3"/>
          </properties>
          <testcase name="aTest" classname="dev.catnap.%1$s" time="1.0">
            <system-out><![CDATA[%3$s]]></system-out>
          </testcase>
        </testsuite>
        """
            .formatted(name, tests, output));
    touch(reportOf(name), endsAfterSeconds);
  }

  private static void touch(Path file, int secondsAfterBuild) throws IOException {
    Files.setLastModifiedTime(file, FileTime.from(BUILD.plusSeconds(secondsAfterBuild)));
  }

  private Path reportOf(String name) {
    return root.resolve("checks/target/surefire-reports/TEST-dev.catnap." + name + ".xml");
  }
}
