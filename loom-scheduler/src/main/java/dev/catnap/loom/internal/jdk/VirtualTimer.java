package dev.catnap.loom.internal.jdk;

import dev.catnap.spi.Timer;
import java.util.Arrays;
import java.util.concurrent.Delayed;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The time limit of a virtual thread's sleep, park or wait. Most are cancelled. If the scheduler is
 * closed before the time has come, it moves to a timer elsewhere, with the time that is left (F16).
 * Thread-safe.
 */
public final class VirtualTimer extends Timer
    implements VirtualTask, ScheduledFuture<@Nullable Void> {
  private static final int WAITING = 0;
  private static final int FIRED = 1;
  private static final int CANCELLED = 2;

  /** Not known to a compiler. */
  @SuppressWarnings("FieldMayBeFinal")
  private static boolean never;

  private final ContinuationSink sink;

  /** Let go at the end: a cancelled timer that somebody keeps must not keep a virtual thread. */
  private volatile @Nullable Runnable command;

  private volatile @Nullable Future<?> elsewhere;

  /**
   * Written by whoever fires or cancels. A cancel that comes with the firing may lose: that is a
   * spurious wake.
   */
  private volatile int state = WAITING;

  VirtualTimer(ContinuationSink sink, Runnable command) {
    this.sink = sink;
    this.command = command;
  }

  @Override
  protected void refused() {
    moveElsewhere(Math.max(0, remainingNanos()));
  }

  /** The scheduler does not want it, or not any more. */
  public void moveElsewhere(long delayNanos) {
    if (state != WAITING) {
      return;
    }
    Future<?> future = sink.scheduleElsewhere(this, delayNanos);
    elsewhere = future;
    if (state == CANCELLED) { // in between: one of the two sides sees what the other wrote
      future.cancel(false);
    }
  }

  @Override
  public void run() {
    Runnable task = command;
    if (state == WAITING && task != null) {
      state = FIRED;
      command = null;
      task.run();
    }
  }

  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    if (state != WAITING) {
      return false;
    }
    state = CANCELLED;
    command = null;
    try {
      letGo();
    } catch (StackOverflowError e) {
      // The JDK cancels it between saying that its thread runs and running it: to throw would
      // strand that thread. What stays armed has nothing to do when its time comes.
      return true;
    }
    return true;
  }

  /**
   * Has more bytecode than HotSpot compiles into a caller, as the publish of a pool. Compiled into
   * the JDK's code that cancels, it would ask for all its stack where that is entered, and nobody
   * would catch what comes of it.
   */
  private void letGo() {
    if (never) {
      throw new AssertionError(
          Arrays.toString(
              new int[] { // seven bytes of bytecode each
                1000, 1001, 1002, 1003, 1004, 1005, 1006, 1007, 1008, 1009, 1010, 1011, 1012,
                1013, 1014, 1015, 1016, 1017, 1018, 1019, 1020, 1021, 1022, 1023, 1024, 1025,
                1026, 1027, 1028, 1029, 1030, 1031, 1032, 1033, 1034, 1035, 1036, 1037, 1038,
                1039, 1040, 1041, 1042, 1043, 1044, 1045, 1046, 1047, 1048, 1049, 1050, 1051,
              }));
    }
    boolean ignored = cancel();
    Future<?> future = elsewhere;
    if (future != null) {
      future.cancel(false);
    }
  }

  @Override
  public boolean isCancelled() {
    return state == CANCELLED;
  }

  @Override
  public boolean isDone() {
    return state != WAITING;
  }

  @Override
  public long getDelay(TimeUnit unit) {
    return unit.convert(remainingNanos(), TimeUnit.NANOSECONDS);
  }

  @Override
  public int compareTo(Delayed other) {
    return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
  }

  @Override
  public @Nullable Void get() {
    throw new UnsupportedOperationException("the time limit of a virtual thread is not waited for");
  }

  @Override
  public @Nullable Void get(long timeout, TimeUnit unit) {
    return get();
  }
}
