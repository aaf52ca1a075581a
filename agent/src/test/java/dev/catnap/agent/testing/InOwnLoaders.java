package dev.catnap.agent.testing;

import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Runs a program in loaders of its own, one after the other, as a server runs applications. */
public final class InOwnLoaders {
  private InOwnLoaders() {}

  /** The name of the program, and a class path for each loader. */
  public static void main(String[] arguments) throws Exception {
    List<ClassLoader> all = new ArrayList<>(); // none is gone before the last one ran
    for (String classPath : Arrays.copyOfRange(arguments, 1, arguments.length)) {
      ClassLoader loader =
          new URLClassLoader(urls(classPath), ClassLoader.getPlatformClassLoader());
      all.add(loader);
      Object programArguments = new String[0];
      loader
          .loadClass(arguments[0])
          .getMethod("main", String[].class)
          .invoke(null, programArguments);
    }
    System.out.println("loaders: " + all.size());
  }

  private static URL[] urls(String classPath) throws Exception {
    List<URL> urls = new ArrayList<>();
    for (String entry : classPath.split(File.pathSeparator, -1)) {
      urls.add(Path.of(entry).toUri().toURL());
    }
    return urls.toArray(URL[]::new);
  }
}
