package dev.catnap.samples.board;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Messages in the order in which they came. Readers wait for the next on a plain condition. */
final class Topic {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final List<String> messages = new ArrayList<>();
  private boolean closed;

  /** Returns its number: 1 for the first. */
  int post(String message) {
    lock.lock();
    try {
      messages.add(message);
      changed.signalAll();
      return messages.size();
    } finally {
      lock.unlock();
    }
  }

  /** Those after a number, as soon as there are any; none: the time is over or the topic closed. */
  List<String> after(int number, long nanos) throws InterruptedException {
    lock.lock();
    try {
      long left = nanos;
      while (messages.size() <= number && left > 0 && !closed) {
        left = changed.awaitNanos(left);
      }
      return messages.size() <= number
          ? List.of()
          : List.copyOf(messages.subList(number, messages.size()));
    } finally {
      lock.unlock();
    }
  }

  /** Sends those who wait home. */
  void close() {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
