package dev.catnap.loom.internal;

import dev.catnap.loom.internal.jdk.Joins;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;

/**
 * Threads that do nothing, started between those of carriers so that these do not slow each other
 * down. HotSpot keeps what {@code Thread.currentThread()} returns in a table, four words for each
 * platform thread, two threads to a cache line, in the order in which they were started. For a
 * carrier these words change each time that a virtual thread is mounted or leaves, and are read
 * each time that anybody asks for the current thread. With a neighbour that does the same on
 * another processor each of these is a cache miss: 100 pairs that pass a number to and fro on two
 * carriers took 1.6 times as long (docs/measurements.md).
 *
 * <p>A place that is given up is taken by the next thread of the JVM, so all spacers of a scheduler
 * stay until its last worker was started. Spares, which come later, have none. Thread-safe.
 */
final class Spacers {
  /** With a carrier, 128 bytes: processors fetch cache lines in pairs. One alone gained a third. */
  private static final int BETWEEN_TWO = 3;

  /** A spacer that was told to end has nothing else to do. */
  private static final Duration LIMIT = Duration.ofSeconds(10);

  /** The least that a JVM accepts, rounded up by it. */
  private static final long STACK_BYTES = 64 * 1024;

  private final ThreadFactory factory;
  private final List<Thread> started = new ArrayList<>();
  private volatile boolean ended;

  Spacers() {
    this(
        Thread.ofPlatform()
            .name("catnap-spacer")
            .daemon()
            .stackSize(STACK_BYTES)
            .inheritInheritableThreadLocals(false)
            .factory());
  }

  /** For tests: threads that cannot be started. */
  Spacers(ThreadFactory factory) {
    this.factory = factory;
  }

  /** Whether a few threads more can be started just now. */
  static boolean isRoom() {
    Spacers few = new Spacers();
    few.separate();
    boolean allStarted = !few.ended;
    few.end();
    return allStarted;
  }

  /**
   * The next platform thread that starts in this JVM is no neighbour of the one before. There is
   * room for it: where the number of threads is limited, spacers take none from the workers.
   */
  synchronized void separate() {
    if (ended) {
      return;
    }
    try {
      for (int i = 0; i < BETWEEN_TWO; i++) {
        Thread spacer = factory.newThread(this::stay);
        spacer.start();
        started.add(spacer);
      }
      // The carrier's room. Without this one, the last thread of all might be a spacer:
      //   three spacers start        the carrier cannot, and the pool is not built
      Thread placeholder = factory.newThread(() -> {});
      placeholder.start();
      boolean ignored = Joins.uninterruptibly(placeholder, LIMIT);
    } catch (OutOfMemoryError e) {
      end(); // there are no more threads: the carriers do without spacers, which cost only speed
    }
  }

  private void stay() {
    while (!ended) {
      LockSupport.park(this);
    }
  }

  /** The last worker was started. Returns when no spacer is left. */
  void end() {
    List<Thread> all;
    synchronized (this) {
      ended = true;
      all = List.copyOf(started);
      started.clear();
    }
    all.forEach(LockSupport::unpark);
    for (Thread spacer : all) {
      boolean ignored = Joins.uninterruptibly(spacer, LIMIT);
    }
  }
}
