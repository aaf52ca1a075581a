package dev.catnap.testing;

import dev.catnap.spi.Parker;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Parks as usual, and counts; keeps who is woken where it is, if a test wants that.
 *
 * <p>To each unpark belongs one park that it ends, and nothing else ends one but an interrupt. With
 * {@code LockSupport} alone the counts are off for good when the latch of a task uses up the permit
 * of a thread, or leaves one behind: it unparks who is about to wait and then need not.
 */
public class CountingParker implements Parker {
  private final AtomicLong parks = new AtomicLong();
  private final AtomicInteger inside = new AtomicInteger();
  private final AtomicLong timedParks = new AtomicLong();
  private final AtomicLong unparks = new AtomicLong();

  /** Unparks that have ended no park yet; each taken by its own thread. */
  private final Map<Thread, AtomicInteger> permits = new ConcurrentHashMap<>();

  private final Set<Thread> held = ConcurrentHashMap.newKeySet();
  private final Semaphore letGo = new Semaphore(0);
  private volatile boolean holds;

  /** Counts from zero. */
  public CountingParker() {}

  @Override
  public void park(Object blocker) {
    parks.incrementAndGet();
    inside.incrementAndGet();
    while (!takePermit() && !Thread.currentThread().isInterrupted()) {
      LOCK_SUPPORT.park(blocker);
    }
    inside.decrementAndGet();
    if (held.remove(Thread.currentThread())) {
      letGo.acquireUninterruptibly();
    }
  }

  @Override
  public void parkNanos(Object blocker, long nanos) {
    timedParks.incrementAndGet();
    long start = System.nanoTime();
    for (long left = nanos;
        left > 0 && !takePermit() && !Thread.currentThread().isInterrupted();
        left = nanos - (System.nanoTime() - start)) {
      LOCK_SUPPORT.parkNanos(blocker, left);
    }
  }

  private boolean takePermit() {
    AtomicInteger mine = permits.get(Thread.currentThread());
    if (mine == null || mine.get() == 0) {
      return false;
    }
    mine.decrementAndGet();
    return true;
  }

  @Override
  public void unpark(Thread thread) {
    unparks.incrementAndGet();
    if (holds) {
      held.add(thread);
    }
    AtomicInteger permit = permits.get(thread); // no lambda: it may be at the end of a stack
    if (permit == null) {
      AtomicInteger fresh = new AtomicInteger();
      permit = permits.putIfAbsent(thread, fresh);
      permit = permit == null ? fresh : permit;
    }
    permit.incrementAndGet();
    LOCK_SUPPORT.unpark(thread);
  }

  /**
   * From now on a thread that is unparked does not come out of its park before it is let go: to the
   * others it is one that was woken and has not found anything yet.
   */
  public void hold() {
    holds = true;
  }

  /** One of those that are held goes on. */
  public void letOneGo() {
    letGo.release();
  }

  /** All of them, and nobody is held any more. */
  public void letAllGo() {
    holds = false;
    letGo.release(Short.MAX_VALUE);
  }

  /**
   * Threads in an untimed park that nobody has ended, those left out that are unparked and have not
   * come to run. In a pool without spares, whose parks are timed, if nobody interrupts. One that
   * counts as asleep may still be on its way there, and withdraw.
   */
  public long parked() {
    long begun = parks.get(); // first: then the difference is never too large
    return begun - unparks.get();
  }

  /** Untimed parks begun. */
  public long parks() {
    return parks.get();
  }

  /**
   * Workers in an untimed park. Their FinalCheck is over: one that is merely counted as asleep may
   * still find what is published now, and needs no wake. One that was unparked and has not come to
   * run is here all the same, but not counted as asleep: whoever wants neither asks for both, this
   * last.
   */
  public int parkedNow() {
    return inside.get();
  }

  /** Timed parks begun. */
  public long timedParks() {
    return timedParks.get();
  }

  /** Unparks made. */
  public long unparks() {
    return unparks.get();
  }
}
