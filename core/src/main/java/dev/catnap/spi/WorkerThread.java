package dev.catnap.spi;

/**
 * A thread that carries a worker. This is how a call of {@code execute} finds out that it runs on a
 * worker, and on which.
 */
public interface WorkerThread {

  /**
   * The body that was given to the factory for this thread.
   *
   * @return the same object at every call
   */
  WorkerBody worker();
}
