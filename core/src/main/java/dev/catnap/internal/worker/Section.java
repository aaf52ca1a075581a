package dev.catnap.internal.worker;

import dev.catnap.internal.atomic.Padding;
import dev.catnap.internal.blocking.RunRights;
import dev.catnap.internal.blocking.SectionForecast;
import dev.catnap.internal.blocking.WorkerRight;
import dev.catnap.internal.fork.Waiter;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The declared blocking section of a worker, if it is in one. By the worker's own thread, unless it
 * says otherwise.
 *
 * <p>Padded on both sides: a worker that blocks in short sections writes all of this each time, and
 * thieves and the sentinel read what lies beside it.
 */
@SuppressWarnings("unused")
final class Section extends SectionState {
  private byte q00, q01, q02, q03, q04, q05, q06, q07, q08, q09, q0a, q0b, q0c, q0d, q0e, q0f;
  private byte q10, q11, q12, q13, q14, q15, q16, q17, q18, q19, q1a, q1b, q1c, q1d, q1e, q1f;
  private byte q20, q21, q22, q23, q24, q25, q26, q27, q28, q29, q2a, q2b, q2c, q2d, q2e, q2f;
  private byte q30, q31, q32, q33, q34, q35, q36, q37, q38, q39, q3a, q3b, q3c, q3d, q3e, q3f;
  private byte q40, q41, q42, q43, q44, q45, q46, q47, q48, q49, q4a, q4b, q4c, q4d, q4e, q4f;
  private byte q50, q51, q52, q53, q54, q55, q56, q57, q58, q59, q5a, q5b, q5c, q5d, q5e, q5f;
  private byte q60, q61, q62, q63, q64, q65, q66, q67, q68, q69, q6a, q6b, q6c, q6d, q6e, q6f;
  private byte q70, q71, q72, q73, q74, q75, q76, q77, q78, q79, q7a, q7b, q7c, q7d, q7e, q7f;

  private final Worker worker;
  private final Pool pool;
  private final WorkerRight right;
  private final SectionForecast.Row forecast;

  Section(Worker worker, Pool pool) {
    this.worker = worker;
    this.pool = pool;
    this.right = worker.right;
    this.forecast = new SectionForecast.Row(pool.sections());
  }

  /**
   * One begins. They nest.
   *
   * @param ending whether it is about to end; null: nobody knows
   */
  void begin(@Nullable BooleanSupplier ending) {
    if (depth++ == 0) {
      isEnding = ending;
      if (forecast.begin() && right.isHeld()) {
        keepsRight = true; // if it lasts, the sentinel takes it, and sees to the slot
        pool.sentinel().hurry();
      } else {
        worker.turns.pause();
        boolean waits = worker.publisher.emptySlot(); // before the right is released: that looks
        pool.workerBlocks(right.giveUp(), waits);
      }
    }
  }

  /**
   * The worker waits, in the middle of its task, for what may lie in a queue: gives up its right,
   * also one that a section has kept, until {@link #endReplaced}. Not in a section that has given
   * it up already.
   *
   * @param w is woken if rights are left that nobody else can have
   * @return false: nobody can take the worker's place, and it is as if this had not been called.
   *     True: it may wait while {@link #isReplaced}
   */
  boolean beginReplaced(Waiter w) {
    boolean ignored = worker.publisher.emptySlot(); // who replaces it looks everywhere
    depth++; // sections of a run inside this task change nothing meanwhile
    keptBefore = keepsRight;
    keepsRight = false;
    isEnding = null;
    worker.turns.pause();
    boolean replaced = false;
    try {
      replaced = pool.workerIsReplaced(right.giveUp());
    } finally {
      if (!replaced) {
        endReplaced();
      }
    }
    if (replaced) {
      waiter = w;
    }
    return replaced;
  }

  /** Whether nobody misses it; read after {@link #beginReplaced}, see {@link RunRights}. */
  boolean isReplaced() {
    return pool.rights().unclaimed() <= 0;
  }

  void endReplaced() {
    // Before the reclaim: else a right that is left now counts on this worker, which has got one,
    // and another one that waits is not woken for it.
    waiter = null;
    depth--;
    pool.workerUnblocks();
    comeBack();
    if (keptBefore) {
      forecast.restart();
      keepsRight = true;
      pool.sentinel().hurry();
    }
    worker.turns.resume(true);
  }

  void end() {
    if (depth == floor) {
      throw new IllegalStateException("endBlocking without beginBlocking");
    }
    if (--depth == 0) {
      isEnding = null;
      boolean held = right.isHeld();
      forecast.end(keepsRight && held);
      if (keepsRight) {
        keepsRight = false;
      } else {
        pool.workerUnblocks();
      }
      if (!held) {
        worker.turns.pause();
        comeBack();
      }
      worker.turns.resume(true); // where the right was kept, the section was time of its own tasks
    }
  }

  /** One that user code began and did not end. */
  void endForgotten() {
    if (depth != floor) {
      depth = floor + 1;
      end();
    }
  }

  /** The worker goes on, whether somebody else has got its right meanwhile or not. */
  void comeBack() {
    if (right.regain()) {
      pool.rights().reclaim();
    }
  }

  /**
   * A task on top of one that waits has sections of its own. Returns what {@link #leaveNested}
   * needs.
   */
  int enterNested() {
    int outerFloor = floor;
    floor = depth;
    return outerFloor;
  }

  void leaveNested(int outerFloor) {
    floor = outerFloor;
  }

  boolean isOpen() {
    return depth != 0;
  }

  /** Whether one is open in which the worker holds no right. */
  boolean hasGivenUpRight() {
    return isOpen() && !keepsRight;
  }

  /**
   * Whether what is published as the next task must not lie in the slot: its worker has said that
   * it does not come back soon, and has not come to the end of that.
   */
  boolean isBehindAClosedDoor() {
    if (!isOpen()) {
      return false;
    }
    BooleanSupplier ending = isEnding;
    return ending == null || !ending.getAsBoolean();
  }

  /** By a worker that begins something else in its section. */
  void goesOn() {
    if (isOpen()) {
      worker.publisher.publishSlot();
    }
  }

  /**
   * Whether the present task is likely to be over, or to suspend, before a spare could have begun
   * another one. Not in a section, unless that is about to end; nor after 0.1 ms of its own time.
   */
  boolean isLikelyToComeBack() {
    return isOpen() ? !isBehindAClosedDoor() : !worker.turns.isInLongTask();
  }

  // ---- any thread
  // --------------------------------------------------------------------------------

  boolean keepsRight() {
    return keepsRight;
  }

  /** Wakes the worker if it waits replaced. True: it comes back, unless the rights are gone. */
  boolean recall() {
    Waiter w = waiter;
    if (w == null) {
      return false;
    }
    w.wake();
    return true;
  }

  /** Of a worker that was seen to keep its right. */
  long nanosSinceBegin() {
    return forecast.nanosSinceBegin();
  }
}

/** What is written, between its paddings. */
abstract class SectionState extends Padding {
  /** Sections inside of each other. */
  int depth;

  /** Those below it belong to a task that waits further down on the stack. */
  int floor;

  /** It is likely to be short, and its worker has not given up its right to run. */
  volatile boolean keepsRight;

  /** The same, before it was replaced. */
  boolean keptBefore;

  /** Whom to wake if the worker, which waits in the middle of a task, is missed. */
  volatile @Nullable Waiter waiter;

  /** Of the outermost section. */
  @Nullable BooleanSupplier isEnding;
}
