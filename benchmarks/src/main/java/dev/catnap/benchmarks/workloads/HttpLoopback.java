package dev.catnap.benchmarks.workloads;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * An HTTP server and its clients on the loopback interface, with a virtual thread for each end of
 * each connection, all on the same scheduler. Clients on platform threads would share the two cores
 * with what is measured, and the kernel's scheduler would decide the outcome.
 */
public final class HttpLoopback {
  /** Nobody waits that long for a connection on an interface that cannot lose one. */
  private static final int PATIENCE_MILLIS = 60_000;

  private final Supplier<Thread.Builder.OfVirtual> threads;
  private final int connections;

  private HttpLoopback(Supplier<Thread.Builder.OfVirtual> threads, int connections) {
    this.threads = threads;
    this.connections = connections;
  }

  /** What a client does with its connection. */
  @FunctionalInterface
  private interface Client {
    void use(HttpConnection connection, int number) throws Exception;
  }

  /**
   * Closed loop: every client sends its next request when it has the reply to the last.
   *
   * @param threads makes virtual threads
   * @param connections how many clients, at the same time
   * @param requests of each client
   * @return the sum of the replies
   * @throws IOException if there is no socket to be had
   * @throws InterruptedException if interrupted
   */
  public static long closedLoop(
      Supplier<Thread.Builder.OfVirtual> threads, int connections, int requests)
      throws IOException, InterruptedException {
    long[] sums = new long[connections];
    new HttpLoopback(threads, connections)
        .run(
            (connection, client) -> {
              for (int i = 0; i < requests; i++) {
                sums[client] += connection.get(i);
              }
            });
    return Check.eachIs((long) requests * (requests + 1) / 2, sums);
  }

  /**
   * Open loop: every request has a time at which it is due, all of them at equal distances, and its
   * latency is counted from there until its reply is read. A client that is late, because the reply
   * before came late or because it was woken late, sends at once; what it is late by is part of the
   * latency (no coordinated omission).
   *
   * @param threads makes virtual threads
   * @param connections how many clients, which take turns
   * @param requests of each client
   * @param perSecond how many requests are due in a second, of all clients together
   * @return all latencies in nanoseconds
   * @throws IOException if there is no socket to be had
   * @throws InterruptedException if interrupted
   */
  public static long[] openLoop(
      Supplier<Thread.Builder.OfVirtual> threads, int connections, int requests, int perSecond)
      throws IOException, InterruptedException {
    long interval = TimeUnit.SECONDS.toNanos(1) / perSecond;
    long[] latencies = new long[connections * requests];
    long[] sums = new long[connections];
    Start start = new Start(connections);
    new HttpLoopback(threads, connections)
        .run(
            (connection, client) -> {
              long begin = start.await();
              for (int i = 0; i < requests; i++) {
                int request = i * connections + client;
                long due = begin + request * interval;
                sleepUntil(due);
                sums[client] += connection.get(i);
                latencies[request] = System.nanoTime() - due;
              }
            });
    Check.eachIs((long) requests * (requests + 1) / 2, sums);
    return latencies;
  }

  private void run(Client client) throws IOException, InterruptedException {
    try (ServerSocket server = new ServerSocket(0, connections, InetAddress.getLoopbackAddress())) {
      server.setSoTimeout(PATIENCE_MILLIS);
      Crew acceptor = new Crew(threads);
      acceptor.start(() -> serve(server));
      Crew clients = new Crew(threads);
      for (int c = 0; c < connections; c++) {
        int number = c;
        clients.start(
            () -> {
              try (HttpConnection connection = HttpConnection.to(server.getLocalPort())) {
                client.use(connection, number);
              }
            });
      }
      clients.join();
      acceptor.join();
    }
  }

  private void serve(ServerSocket server) throws IOException, InterruptedException {
    Crew served = new Crew(threads);
    for (int c = 0; c < connections; c++) {
      HttpConnection connection = new HttpConnection(server.accept());
      served.start(
          () -> {
            try (connection) {
              connection.serve();
            }
          });
    }
    served.join();
  }

  private static void sleepUntil(long time) {
    for (long left = time - System.nanoTime(); left > 0; left = time - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  /** The time from which requests are due: when all clients are connected. */
  private static final class Start {
    private final CyclicBarrier barrier;
    private long time; // written by the last to arrive, read by those whom it releases

    Start(int clients) {
      barrier = new CyclicBarrier(clients, () -> time = System.nanoTime());
    }

    long await() throws InterruptedException, BrokenBarrierException, TimeoutException {
      barrier.await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
      return time;
    }
  }
}
