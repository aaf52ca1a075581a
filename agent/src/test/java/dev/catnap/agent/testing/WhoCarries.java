package dev.catnap.agent.testing;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Prints the carrier's name for each way to make a virtual thread. */
public final class WhoCarries {
  private WhoCarries() {}

  /** With the argument {@code scope}: a structured task scope of JDK 25 too. */
  public static void main(String[] arguments) throws Exception {
    report("builder", inThread(Thread.ofVirtual()));
    report("start", startVirtualThread());
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      report("executor", threads.submit(WhoCarries::carrier).get());
      report(
          "child", threads.submit(() -> inThread(Thread.ofVirtual().name("of a virtual"))).get());
    }
    if (arguments.length > 0) {
      report("scope", inScope());
    }
  }

  static void report(String way, String carrier) {
    System.out.println(way + ": " + carrier.replaceFirst("[0-9]+$", "N"));
  }

  /** {@code VirtualThread[#22]/runnable@carrier}. */
  static String carrier() {
    String thread = Thread.currentThread().toString();
    return thread.substring(thread.indexOf('@') + 1);
  }

  private static String inThread(Thread.Builder builder) throws InterruptedException {
    String[] seen = new String[1];
    builder.start(() -> seen[0] = carrier()).join();
    return seen[0];
  }

  private static String startVirtualThread() throws InterruptedException {
    String[] seen = new String[1];
    Thread.startVirtualThread(() -> seen[0] = carrier()).join();
    return seen[0];
  }

  /** By reflection: it is a preview, and another one in each JDK. */
  private static String inScope() throws ReflectiveOperationException {
    Class<?> type = Class.forName("java.util.concurrent.StructuredTaskScope");
    String[] seen = new String[1];
    Callable<String> task = () -> seen[0] = carrier();
    Object scope = type.getMethod("open").invoke(null);
    type.getMethod("fork", Callable.class).invoke(scope, task);
    type.getMethod("join").invoke(scope);
    type.getMethod("close").invoke(scope);
    return seen[0];
  }
}
