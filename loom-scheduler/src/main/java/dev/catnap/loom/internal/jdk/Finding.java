package dev.catnap.loom.internal.jdk;

import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What this JVM lacks for one thing, found out at the first question. Not by the initialiser of a
 * class: where that fails, as a thread cannot be started just then, it has failed for as long as
 * the JVM lives. Thread-safe; once it is known a question is one read.
 */
final class Finding {

  /**
   * What a look has shown.
   *
   * @param missing null: nothing
   * @param isDefinite false: the next question looks again
   */
  record Answer(@Nullable String missing, boolean isDefinite) {
    static final Answer NOTHING = new Answer(null, true);

    static Answer lacks(String what) {
      return new Answer(what, true);
    }

    static Answer cannotTell(String why) {
      return new Answer(why, false);
    }
  }

  /** Looks once; an exception is no answer. */
  @FunctionalInterface
  interface Look {
    /**
     * What is missing.
     *
     * @throws OutOfMemoryError if there is no memory, or a thread cannot be started
     */
    Answer look();
  }

  private final String subject;
  private final Look look;

  /** A virtual thread that waits for it leaves its carrier. */
  private final ReentrantLock looking = new ReentrantLock();

  private volatile @Nullable Answer known;

  /**
   * Nothing is known yet.
   *
   * @param subject of a sentence that goes on after a colon
   */
  Finding(String subject, Look look) {
    this.subject = subject;
    this.look = look;
  }

  /**
   * Null: nothing; else why not, in one sentence.
   *
   * @throws IllegalStateException if a thread cannot be started: then it is not known
   */
  @Nullable String missing() {
    Answer answer = known;
    return (answer != null ? answer : find()).missing();
  }

  private Answer find() {
    looking.lock();
    try {
      Answer answer = known;
      if (answer == null) {
        answer = Objects.requireNonNull(look.look());
        if (answer.isDefinite()) {
          known = answer;
        }
      }
      return answer;
    } catch (OutOfMemoryError e) {
      throw new IllegalStateException(
          subject + ": a thread cannot be started: " + e.getMessage(), e);
    } finally {
      looking.unlock();
    }
  }
}
