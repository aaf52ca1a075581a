import com.google.googlejavaformat.java.Main;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs google-java-format over all Java files below a folder; the build starts it with the JDK 25
 * toolchain. Usage: {@code FormatJava check|apply <folder>}.
 */
class FormatJava {
  public static void main(String[] args) throws Exception {
    boolean apply = args[0].equals("apply");
    Path folder = Path.of(args[1]);
    List<String> command = new ArrayList<>();
    command.addAll(apply ? List.of("--replace") : List.of("--dry-run", "--set-exit-if-changed"));
    int options = command.size();
    if (Files.isDirectory(folder)) {
      try (var files = Files.walk(folder)) {
        files.map(Path::toString).filter(f -> f.endsWith(".java")).sorted().forEach(command::add);
      }
    }
    if (command.size() == options) {
      return;
    }
    int status = format(command);
    if (apply) {
      // Once more: what it wraps anew (comments, say) may come out different the second time.
      status = Math.max(status, format(command));
    } else if (status != 0) {
      System.err.println("`mvn compile -Dformat` formats.");
    }
    System.exit(status);
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
