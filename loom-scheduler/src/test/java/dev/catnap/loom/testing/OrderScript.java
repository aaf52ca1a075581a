package dev.catnap.loom.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What virtual threads do on one carrier, in which order. The trace is the same each time, so that
 * two schedulers can be compared. A main class as well: there it runs on the JDK's own scheduler.
 */
public final class OrderScript {
  private final Queue<String> trace = new ConcurrentLinkedQueue<>();

  private OrderScript() {}

  /** Prints the trace of the JDK's default scheduler. */
  public static void main(String[] args) {
    run(Thread.ofVirtual()).forEach(System.out::println);
  }

  /** Runs it; what the script starts inherits the scheduler of {@code builder}. */
  public static List<String> run(Thread.Builder.OfVirtual builder) {
    OrderScript script = new OrderScript();
    Deadline.join(builder.start(script::all));
    return List.copyOf(script.trace);
  }

  private void all() {
    yields();
    yieldToOne();
    unparks();
    lock();
  }

  private static void start(List<Thread> threads, Runnable task) {
    threads.add(Thread.startVirtualThread(task));
  }

  /** Three threads that yield take turns. */
  private void yields() {
    List<Thread> threads = new ArrayList<>();
    for (String name : List.of("a", "b", "c")) {
      start(threads, () -> yieldThrice("yields " + name));
    }
    Deadline.join(threads.toArray(Thread[]::new));
  }

  private void yieldThrice(String name) {
    for (int i = 0; i < 3; i++) {
      trace.add(name + i);
      Thread.yield();
    }
  }

  /** A starts B and yields: B runs before A goes on. */
  private void yieldToOne() {
    trace.add("A starts B");
    Thread b = Thread.startVirtualThread(() -> trace.add("B"));
    Thread.yield();
    trace.add("A again");
    Deadline.join(b);
  }

  /** Threads go on in the order in which they were unparked, not in which they parked. */
  private void unparks() {
    List<Thread> threads = new ArrayList<>();
    for (String name : List.of("p", "q", "r")) {
      start(
          threads,
          () -> {
            trace.add(name + " parks");
            LockSupport.park();
            trace.add(name + " goes on");
          });
    }
    Deadline.until(
        "all are parked",
        () -> threads.stream().allMatch(t -> t.getState() == Thread.State.WAITING));
    for (int i : new int[] {1, 0, 2}) {
      LockSupport.unpark(threads.get(i));
    }
    trace.add("unparked");
    Thread.yield();
    trace.add("yielded to them");
    Deadline.join(threads.toArray(Thread[]::new));
  }

  /** A fair queue for a lock. If it fails, nobody needs the lock any more. */
  @SuppressWarnings("LockNotBeforeTry")
  private void lock() {
    ReentrantLock lock = new ReentrantLock(true);
    List<Thread> threads = new ArrayList<>();
    lock.lock();
    for (String name : List.of("x", "y", "z")) {
      start(
          threads,
          () -> {
            lock.lock();
            trace.add(name + " has the lock");
            Thread.yield();
            lock.unlock();
          });
    }
    Deadline.until("all wait", () -> lock.getQueueLength() == 3);
    trace.add("unlocks");
    lock.unlock();
    Deadline.join(threads.toArray(Thread[]::new));
  }
}
