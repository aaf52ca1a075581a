package dev.catnap.loom.testing;

import dev.catnap.loom.CarrierPool;
import java.lang.reflect.Field;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.stream.Stream;
import jdk.internal.vm.ThreadContainer;
import jdk.internal.vm.ThreadContainers;

/** Uses the network on a pool before anybody else, and prints who polls for it. */
public final class PollersProbe {
  private PollersProbe() {}

  /** Half of the time for which a pool that is made waits for them: it takes some 50 ms. */
  private static final long SOON_NANOS = 5_000_000_000L;

  /** A server and a client on the pool. */
  public static void main(String[] args) throws Exception {
    long start = System.nanoTime();
    CarrierPool.create().close();
    System.out.println("made soon: " + (System.nanoTime() - start < SOON_NANOS));
    try (CarrierPool pool = CarrierPool.create();
        ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int[] received = new int[1];
      Thread reader =
          pool.ofVirtual()
              .start(
                  () -> {
                    try (Socket socket = server.accept()) {
                      received[0] = socket.getInputStream().read();
                    } catch (java.io.IOException e) {
                      throw new AssertionError(e);
                    }
                  });
      Object scheduler = schedulerOf(reader);
      try (Socket socket = new Socket(server.getInetAddress(), server.getLocalPort())) {
        Deadline.until("it waits", () -> reader.getState() == Thread.State.WAITING);
        long onPool =
            all(ThreadContainers.root())
                .filter(t -> t.isVirtual() && t.getName().contains("oller"))
                .filter(t -> schedulerOf(t) == scheduler)
                .count();
        System.out.println("virtual pollers on the pool: " + onPool);
        socket.getOutputStream().write(42);
        Deadline.join(reader);
      }
      System.out.println("received " + received[0]);
    }
  }

  private static Stream<Thread> all(ThreadContainer container) {
    return Stream.concat(container.threads(), container.children().flatMap(child -> all(child)));
  }

  private static Object schedulerOf(Thread thread) {
    try {
      Field field = Class.forName("java.lang.VirtualThread").getDeclaredField("scheduler");
      field.setAccessible(true);
      return field.get(thread);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }
}
