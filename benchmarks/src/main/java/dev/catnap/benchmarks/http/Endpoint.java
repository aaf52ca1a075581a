package dev.catnap.benchmarks.http;

import dev.catnap.benchmarks.workloads.Work;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** What the servers serve. Each answer is always the same, so that a client can check it. */
public enum Endpoint {
  /** Nothing but HTTP. */
  HELLO {
    @Override
    public String compute() {
      return "Hello, world!";
    }
  },

  /** Waits for 2 ms, as for a database, takes a lock, and works for 50 us. */
  PAUSE {
    @Override
    String serve() throws InterruptedException {
      Thread.sleep(PAUSE_MILLIS);
      LOCK.lock();
      try {
        enter();
      } finally {
        LOCK.unlock();
      }
      return compute();
    }

    @Override
    public String compute() {
      return Long.toString(Work.compute(0, 50));
    }
  },

  /** Starts eight others, each of which waits for 1 ms and works for 20 us. */
  FAN {
    @Override
    String serve() throws InterruptedException {
      long[] parts = new long[FAN_WIDTH];
      Thread[] threads = new Thread[FAN_WIDTH];
      for (int i = 0; i < FAN_WIDTH; i++) {
        int index = i;
        threads[i] = Thread.startVirtualThread(() -> parts[index] = serveFanPart(index));
      }
      long sum = 0;
      for (int i = 0; i < FAN_WIDTH; i++) {
        threads[i].join();
        sum += parts[i];
      }
      return Long.toString(sum);
    }

    @Override
    public String compute() {
      long sum = 0;
      for (int i = 0; i < FAN_WIDTH; i++) {
        sum += computeFanPart(i);
      }
      return Long.toString(sum);
    }
  },

  /** Works for 200 us. */
  WORK {
    @Override
    public String compute() {
      return Long.toString(Work.compute(0, 200));
    }
  };

  static final int PAUSE_MILLIS = 2;
  static final int FAN_WIDTH = 8;
  static final int FAN_MILLIS = 1;
  private static final int FAN_MICROS = 20;

  private static final Lock LOCK = new ReentrantLock();

  private static final AtomicInteger ENTERED = new AtomicInteger();

  /**
   * Where it is.
   *
   * @return such as {@code /hello}
   */
  public String path() {
    return "/" + name().toLowerCase(Locale.ROOT);
  }

  /** In a virtual thread, as often as somebody asks. */
  String serve() throws InterruptedException {
    return compute();
  }

  /**
   * The answer, without what a server waits for.
   *
   * @return its body
   */
  public abstract String compute();

  /** What {@link #PAUSE} does under its lock, that of the server if it has one of its own. */
  static void enter() {
    ENTERED.incrementAndGet();
  }

  /** How often that was. */
  static int entered() {
    return ENTERED.get();
  }

  static long computeFanPart(int index) {
    return Work.compute(index, FAN_MICROS);
  }

  private static long serveFanPart(int index) {
    try {
      Thread.sleep(FAN_MILLIS);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return computeFanPart(index);
  }
}
