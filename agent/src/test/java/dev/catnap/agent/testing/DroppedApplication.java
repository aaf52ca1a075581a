package dev.catnap.agent.testing;

import java.io.File;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A server that drops an application, and looks whether its classes go. */
public final class DroppedApplication {
  /** A spare worker keeps what it had last for the 30 s that it waits to be needed again. */
  private static final long SECONDS = 90;

  private DroppedApplication() {}

  /** The name of the application's program, and its class path. */
  public static void main(String[] arguments) throws Exception {
    WeakReference<ClassLoader> loader = run(arguments[0], arguments[1]);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    while (loader.get() != null && System.nanoTime() < end) {
      useTheWorkers();
      System.gc();
    }
    System.out.println("gone: " + (loader.get() == null));
  }

  /** Queues and timers keep what they had last until something else comes to its place. */
  private static void useTheWorkers() throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 2000; i++) {
      threads.add(Thread.startVirtualThread(DroppedApplication::nap));
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private static void nap() {
    try {
      Thread.sleep(1);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static WeakReference<ClassLoader> run(String program, String classPath) throws Exception {
    List<URL> urls = new ArrayList<>();
    for (String entry : classPath.split(File.pathSeparator, -1)) {
      urls.add(Path.of(entry).toUri().toURL());
    }
    try (URLClassLoader loader =
        new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
      Object programArguments = new String[0];
      loader.loadClass(program).getMethod("main", String[].class).invoke(null, programArguments);
      return new WeakReference<>(loader);
    }
  }
}
