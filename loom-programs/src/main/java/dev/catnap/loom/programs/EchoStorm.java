package dev.catnap.loom.programs;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.LongAdder;

/** A server on the loopback interface, a thread for each end of each connection. */
record EchoStorm(int connections, int messages) implements Storm {

  @Override
  public String run(ThreadFactory factory) throws InterruptedException, IOException {
    LongAdder echoed = new LongAdder();
    LongAdder answered = new LongAdder();
    try (ServerSocket server = new ServerSocket(0, connections, InetAddress.getLoopbackAddress())) {
      Crowd crowd = new Crowd(factory);
      crowd.start(
          () -> {
            for (int i = 0; i < connections; i++) {
              Socket socket = server.accept();
              crowd.start(() -> echo(socket, echoed));
            }
          });
      for (int i = 0; i < connections; i++) {
        int number = i;
        crowd.start(() -> ask(server, number, answered));
      }
      crowd.join();
      return account(crowd.account(), echoed.sum(), answered.sum());
    }
  }

  private static void echo(Socket accepted, LongAdder echoed) throws IOException {
    try (Socket socket = accepted) {
      DataInputStream in = new DataInputStream(socket.getInputStream());
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      for (int message = in.readInt(); message >= 0; message = in.readInt()) {
        out.writeInt(message);
        echoed.increment();
      }
    }
  }

  private void ask(ServerSocket server, int number, LongAdder answered) throws IOException {
    try (Socket socket = new Socket(server.getInetAddress(), server.getLocalPort())) {
      socket.setTcpNoDelay(true);
      DataInputStream in = new DataInputStream(socket.getInputStream());
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      for (int i = 0; i < messages; i++) {
        int message = number * messages + i;
        out.writeInt(message);
        if (in.readInt() == message) {
          answered.increment();
        }
      }
      out.writeInt(-1); // the end
    }
  }

  @Override
  public String expected() {
    long all = (long) connections * messages;
    return account(Crowd.complete(2L * connections + 1), all, all);
  }

  private static String account(String crowd, long echoed, long answered) {
    return crowd + ", echoed " + echoed + ", answered " + answered;
  }
}
