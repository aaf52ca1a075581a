package dev.catnap.agent.testing;

/** Runs a program in a virtual thread: what it initialises is initialised there. */
public final class InVirtualThread {
  private InVirtualThread() {}

  /** The name of the program. */
  public static void main(String[] arguments) throws Exception {
    Object programArguments = new String[0];
    Throwable[] failure = new Throwable[1];
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                Class.forName(arguments[0])
                    .getMethod("main", String[].class)
                    .invoke(null, programArguments);
              } catch (ReflectiveOperationException e) {
                failure[0] = e;
              }
            })
        .join();
    System.out.println("failure: " + failure[0]);
  }
}
