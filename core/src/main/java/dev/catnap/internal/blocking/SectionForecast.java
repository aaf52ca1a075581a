package dev.catnap.internal.blocking;

import dev.catnap.internal.atomic.PaddedLong;
import dev.catnap.internal.atomic.Padding;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/**
 * Whether the next declared blocking section of a pool's worker is likely to be over before another
 * worker could have taken its place.
 *
 * <p>To hand a right over costs a wake and, when the section is over, a worker too many that has to
 * give way: two changes of threads, and the data of the tasks goes to another processor's cache.
 * For a section of a microsecond, beside tasks that wait, that is most of the time. To keep the
 * right costs nothing if the section is short. If it lasts, that time is lost, until the sentinel
 * takes the right away.
 *
 * <p>So a worker whose sections have been short on average keeps its right in the next. What a kept
 * right has cost more than to hand it over is paid for with {@link #TIMES_AS_LONG} times as long,
 * in which all workers of the pool leave theirs at once: whatever the sections are like, no more
 * than 5% of the processors' time is lost by keeping rights, and at once no more than {@link
 * #LOST_ON_CREDIT_NANOS} of each, and the present section of each worker.
 *
 * <p>By the average, and on credit, since a section is also long because its thread had to wait for
 * a processor: with rights handed over, more threads than processors run, so that more sections are
 * long. Where one long section was enough to leave all rights, that fed itself.
 *
 * <p>Go leaves the right with a thread in a system call too, until its monitor sees that it lasts.
 */
public final class SectionForecast {
  /** What a change of threads and back takes, and some. */
  public static final long SHORT_NANOS = 50_000;

  /** So many sections of a worker make its average, the latest counting most. */
  public static final int AVERAGED = 32;

  static final int TIMES_AS_LONG = 20;

  static final long LOST_ON_CREDIT_NANOS = 1_000_000;

  private final LongSupplier clock;
  private final long mostLostNanos;
  private final IntSupplier processors;

  /** What was lost is paid for then; no right is kept before. */
  private final PaddedLong paidAt;

  /**
   * Nothing is known yet.
   *
   * @param mostLostNanos what one section costs at most that lasts: the sentinel takes the right by
   *     then, or no processor was free. 0: there is no sentinel, and so no worker keeps its right
   * @param processors how many the pool uses
   * @param clock nanoseconds, monotonic
   */
  public SectionForecast(long mostLostNanos, IntSupplier processors, LongSupplier clock) {
    this.mostLostNanos = mostLostNanos;
    this.processors = processors;
    this.clock = clock;
    this.paidAt = new PaddedLong(isEnabled() ? creditedFrom() : 0);
  }

  private boolean isEnabled() {
    return mostLostNanos > 0;
  }

  /**
   * A section in which the right was kept has lasted, or lasts. Any thread.
   *
   * @param nanos so long until now
   */
  public void surprised(long nanos) {
    long lost = Math.min(nanos, mostLostNanos) - SHORT_NANOS;
    if (lost <= 0) {
      return;
    }
    long paid = TIMES_AS_LONG * lost / processors.getAsInt();
    long creditedFrom = creditedFrom();
    long seen;
    long from;
    do {
      seen = paidAt.getVolatile();
      from = seen - creditedFrom > 0 ? seen : creditedFrom; // by difference: the clock overflows
    } while (!paidAt.compareAndSet(seen, from + paid));
  }

  /** If nothing is owed. */
  private long creditedFrom() {
    return clock.getAsLong() - TIMES_AS_LONG * LOST_ON_CREDIT_NANOS;
  }

  /** What one worker has seen of its own sections. By its own thread; padded on both sides. */
  @SuppressWarnings("unused")
  public static final class Row extends Padding {
    private final SectionForecast pool;
    private long meanNanos = 2 * SHORT_NANOS; // a new worker has to see before it bets
    private long begunAt;

    /** The present section says something of the next. */
    private boolean counts;

    private byte q00, q01, q02, q03, q04, q05, q06, q07, q08, q09, q0a, q0b, q0c, q0d, q0e, q0f;
    private byte q10, q11, q12, q13, q14, q15, q16, q17, q18, q19, q1a, q1b, q1c, q1d, q1e, q1f;
    private byte q20, q21, q22, q23, q24, q25, q26, q27, q28, q29, q2a, q2b, q2c, q2d, q2e, q2f;
    private byte q30, q31, q32, q33, q34, q35, q36, q37, q38, q39, q3a, q3b, q3c, q3d, q3e, q3f;
    private byte q40, q41, q42, q43, q44, q45, q46, q47, q48, q49, q4a, q4b, q4c, q4d, q4e, q4f;
    private byte q50, q51, q52, q53, q54, q55, q56, q57, q58, q59, q5a, q5b, q5c, q5d, q5e, q5f;
    private byte q60, q61, q62, q63, q64, q65, q66, q67, q68, q69, q6a, q6b, q6c, q6d, q6e, q6f;
    private byte q70, q71, q72, q73, q74, q75, q76, q77, q78, q79, q7a, q7b, q7c, q7d, q7e, q7f;

    /** None yet. */
    public Row(SectionForecast pool) {
      this.pool = pool;
    }

    /**
     * A section begins.
     *
     * @return whether it is likely to be short
     */
    public boolean begin() {
      if (!pool.isEnabled()) {
        return false;
      }
      counts = true;
      begunAt = pool.clock.getAsLong();
      return meanNanos <= SHORT_NANOS && begunAt - pool.paidAt.getVolatile() >= 0;
    }

    /** The present section goes on after a time in which the right was not kept. */
    public void restart() {
      begunAt = pool.clock.getAsLong();
    }

    /** So long the present section lasts until now; or, to another thread, a later one. */
    public long nanosSinceBegin() {
      return pool.clock.getAsLong() - begunAt;
    }

    /**
     * And is over. The end of one that did not {@linkplain #begin begin} is of no interest.
     *
     * @param kept the right was kept to the end
     */
    public void end(boolean kept) {
      if (!counts) {
        return;
      }
      counts = false;
      long nanos = nanosSinceBegin();
      meanNanos += (Math.min(nanos, pool.mostLostNanos) - meanNanos) / AVERAGED;
      if (kept) {
        pool.surprised(nanos);
      }
    }
  }
}
