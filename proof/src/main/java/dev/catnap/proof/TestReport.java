package dev.catnap.proof;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * What Surefire left of one class of tests. Tests say what they covered by lines of their output:
 * {@code covered: 500 interleavings} is a count, and added to the others of that unit; {@code
 * covered: seed 7}, without a number in front, is a remark.
 *
 * @param name of the class
 * @param java the version that it ran on
 * @param counted by unit
 * @param remarks in their order
 */
record TestReport(
    String name,
    String java,
    int tests,
    int failed,
    int skipped,
    Instant start,
    Instant end,
    Map<String, Long> counted,
    List<String> remarks) {
  private static final Pattern COVERED = Pattern.compile("covered: (?:(\\d+) )?(.+)");

  static TestReport read(Path file) throws IOException {
    Element suite = parse(file);
    Map<String, Long> counted = new LinkedHashMap<>();
    List<String> remarks = new ArrayList<>();
    NodeList outputs = suite.getElementsByTagName("system-out");
    for (int i = 0; i < outputs.getLength(); i++) {
      for (String line : outputs.item(i).getTextContent().lines().toList()) {
        Matcher covered = COVERED.matcher(line.strip());
        if (!covered.matches()) {
          continue;
        }
        if (covered.group(1) == null) {
          remarks.add(covered.group(2));
        } else {
          counted.merge(covered.group(2), Long.parseLong(covered.group(1)), Long::sum);
        }
      }
    }
    // Surefire writes the file when the class is over, and no time of day into it.
    Instant end = Files.getLastModifiedTime(file).toInstant();
    double seconds = Double.parseDouble(suite.getAttribute("time").replace(",", ""));
    return new TestReport(
        suite.getAttribute("name"),
        property(suite, "java.vendor") + ' ' + property(suite, "java.runtime.version"),
        number(suite, "tests"),
        number(suite, "failures") + number(suite, "errors"),
        number(suite, "skipped"),
        end.minusMillis(Math.round(seconds * 1_000)),
        end,
        counted,
        remarks);
  }

  private static Element parse(Path file) throws IOException {
    try {
      return DocumentBuilderFactory.newInstance()
          .newDocumentBuilder()
          .parse(file.toFile())
          .getDocumentElement();
    } catch (SAXException | ParserConfigurationException e) {
      throw new IOException("cannot be read: " + file, e);
    }
  }

  private static int number(Element suite, String attribute) {
    return Integer.parseInt(suite.getAttribute(attribute));
  }

  private static String property(Element suite, String name) {
    NodeList properties = suite.getElementsByTagName("property");
    for (int i = 0; i < properties.getLength(); i++) {
      Element property = (Element) properties.item(i);
      if (property.getAttribute("name").equals(name)) {
        return property.getAttribute("value");
      }
    }
    return "?";
  }
}
