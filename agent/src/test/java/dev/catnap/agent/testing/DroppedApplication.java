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
  private static final long SECONDS = 60;

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

  /** Queues keep what went through a place until the next task comes there. */
  private static void useTheWorkers() throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 2000; i++) {
      threads.add(Thread.startVirtualThread(Thread::yield));
    }
    for (Thread thread : threads) {
      thread.join();
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
