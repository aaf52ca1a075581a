package dev.catnap.agent.testing;

/** Prints the threads that are there at the start of {@code main} and belong to Catnap. */
public final class Threads {
  private Threads() {}

  /** Their names, and which would hold the JVM. */
  public static void main(String[] arguments) {
    Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("catnap"))
        .map(thread -> thread.getName() + (thread.isDaemon() ? " daemon" : " NO DAEMON"))
        .sorted()
        .forEach(System.out::println);
    System.out.println("main ran");
  }
}
