package dev.catnap.agent.inside;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The versions of kotlinx.coroutines that the coroutine face was tried with. */
final class KnownVersions {
  private static final Pattern KNOWN = Pattern.compile("1\\.(7|8|9|10|11)\\.[0-9]+");
  private static final String RANGE = "1.7 to 1.11";

  /** In the library's jar. */
  private static final String RESOURCE = "META-INF/kotlinx_coroutines_core.version";

  private KnownVersions() {}

  /**
   * Looks into the jar that the class is from.
   *
   * @param loader of the class; null: the boot loader
   * @throws UnsupportedOperationException if the version is not known
   */
  static void check(@Nullable ClassLoader loader, @Nullable ProtectionDomain domain)
      throws IOException {
    URL resource = find(loader, domain);
    if (resource == null) {
      throw new UnsupportedOperationException(
          "its version cannot be told, for there is no " + RESOURCE + " beside it");
    }
    String version = read(resource);
    if (!KNOWN.matcher(version).matches()) {
      throw new UnsupportedOperationException(
          "its version is " + version + ", and the agent knows " + RANGE);
    }
  }

  /** Loaders that have their parent's copy too tell of several. */
  private static @Nullable URL find(@Nullable ClassLoader loader, @Nullable ProtectionDomain domain)
      throws IOException {
    List<URL> all =
        new ArrayList<>(
            Collections.list(
                loader != null
                    ? loader.getResources(RESOURCE)
                    : ClassLoader.getSystemResources(RESOURCE)));
    CodeSource source = domain != null ? domain.getCodeSource() : null;
    if (all.size() > 1 && source != null && source.getLocation() != null) {
      String jar = source.getLocation().toString();
      all.removeIf(url -> !url.toString().contains(jar));
    }
    return all.isEmpty() ? null : all.get(0);
  }

  /** Past the cache of jars, which would keep the file open and the loader alive. */
  private static String read(URL resource) throws IOException {
    var connection = resource.openConnection();
    connection.setUseCaches(false);
    try (InputStream in = connection.getInputStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
    }
  }
}
