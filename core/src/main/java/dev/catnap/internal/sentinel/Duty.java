package dev.catnap.internal.sentinel;

import dev.catnap.internal.atomic.PaddedInt;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether the sentinel is on duty, and its thread, which is started when it is called for the first
 * time and parks without a timeout while it is off duty (G4).
 *
 * <pre>
 *   UNSTARTED to STARTING   the first caller
 *   STARTING  to ON         the same, when the thread was started
 *   STARTING  to UNSTARTED  the same, when it could not be; tried again by a later call
 *   OFF       to ON         a caller, or the sentinel, which has looked again and is still needed
 *   ON        to OFF        the sentinel
 *   any       to CLOSED     the end of the pool
 * </pre>
 *
 * Only ON is duty: in STARTING a publisher must not rely on a thread that may never run. Sequential
 * consistency throughout; README.md has the races.
 */
public final class Duty {

  /** Makes and starts the thread. */
  @FunctionalInterface
  public interface ThreadStarter {
    /**
     * Throws if that cannot be done now.
     *
     * @return false: refused, for good
     */
    boolean start(Runnable body);
  }

  private static final int UNSTARTED = 0;
  private static final int STARTING = 1;
  private static final int OFF = 2;
  private static final int ON = 3;
  private static final int CLOSED = 4;

  /** After the thread could not be started, a call tries again not before so long. */
  private static final long START_RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final PaddedInt state;
  private final ThreadStarter starter;
  private final LongSupplier round;
  private final Consumer<Throwable> onFailedStart;

  private volatile @Nullable Thread thread;
  private volatile boolean startFailed;
  private volatile long startFailedAt;

  /**
   * Off duty, without a thread.
   *
   * @param starter makes the thread
   * @param round what the sentinel does: returns how long to wait for the next one, in nanoseconds
   * @param onFailedStart is told once in a row of failures
   */
  public Duty(ThreadStarter starter, LongSupplier round, Consumer<Throwable> onFailedStart) {
    this.state = new PaddedInt(UNSTARTED);
    this.starter = starter;
    this.round = round;
    this.onFailedStart = onFailedStart;
  }

  /** Whether somebody is on duty. */
  public boolean isOn() {
    return state.getVolatile() == ON;
  }

  /**
   * Calls the sentinel.
   *
   * @return false: it cannot come
   */
  public boolean call() {
    for (; ; ) {
      switch (state.getVolatile()) {
        case ON -> {
          return true;
        }
        case OFF -> {
          if (state.compareAndSet(OFF, ON)) {
            LockSupport.unpark(thread);
            return true;
          }
        }
        case UNSTARTED -> {
          if (startFailed && System.nanoTime() - startFailedAt < START_RETRY_NANOS) {
            return false;
          }
          if (state.compareAndSet(UNSTARTED, STARTING)) {
            return start();
          }
        }
        default -> {
          return false;
        }
      }
    }
  }

  private boolean start() {
    try {
      if (!starter.start(this::run)) {
        close();
        return false;
      }
    } catch (Throwable t) {
      boolean first = !startFailed;
      startFailedAt = System.nanoTime();
      startFailed = true;
      state.compareAndSet(STARTING, UNSTARTED);
      if (first) {
        onFailedStart.accept(t);
      }
      return false;
    }
    startFailed = false;
    boolean on = state.compareAndSet(STARTING, ON);
    LockSupport.unpark(thread); // null: it has not read the state yet
    return on;
  }

  /** By the sentinel alone, which must look again afterwards. */
  void leave() {
    state.compareAndSet(ON, OFF);
  }

  /** By the sentinel alone: it looked again, and is needed. */
  void resume() {
    state.compareAndSet(OFF, ON);
  }

  /** Its next round is now. */
  void hurry() {
    LockSupport.unpark(thread);
  }

  /** Off duty for good; ends the thread. Idempotent. */
  public void close() {
    state.setVolatile(CLOSED);
    LockSupport.unpark(thread);
  }

  private void run() {
    // Before it reads the state: whoever changes that unparks this thread afterwards.
    thread = Thread.currentThread();
    for (; ; ) {
      int s = state.getVolatile();
      if (s == CLOSED) {
        return;
      }
      if (s == ON) {
        long wait = round.getAsLong();
        if (wait > 0) {
          LockSupport.parkNanos(this, wait);
        }
      } else {
        LockSupport.park(this);
      }
      boolean ignored = Thread.interrupted(); // or every park returns at once
    }
  }

  /** The thread, or null before it runs. */
  public @Nullable Thread thread() {
    return thread;
  }

  @Override
  public String toString() {
    return switch (state.getOpaque()) {
      case ON -> "on duty";
      case CLOSED -> "closed";
      default -> "off duty";
    };
  }
}
