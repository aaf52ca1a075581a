package dev.catnap.spi;

/** Makes the threads of a scheduler. Called concurrently, one call per thread to be started. */
@FunctionalInterface
public interface WorkerThreadFactory {

  /**
   * Makes a thread that is not yet started, implements {@link WorkerThread} with {@code body}, and
   * whose {@code run} calls {@code body.run()}.
   *
   * <p>If this throws, or returns null or something that does not keep the contract, then building
   * the scheduler fails; later, when a spare worker was to be started, the scheduler goes on with
   * the workers it has, reports the failure once to its uncaught-exception handler, and tries again
   * with a later task.
   *
   * @param body the loop to run
   * @return the thread
   */
  Thread newThread(WorkerBody body);

  /**
   * Called once for each scheduler that is built, by the thread that builds it: the workers with
   * which it begins were started one after the other, or one of them could not be and it is given
   * up. What {@link #newThread} makes after that are threads of spares, or of workers that begin
   * anew. What this throws goes to the uncaught-exception handler. Does nothing by default.
   */
  default void workersStarted() {}

  /**
   * Plain platform threads with the name and in the group that the body expects, with normal
   * priority and the context class loader of the thread that calls this method.
   *
   * @param daemon whether the JVM may exit while they run
   * @return a factory
   */
  static WorkerThreadFactory platform(boolean daemon) {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    return body -> {
      Thread thread = new PlatformWorkerThread(body);
      thread.setDaemon(daemon);
      thread.setPriority(Thread.NORM_PRIORITY);
      thread.setContextClassLoader(loader);
      return thread;
    };
  }
}
