package dev.catnap.testing;

import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * Another copy of Catnap and of the tests, and so another common scheduler: one that may be ended,
 * while the other tests of this JVM keep theirs.
 */
public final class CatnapOfItsOwn extends URLClassLoader {
  private CatnapOfItsOwn(URL[] urls) {
    super(urls, CatnapOfItsOwn.class.getClassLoader());
  }

  /**
   * Calls a public class of the tests, which has a constructor without parameters. No thread of
   * that copy may be left afterwards.
   *
   * @return what it returned
   */
  public static boolean call(Class<? extends Callable<Boolean>> test) throws Exception {
    return call(test, "");
  }

  /**
   * The same.
   *
   * @param more class path of what that copy finds besides; empty: nothing
   */
  public static boolean call(Class<? extends Callable<Boolean>> test, String more)
      throws Exception {
    String path =
        DroppedApplications.library() + File.pathSeparator + DroppedApplications.application();
    try (var loader =
        new CatnapOfItsOwn(
            DroppedApplications.urls(more.isEmpty() ? path : path + File.pathSeparator + more))) {
      Object result =
          ((Callable<?>) loader.loadClass(test.getName()).getDeclaredConstructor().newInstance())
              .call();
      Await.until("no thread is left", () -> loader.threads().isEmpty(), loader::threads);
      return (Boolean) result;
    }
  }

  private List<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(t -> t.isAlive() && t.getContextClassLoader() == this)
        .toList();
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith("dev.catnap.")) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded != null ? loaded : findClass(name);
    }
  }
}
