package dev.catnap;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.catnap.testing.DroppedApplications;
import dev.catnap.testing.Jdk17;
import java.io.File;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * F21: the common scheduler keeps nothing of the application that used it first, nor of any other;
 * and when it has ended, nothing keeps Catnap. Fifty applications, one in five is the first.
 */
class DroppedApplicationTest {
  private static final int SERVERS = 10;
  private static final int APPLICATIONS = 5;

  @Test
  void nothingIsKept() throws Exception {
    DroppedApplications.run(
        DroppedApplications.urls(DroppedApplications.library()),
        DroppedApplications.urls(DroppedApplications.application()),
        SERVERS,
        APPLICATIONS);
  }

  /** Where a new thread keeps more of the one that makes it. */
  @Test
  void nothingIsKept_onJdk17() throws Exception {
    Path java = Jdk17.java();
    assumeTrue(java != null, "there is no JDK 17 in /usr/lib/jvm, and JAVA17_HOME is not set");
    String library = DroppedApplications.library();
    String application = DroppedApplications.application();
    String written =
        Jdk17.run(
            java,
            library + File.pathSeparator + application,
            DroppedApplications.class,
            library,
            application,
            String.valueOf(SERVERS),
            String.valueOf(APPLICATIONS));
    assertTrue(written.contains("all dropped on 17"), written);
  }
}
