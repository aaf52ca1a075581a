package dev.catnap.loom.internal.jdk;

import dev.catnap.spi.WorkerBody;
import dev.catnap.spi.WorkerThread;
import java.util.concurrent.ForkJoinTask;
import jdk.internal.misc.CarrierThread;
import org.jspecify.annotations.Nullable;

/**
 * A worker that the JDK takes for one of its own carriers: it asks it for the length of its queue
 * before it submits, and tells it when a virtual thread is about to block in a system call.
 *
 * <p>Never runs the loop of a {@code ForkJoinPool}; its pool is the {@link SchedulerFacade}. Must
 * not wait on a condition of {@code java.util.concurrent.locks} in its loop: that would ask the
 * facade for a spare.
 */
final class Carrier extends CarrierThread implements WorkerThread {
  private final SchedulerFacade facade;
  private final WorkerBody body;

  /**
   * A blocking section of the virtual thread on top was declared. This thread and what it carries
   * only.
   */
  private boolean blocking;

  Carrier(SchedulerFacade facade, WorkerBody body) {
    super(facade);
    this.facade = facade;
    this.body = body;
    setName(body.threadName());
  }

  @Override
  public WorkerBody worker() {
    return body;
  }

  /** Not that of the superclass: this thread is no worker of the facade. */
  @Override
  public void run() {
    ForkJoinTask<Void> unused = new OtherWork().fork();
    body.run();
  }

  /**
   * Lies in this thread's own queue, which is not otherwise used, and is never run. {@code
   * SynchronousQueue}, {@code LinkedTransferQueue} and {@code Exchanger} look there in a virtual
   * thread that waits: if the carrier has nothing else to do they spin some microseconds before
   * they park. Here they park at once; whether it pays to spin is the worker's business, which
   * knows its queues, and which the partner may be waiting in.
   */
  private static final class OtherWork extends ForkJoinTask<Void> {
    private static final long serialVersionUID = 1;

    @Override
    public @Nullable Void getRawResult() {
      return null;
    }

    @Override
    protected void setRawResult(@Nullable Void value) {}

    @Override
    protected boolean exec() {
      return true;
    }
  }

  /**
   * Always empty, as far as the JDK is concerned. It asks in order to choose between {@code
   * execute} and the calls that say more: {@code lazySubmit} for a thread that woke itself, {@code
   * externalSubmit} for a yield. Catnap knows its queues itself; what it wants to know is which of
   * the three this is.
   */
  @Override
  public int getQueuedTaskCount() {
    return 0;
  }

  /** Also works for tasks that are no virtual threads: on carriers of the JDK this is refused. */
  @Override
  public void setContextClassLoader(@Nullable ClassLoader loader) {
    ThreadInternals.setContextClassLoader(this, loader);
  }

  /**
   * Called by the JDK in a virtual thread on this carrier. On JDK 21 the superclass has a method of
   * the same name that is hidden in its package, and calls that; then this one is never called.
   */
  @Override
  public boolean beginBlocking() {
    if (blocking) {
      return false;
    }
    Thread current = Thread.currentThread();
    // A spare may have to be started, and starting takes a monitor: were the virtual thread to
    // unmount there, it
    // would go on with the section of a carrier that is not its own any more.
    if (!ThreadInternals.pin(current)) {
      return false;
    }
    try {
      blocking = facade.sink().beginBlocking();
      return blocking;
    } finally {
      ThreadInternals.unpin(current);
    }
  }

  /** Called by the JDK after the operation, and by every virtual thread that unmounts. */
  @Override
  public void endBlocking() {
    if (blocking) {
      blocking = false;
      facade.sink().endBlocking();
    }
  }
}
