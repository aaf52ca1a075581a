package dev.catnap.agent.testing;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/** Very many virtual threads that sleep, lock, park and yield; prints how many came through. */
public final class Storm {
  private static final int THREADS = 50_000;
  private static final ReentrantLock LOCK = new ReentrantLock();
  private static final Object MONITOR = new Object();
  private static int underLock;
  private static int underMonitor;

  private Storm() {}

  /** Ends when {@code main} does, if no thread of the scheduler holds the JVM. */
  public static void main(String[] arguments) throws Exception {
    LongAdder done = new LongAdder();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < THREADS; i++) {
        int millis = i % 20;
        var ignored =
            threads.submit(
                () -> {
                  live(millis);
                  done.increment();
                  return null;
                });
      }
    }
    System.out.println(
        "done " + done + ", under the lock " + underLock + ", under the monitor " + underMonitor);
    System.out.println("through a socket " + throughSocket());
  }

  private static void live(int millis) throws InterruptedException {
    Thread.sleep(millis);
    LOCK.lock();
    try {
      underLock++;
    } finally {
      LOCK.unlock();
    }
    synchronized (MONITOR) {
      underMonitor++;
    }
    LockSupport.parkNanos(1000);
    Thread.yield();
  }

  private static int throughSocket() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var received =
          threads.submit(
              () -> {
                try (Socket socket = server.accept()) {
                  return socket.getInputStream().read();
                }
              });
      var sent =
          threads.submit(
              () -> {
                try (Socket socket =
                    new Socket(InetAddress.getLoopbackAddress(), server.getLocalPort())) {
                  socket.getOutputStream().write(42);
                }
                return null;
              });
      sent.get();
      return received.get();
    }
  }
}
