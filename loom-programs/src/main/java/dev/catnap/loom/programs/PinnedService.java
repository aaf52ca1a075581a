package dev.catnap.loom.programs;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The service that stopped. Its requests hold a monitor, each one its own, while they wait for a
 * connection, which a {@link ReentrantLock} guards. Before JDK 24 a virtual thread that parks
 * inside {@code synchronized} keeps its carrier:
 *
 * <pre>
 *   owner                            requests
 *   lock.lock()
 *   parks, and leaves its carrier
 *                                    synchronized, lock.lock(): each keeps a carrier,
 *                                    until there is none left
 *   unparked: needs a carrier, to
 *   unlock what they wait for
 * </pre>
 *
 * As a main class: on whatever carries virtual threads in this JVM; the argument is how many
 * seconds it waits before it says what it is stuck in.
 */
public final class PinnedService {
  private final ThreadFactory factory;
  private final int carriers;
  private final ReentrantLock connection = new ReentrantLock();
  private final AtomicInteger answered = new AtomicInteger();

  /**
   * A service.
   *
   * @param factory makes virtual threads
   * @param carriers how many of them run at once; there are twice as many requests
   */
  public PinnedService(ThreadFactory factory, int carriers) {
    this.factory = factory;
    this.carriers = carriers;
  }

  /** Prints what {@link #run} tells. */
  public static void main(String[] arguments) throws InterruptedException {
    int carriers =
        Integer.getInteger(
            "jdk.virtualThreadScheduler.parallelism", Runtime.getRuntime().availableProcessors());
    Duration patience = Duration.ofSeconds(Integer.parseInt(arguments[0]));
    new PinnedService(Thread.ofVirtual().factory(), carriers)
        .run(patience)
        .forEach(System.out::println);
  }

  /**
   * Brings it about. Called by a platform thread, once.
   *
   * @param patience how long it waits for the owner
   * @return how many requests were answered, or what the threads are in
   * @throws InterruptedException if the caller was interrupted
   */
  public List<String> run(Duration patience) throws InterruptedException {
    CountDownLatch locked = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    Thread owner = factory.newThread(() -> own(locked, goOn));
    owner.start();
    locked.await();
    awaitState(owner, Thread.State.WAITING);
    List<Thread> requests = new ArrayList<>();
    for (int i = 0; i < 2 * carriers; i++) {
      Thread request = factory.newThread(() -> request(new Object()));
      request.start();
      requests.add(request);
    }
    while (waiting(requests) < carriers) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
    goOn.countDown(); // unparks the owner
    if (!owner.join(patience)) {
      return report(owner, requests);
    }
    for (Thread request : requests) {
      request.join();
    }
    return List.of("answered " + answered + " of " + requests.size());
  }

  private void own(CountDownLatch locked, CountDownLatch goOn) {
    connection.lock();
    try {
      locked.countDown();
      goOn.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    } finally {
      connection.unlock();
    }
  }

  private void request(Object session) {
    synchronized (session) {
      connection.lock();
      try {
        answered.incrementAndGet();
      } finally {
        connection.unlock();
      }
    }
  }

  private static void awaitState(Thread thread, Thread.State state) {
    while (thread.getState() != state) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
  }

  private long waiting(List<Thread> requests) {
    return requests.stream()
        .filter(t -> t.getState() == Thread.State.WAITING && connection.hasQueuedThread(t))
        .count();
  }

  private List<String> report(Thread owner, List<Thread> requests) {
    long pinned =
        requests.stream()
            .filter(connection::hasQueuedThread)
            .filter(PinnedService::isMounted)
            .filter(PinnedService::isInRequest)
            .count();
    return List.of(
        "answered " + answered + " of " + requests.size(),
        "the owner of the lock is " + owner.getState() + ", " + mounting(owner),
        pinned + " requests wait for the lock inside synchronized, mounted on " + carriers);
  }

  private static String mounting(Thread thread) {
    return isMounted(thread) ? "mounted" : "not mounted";
  }

  /** {@code VirtualThread[#22]/waiting@carrier}. */
  private static boolean isMounted(Thread thread) {
    return thread.toString().contains("@");
  }

  private static boolean isInRequest(Thread thread) {
    return Arrays.stream(thread.getStackTrace())
        .anyMatch(
            frame ->
                frame.getClassName().equals(PinnedService.class.getName())
                    && frame.getMethodName().equals("request"));
  }
}
