package dev.catnap.samples.guide;

import dev.catnap.loom.CarrierPool;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.stream.IntStream;

/** Blocking sockets in virtual threads on Catnap: a server that adds one, and its clients. */
public class SocketsOnCatnap {
  private static final int CLIENTS = 100;

  public static void main(String[] args) throws Exception {
    try (CarrierPool pool = CarrierPool.builder().name("hello").build();
        ServerSocket server = new ServerSocket(0, CLIENTS, InetAddress.getLoopbackAddress())) {
      int sum = 0;
      try (ExecutorService threads = pool.newThreadPerTaskExecutor()) {
        var served = threads.submit(() -> serve(server, threads));
        var clients =
            IntStream.range(0, CLIENTS).<Callable<Integer>>mapToObj(n -> () -> ask(server, n));
        for (var answer : threads.invokeAll(clients.toList())) {
          sum += answer.get();
        }
        served.get();
      }
      System.out.println(CLIENTS + " answers, in all " + sum);
    }
  }

  /** A virtual thread for each connection. */
  private static Void serve(ServerSocket server, ExecutorService threads) throws IOException {
    for (int i = 0; i < CLIENTS; i++) {
      Socket socket = server.accept(); // no worker waits for this
      var ignored =
          threads.submit(
              () -> {
                try (socket) {
                  socket.getOutputStream().write(socket.getInputStream().read() + 1);
                }
                return null;
              });
    }
    return null;
  }

  private static int ask(ServerSocket server, int number) throws IOException {
    try (Socket socket = new Socket(server.getInetAddress(), server.getLocalPort())) {
      socket.getOutputStream().write(number);
      return socket.getInputStream().read();
    }
  }
}
