package dev.catnap.lincheck;

import dev.catnap.spi.Parker;
import dev.catnap.spi.WorkerThread;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Parker} under which a lost unpark is a hang that Lincheck reports.
 *
 * <p>Lincheck lets {@code LockSupport.park} return for no reason. A sleeper that parks in a loop
 * then spins, and its wake is explored only after all other threads have stopped; a loop over "is
 * there work?" never hangs at all. Here {@code park} returns only after an {@code unpark} or an
 * interrupt of that very thread, and {@code parkNanos} never times out, so no timeout hides a lost
 * wake either. An unpark before the park is kept, at most one.
 *
 * <p>It also counts unparks (G3) and parked workers: a test can wait until all are parked (G4) and
 * look at the counters then.
 *
 * <p>It blocks in monitors, whose waits Lincheck explores as they are. One monitor per worker,
 * because a notify resumes all that wait for the same one. A worker that is still parked when the
 * checked block ends is a deadlock for Lincheck: close the scheduler, or {@link #dismissAll}.
 *
 * <p>Threads must be {@link WorkerThread}s with a number below that of the workers given here; the
 * threads of a scheduler are. Thread-safe.
 */
public final class ModelCheckedParker implements Parker {
  private final int workers;

  /** A chain, since Lincheck switches threads before it reads an array, but not a final field. */
  private final Seat lastSeat;

  private final AtomicInteger parked = new AtomicInteger();
  private final AtomicInteger unparks = new AtomicInteger();
  private final Object anyParked = new Object();

  /**
   * Nobody is parked.
   *
   * @param workers worker threads that will park, at least 1
   * @throws IllegalArgumentException if it is less
   */
  public ModelCheckedParker(int workers) {
    if (workers < 1) {
      throw new IllegalArgumentException("workers must be at least 1: " + workers);
    }
    this.workers = workers;
    Seat seat = new Seat(null, 0);
    for (int i = 1; i < workers; i++) {
      seat = new Seat(seat, i);
    }
    lastSeat = seat;
  }

  @Override
  public void park(Object blocker) {
    Seat seat = seatOf(Thread.currentThread());
    synchronized (seat) {
      if (seat.state == Seat.FREE) {
        seat.state = Seat.TAKEN;
        parked.incrementAndGet();
        synchronized (anyParked) {
          anyParked.notifyAll();
        }
        do {
          try {
            seat.wait();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // as LockSupport does: return, and keep the status
            if (seat.state == Seat.TAKEN) {
              seat.state = Seat.PERMITTED;
              parked.decrementAndGet();
            }
          }
        } while (seat.state == Seat.TAKEN);
      }
      if (seat.state == Seat.DISMISSED) {
        throw new Dismissal();
      }
      seat.state = Seat.FREE;
    }
  }

  @Override
  public void parkNanos(Object blocker, long nanos) {
    park(blocker);
  }

  @Override
  public void unpark(Thread thread) {
    unparks.incrementAndGet();
    Seat seat = seatOf(thread);
    synchronized (seat) {
      switch (seat.state) {
        case Seat.FREE -> seat.state = Seat.PERMITTED;
        case Seat.TAKEN -> {
          seat.state = Seat.PERMITTED;
          parked.decrementAndGet();
          seat.notifyAll();
        }
        default -> {}
      }
    }
  }

  /**
   * Blocks until every worker is parked and none has an unpark to come. A pool that never gets
   * there is reported as a hang. Call it when every publish has returned: a wake that is under way
   * is not seen.
   */
  public void awaitAllParked() {
    awaitParked(workers);
  }

  /**
   * The same for a pool that has started fewer threads than it may.
   *
   * @param threads how many it has
   */
  public void awaitParked(int threads) {
    synchronized (anyParked) {
      while (parked.get() != threads) {
        try {
          anyParked.wait();
        } catch (InterruptedException e) {
          throw new AssertionError("nobody interrupts here", e);
        }
      }
    }
  }

  /**
   * How many unparks there have been, those included that found nobody parked.
   *
   * @return the number
   */
  public int unparks() {
    return unparks.get();
  }

  /**
   * Ends the check: every park, those under way included, throws a {@link Dismissal}. Cheaper for
   * Lincheck than closing a scheduler.
   */
  public void dismissAll() {
    for (Seat s = lastSeat; s != null; s = s.next) {
      synchronized (s) {
        s.state = Seat.DISMISSED;
        s.notifyAll();
      }
    }
  }

  /** For a check that starts with sleepers: {@code thread} is parked, though not yet started. */
  void assumeParked(Thread thread) {
    seatOf(thread).state = Seat.TAKEN;
    parked.incrementAndGet();
  }

  private Seat seatOf(Thread thread) {
    if (!(thread instanceof WorkerThread carrier)) {
      throw new IllegalArgumentException(thread + " is not the thread of a worker");
    }
    int number = carrier.worker().index();
    Seat seat = lastSeat;
    while (seat.number != number) {
      seat = Objects.requireNonNull(seat.next, "more workers than were announced");
    }
    return seat;
  }

  /** Where one worker is parked; its monitor guards the state. */
  private static final class Seat {
    static final int FREE = 0;
    static final int TAKEN = 1;
    static final int PERMITTED = 2;
    static final int DISMISSED = 3;

    final @Nullable Seat next;
    final int number;
    int state = FREE;

    Seat(@Nullable Seat next, int number) {
      this.next = next;
      this.number = number;
    }
  }

  /** Thrown by {@code park} after {@link #dismissAll}: the thread is to end. */
  public static final class Dismissal extends Error {
    private static final long serialVersionUID = 1;

    private Dismissal() {
      super("dismissed", null, false, false);
    }
  }
}
