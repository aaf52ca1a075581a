import com.google.googlejavaformat.java.Main;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs google-java-format over the Java sources of all modules, without those that begin by saying
 * why not; the build starts it with the JDK 25 toolchain. Usage: {@code FormatJava check|apply
 * <root>}.
 */
class FormatJava {
  private static final String EXEMPT = "// Not formatted: ";

  public static void main(String[] args) throws Exception {
    boolean apply = args[0].equals("apply");
    Path root = Path.of(args[1]);
    List<String> command = new ArrayList<>();
    command.addAll(apply ? List.of("--replace") : List.of("--dry-run", "--set-exit-if-changed"));
    int options = command.size();
    try (var modules = Files.newDirectoryStream(root, m -> Files.isDirectory(m.resolve("src")))) {
      for (Path module : modules) {
        try (var files = Files.walk(module.resolve("src"))) {
          files
              .filter(f -> f.toString().endsWith(".java") && !isExempt(f))
              .map(Path::toString)
              .sorted()
              .forEach(command::add);
        }
      }
    }
    if (command.size() == options) {
      throw new IllegalArgumentException("no Java sources below " + root.toAbsolutePath());
    }
    int status = format(command);
    if (apply) {
      // Once more: what it wraps anew (comments, say) may come out different the second time.
      status = Math.max(status, format(command));
    } else if (status != 0) {
      System.err.println("`mvn -N initialize -Dformat` formats.");
    }
    System.exit(status);
  }

  private static boolean isExempt(Path file) {
    try (var reader = Files.newBufferedReader(file)) {
      String first = reader.readLine();
      return first != null && first.startsWith(EXEMPT);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int format(List<String> command) throws Exception {
    StringWriter out = new StringWriter();
    PrintWriter err = new PrintWriter(System.err, true);
    int status =
        new Main(new PrintWriter(out, true), err, InputStream.nullInputStream())
            .format(command.toArray(String[]::new));
    out.toString().lines().forEach(f -> System.err.println("not formatted: " + f));
    return status;
  }
}
