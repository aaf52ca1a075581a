package dev.catnap.loom.programs;

import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;

/**
 * A thread that unparks a virtual thread at every depth of a recursion, until some 5 KB of its
 * stack are left. Whatever carries virtual threads must take each of them: to the JDK the thread
 * runs from within {@code unpark} on, so one that is not taken is stranded.
 *
 * <p>As a main class: on whatever carries virtual threads in this JVM; the argument is how many
 * seconds it waits before it says what it is stuck in.
 */
public final class DeepUnparks {
  private static final int WARM_UP = 200;
  private static final long STACK_BYTES = 256 * 1024;

  private final ThreadFactory factory;
  private volatile long asked;
  private volatile long answered;
  private volatile boolean over;

  /**
   * The program.
   *
   * @param factory makes virtual threads
   */
  public DeepUnparks(ThreadFactory factory) {
    this.factory = factory;
  }

  /** Prints what {@link #run} tells, and ends the JVM, stuck or not. */
  public static void main(String[] arguments) throws InterruptedException {
    Duration patience = Duration.ofSeconds(Integer.parseInt(arguments[0]));
    System.out.println(new DeepUnparks(Thread.ofVirtual().factory()).run(patience));
    System.exit(0);
  }

  /**
   * Brings it about. Called by a platform thread, once.
   *
   * @param patience how long it waits for each of the two threads
   * @return "went on", or which thread did not
   * @throws InterruptedException if the caller was interrupted
   */
  public String run(Duration patience) throws InterruptedException {
    Thread unparked = factory.newThread(this::answer);
    unparked.start();
    Thread deep = new Thread(null, () -> askToTheEnd(unparked), "deep", STACK_BYTES);
    deep.setDaemon(true);
    deep.start();
    boolean isAnswered = deep.join(patience);
    over = true;
    LockSupport.unpark(unparked);
    boolean isOver = isAnswered && unparked.join(patience);
    return isOver ? "went on" : "stranded: " + unparked;
  }

  private void answer() {
    while (!over) {
      LockSupport.park();
      answered = asked;
    }
  }

  private void ask(Thread thread) {
    long next = asked + 1;
    asked = next;
    LockSupport.unpark(thread);
    while (answered < next && !over) {
      if (thread.getState() == Thread.State.WAITING) {
        LockSupport.unpark(thread); // it had its answer ready before it was asked
      }
      Thread.onSpinWait();
    }
  }

  private void askToTheEnd(Thread thread) {
    for (int i = 0; i < WARM_UP; i++) {
      ask(thread);
      boolean ignored = isEnoughLeft(); // compiled, it asks for less
    }
    try {
      long ignored = askBelow(thread, 0);
    } catch (StackOverflowError atTheEntry) {
      // Compiled as one with what is below it, unpark needs the stack of that where it begins.
      return;
    }
  }

  @SuppressWarnings("InfiniteRecursion")
  private long askBelow(Thread thread, long depth) {
    ask(thread);
    return isEnoughLeft() ? askBelow(thread, depth + 1) + 1 : depth;
  }

  /** Some 5 KB compiled, twice that interpreted. */
  private static boolean isEnoughLeft() {
    try {
      return calls(48, 1, 2, 3, 4, 5, 6, 7, 8) != 0;
    } catch (StackOverflowError e) {
      return false;
    }
  }

  /** Each argument is needed after the call, so each frame holds all of them. */
  private static long calls(
      int more, long a, long b, long c, long d, long e, long f, long g, long h) {
    return (more == 0 ? a : calls(more - 1, b, c, d, e, f, g, h, a))
        + (a + b + c + d + e + f + g + h);
  }
}
