package dev.catnap.testing;

import dev.catnap.WorkStealingScheduler;
import java.io.File;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.lang.reflect.InvocationTargetException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What servers do: have Catnap in a class loader of their own, and in loaders below that, one after
 * the other, applications, each of which is dropped. A program, since it runs on JDK 17 as well.
 */
public final class DroppedApplications {

  private DroppedApplications() {}

  /** Class paths of library and application, how many servers, and applications on each. */
  public static void main(String[] args) throws Exception {
    run(urls(args[0]), urls(args[1]), Integer.parseInt(args[2]), Integer.parseInt(args[3]));
    System.out.println("all dropped on " + Runtime.version().feature());
  }

  /** Of the parts of a class path. */
  public static URL[] urls(String classPath) throws IOException {
    List<URL> urls = new ArrayList<>();
    for (String part : classPath.split(File.pathSeparator, -1)) {
      urls.add(Path.of(part).toUri().toURL());
    }
    return urls.toArray(URL[]::new);
  }

  /** A class path for what tests are: the directory that this class is in. */
  public static String application() throws URISyntaxException {
    return locationOf(DroppedApplications.class).toString();
  }

  /**
   * A class path for what is tested: where the scheduler is, after what comes before that on the
   * class path, as a wrong version of some classes does in the kill matrix.
   */
  public static String library() throws URISyntaxException {
    String scheduler = locationOf(WorkStealingScheduler.class).toString();
    String tests = application();
    return Stream.concat(
            Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(part -> Files.isDirectory(Path.of(part, "dev", "catnap", "internal")))
                .filter(part -> !part.equals(tests)),
            Stream.of(scheduler))
        .distinct()
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static Path locationOf(Class<?> type) throws URISyntaxException {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  /** Throws if anything is kept. */
  public static void run(URL[] library, URL[] application, int servers, int applications)
      throws Exception {
    for (int i = 0; i < servers; i++) {
      awaitCollected(server(library, application, applications), "server " + i);
    }
  }

  private static WeakReference<ClassLoader> server(
      URL[] library, URL[] application, int applications) throws Exception {
    Set<Thread> before = threads();
    try (var loader = new URLClassLoader(library, platform())) {
      for (int i = 0; i < applications; i++) {
        awaitCollected(runApplication(loader, application), "application " + i);
      }
      Class<?> scheduler = loader.loadClass(WorkStealingScheduler.class.getName());
      ExecutorService common = (ExecutorService) invoke(scheduler, "common");
      String alive = common.submit(() -> "alive").get(Await.DEADLINE_SECONDS, TimeUnit.SECONDS);
      check(alive.equals("alive"), alive);
      // The timer thread may have just begun to start the sentinel.
      Await.until(
          "both helpers",
          () -> names().containsAll(Set.of("catnap-timer", "catnap-sentinel")),
          DroppedApplications::threads);
      Set<Thread> threads = threads();
      threads.removeAll(before);
      for (Thread t : threads) {
        check(t.getContextClassLoader() == loader, t + ": " + t.getContextClassLoader());
        check(Objects.requireNonNull(t.getThreadGroup()).getParent() == null, t);
      }
      Object report =
          scheduler
              .getMethod("shutdownCommon", Duration.class, Duration.class)
              .invoke(null, Duration.ofSeconds(Await.DEADLINE_SECONDS), Duration.ZERO);
      check(String.valueOf(report).contains("drained"), report);
      check(common.isTerminated(), common);
      Await.until(
          "no thread is left", () -> before.containsAll(threads()), DroppedApplications::threads);
      return new WeakReference<>(loader);
    }
  }

  private static WeakReference<ClassLoader> runApplication(ClassLoader library, URL[] application)
      throws Exception {
    try (var loader = new ApplicationLoader(application, library)) {
      Class<?> type = loader.loadClass(SmallApplication.class.getName());
      check(type.getClassLoader() == loader, "loaded by " + type.getClassLoader());
      Runnable main = (Runnable) type.getDeclaredConstructor().newInstance();
      AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
      Thread thread = new Thread(new ThreadGroup("application"), main, "application-main");
      thread.setContextClassLoader(loader);
      thread.setUncaughtExceptionHandler((t, e) -> thrown.set(e));
      thread.start();
      thread.join();
      Throwable failure = thrown.get();
      if (failure != null) {
        throw new AssertionError("the application failed", failure);
      }
      check(!loader.wasAskedForProviders, "a provider of the first application was looked for");
      return new WeakReference<>(loader);
    }
  }

  private static final class ApplicationLoader extends URLClassLoader {
    volatile boolean wasAskedForProviders;

    ApplicationLoader(URL[] application, ClassLoader library) {
      super(application, library);
    }

    @Override
    public Enumeration<URL> findResources(String name) throws IOException {
      wasAskedForProviders |= name.startsWith("META-INF/services/dev.catnap.");
      return super.findResources(name);
    }
  }

  private static Object invoke(Class<?> type, String method) throws Exception {
    try {
      return type.getMethod(method).invoke(null);
    } catch (InvocationTargetException e) {
      throw new AssertionError(e.getCause());
    }
  }

  private static void awaitCollected(WeakReference<ClassLoader> loader, String what) {
    Await.until(
        "collected: " + what,
        () -> {
          System.gc();
          return loader.refersTo(null);
        },
        () -> threads());
  }

  private static ClassLoader platform() {
    return ClassLoader.getPlatformClassLoader();
  }

  private static Set<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(t -> t.getName().startsWith("catnap"))
        .filter(Thread::isAlive)
        .collect(Collectors.toCollection(HashSet::new));
  }

  private static Set<String> names() {
    return threads().stream().map(Thread::getName).collect(Collectors.toSet());
  }

  private static void check(boolean holds, Object otherwise) {
    if (!holds) {
      throw new AssertionError(String.valueOf(otherwise));
    }
  }
}
