package dev.catnap.jcstress;

import dev.catnap.internal.fork.ForkDeque;
import dev.catnap.internal.fork.ForkTask;
import org.jspecify.annotations.Nullable;

/** As {@link Task}, for deques of forked tasks. */
final class Forked extends ForkTask {
  final int number;

  /** A plain field, as those of a user's task are. */
  int payload;

  Forked(int number) {
    this.number = number;
  }

  static int number(@Nullable ForkTask task) {
    return task == null ? Task.NONE : ((Forked) task).number;
  }

  static int payload(@Nullable ForkTask task) {
    return task == null ? -1 : ((Forked) task).payload;
  }

  /** A ring of two, near the wrap of the index. */
  static ForkDeque dequeOf(int... numbers) {
    ForkDeque deque = new ForkDeque(2, Long.MAX_VALUE);
    for (int number : numbers) {
      deque.push(new Forked(number));
    }
    return deque;
  }

  static int popAll(ForkDeque deque) {
    int sum = 0;
    for (ForkTask t = deque.pop(); t != null; t = deque.pop()) {
      sum += number(t);
    }
    return sum;
  }

  @Override
  public void run() {
    throw new AssertionError("only moved from queue to queue");
  }

  @Override
  public void cancel(Throwable why) {
    throw new AssertionError("only moved from queue to queue");
  }
}
