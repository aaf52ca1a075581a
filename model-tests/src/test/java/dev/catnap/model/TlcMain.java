package dev.catnap.model;

import java.lang.reflect.Field;
import java.util.Objects;
import tlc2.TLC;
import tlc2.TLCGlobals;
import tlc2.tool.ModelChecker;
import tlc2.tool.queue.StateQueue;

/**
 * TLC, whose own wakeups are lost now and then; 2.18 hung three seconds after its start, in its
 * first look at how far it has come:
 *
 * <pre>
 *   T1 StateQueue.suspendAll             T2 its worker, in isAvail
 *   stop = true; no worker waits yet
 *                                        waits, and notifies mu: nobody waits there
 *   waits for mu, for ever
 * </pre>
 *
 * T1 looks again whenever it is notified, so it is, ten times a second.
 */
final class TlcMain {
  private static final long PERIOD_MILLIS = 100;

  private TlcMain() {}

  /**
   * Runs it.
   *
   * @param args TLC's own
   * @throws Exception what TLC throws, or the fields are not where they were
   */
  public static void main(String[] args) throws Exception {
    Field mu = StateQueue.class.getDeclaredField("mu");
    mu.setAccessible(true);
    Thread waker = new Thread(() -> notifyFromTimeToTime(mu), "waker");
    waker.setDaemon(true);
    waker.start();
    TLC.main(args);
  }

  private static void notifyFromTimeToTime(Field mu) {
    try {
      for (; ; ) {
        Thread.sleep(PERIOD_MILLIS);
        // No checker where TLC walks.
        if (TLCGlobals.mainChecker instanceof ModelChecker checker
            && checker.theStateQueue instanceof StateQueue queue) {
          Object monitor = Objects.requireNonNull(mu.get(queue));
          synchronized (monitor) {
            monitor.notifyAll();
          }
        }
      }
    } catch (InterruptedException | IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }
}
