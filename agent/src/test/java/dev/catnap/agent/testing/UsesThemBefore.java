package dev.catnap.agent.testing;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/** An agent that starts virtual threads, and a program that looks where later ones are. */
public final class UsesThemBefore {
  private static final CountDownLatch OPEN = new CountDownLatch(1);
  private static Thread early;
  private static volatile String carrier;

  private UsesThemBefore() {}

  /** A jar for {@code -javaagent}; this class comes from the class path. */
  public static Path writeAgent(Path file) throws IOException {
    Manifest manifest = new Manifest();
    Attributes attributes = manifest.getMainAttributes();
    attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.putValue("Premain-Class", UsesThemBefore.class.getName());
    try (OutputStream out = Files.newOutputStream(file)) {
      new JarOutputStream(out, manifest).close();
    }
    return file;
  }

  /** Some that end, so that what was compiled for the first one is in use; and one that waits. */
  public static void premain(String arguments) throws Exception {
    for (int i = 0; i < 10; i++) {
      Thread.startVirtualThread(() -> {}).join();
    }
    early =
        Thread.startVirtualThread(
            () -> {
              try {
                OPEN.await();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
              carrier = WhoCarries.carrier();
            });
  }

  /** What {@link WhoCarries} says, and where the early one goes on. */
  public static void main(String[] arguments) throws Exception {
    WhoCarries.main(arguments);
    OPEN.countDown();
    early.join();
    WhoCarries.report("early", carrier);
  }
}
