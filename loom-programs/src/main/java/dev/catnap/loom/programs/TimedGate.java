package dev.catnap.loom.programs;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/** Each way in which Java waits for something with a time limit. */
interface TimedGate {
  /** Whether it was open within the limit. */
  boolean await(long nanos) throws InterruptedException;

  /** For good; by the thread that made it. */
  void open();

  /** One of each, closed. */
  static List<TimedGate> ofEachKind() {
    return List.of(
        new Parked(),
        new Monitor(),
        new OnCondition(),
        new Lock(),
        new Latch(),
        new Permits(),
        new Result(),
        new Items());
  }

  /** {@code LockSupport.parkNanos}. */
  final class Parked implements TimedGate {
    private final Queue<Thread> waiting = new ConcurrentLinkedQueue<>();
    private volatile boolean open;

    @Override
    public boolean await(long nanos) {
      long end = System.nanoTime() + nanos;
      waiting.add(Thread.currentThread());
      while (!open && System.nanoTime() < end) {
        LockSupport.parkNanos(end - System.nanoTime());
      }
      return open;
    }

    @Override
    public void open() {
      open = true;
      waiting.forEach(LockSupport::unpark);
    }
  }

  /** {@code Object.wait}. */
  final class Monitor implements TimedGate {
    private boolean open;

    @Override
    public synchronized boolean await(long nanos) throws InterruptedException {
      long end = System.nanoTime() + nanos;
      while (!open && System.nanoTime() < end) {
        // Rounded up: whole milliseconds, and 0 would be for ever.
        wait(Duration.ofNanos(end - System.nanoTime()).toMillis() + 1);
      }
      return open;
    }

    @Override
    public synchronized void open() {
      open = true;
      notifyAll();
    }
  }

  /** {@code Condition.awaitNanos}. */
  final class OnCondition implements TimedGate {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition opened = lock.newCondition();
    private boolean open;

    @Override
    public boolean await(long nanos) throws InterruptedException {
      lock.lock();
      try {
        long left = nanos;
        while (!open && left > 0) {
          left = opened.awaitNanos(left);
        }
        return open;
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void open() {
      lock.lock();
      try {
        open = true;
        opened.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  /** {@code ReentrantLock.tryLock} of a lock that the maker of the gate holds. */
  final class Lock implements TimedGate {
    private final ReentrantLock lock = new ReentrantLock();

    Lock() {
      lock.lock();
    }

    @Override
    public boolean await(long nanos) throws InterruptedException {
      boolean locked = lock.tryLock(nanos, TimeUnit.NANOSECONDS);
      if (locked) {
        lock.unlock();
      }
      return locked;
    }

    @Override
    public void open() {
      lock.unlock();
    }
  }

  /** {@code CountDownLatch.await}. */
  final class Latch implements TimedGate {
    private final CountDownLatch latch = new CountDownLatch(1);

    @Override
    public boolean await(long nanos) throws InterruptedException {
      return latch.await(nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void open() {
      latch.countDown();
    }
  }

  /** {@code Semaphore.tryAcquire}. */
  final class Permits implements TimedGate {
    private final Semaphore permits = new Semaphore(0);

    @Override
    public boolean await(long nanos) throws InterruptedException {
      return permits.tryAcquire(nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void open() {
      permits.release(Integer.MAX_VALUE);
    }
  }

  /** {@code Future.get}. */
  final class Result implements TimedGate {
    private final CompletableFuture<Boolean> result = new CompletableFuture<>();

    @Override
    public boolean await(long nanos) throws InterruptedException {
      try {
        return result.get(nanos, TimeUnit.NANOSECONDS);
      } catch (TimeoutException e) {
        return false;
      } catch (ExecutionException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void open() {
      result.complete(true);
    }
  }

  /** {@code BlockingQueue.poll}; whoever gets the one item puts it back for the next. */
  final class Items implements TimedGate {
    private final LinkedBlockingQueue<Boolean> items = new LinkedBlockingQueue<>();

    @Override
    public boolean await(long nanos) throws InterruptedException {
      return items.poll(nanos, TimeUnit.NANOSECONDS) != null && items.add(true);
    }

    @Override
    public void open() {
      items.add(true);
    }
  }
}
