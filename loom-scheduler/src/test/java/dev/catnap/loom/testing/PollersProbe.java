package dev.catnap.loom.testing;

import dev.catnap.Flavor;
import dev.catnap.loom.CarrierPool;
import java.io.IOException;
import java.lang.reflect.Field;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.stream.Stream;
import jdk.internal.vm.ThreadContainer;
import jdk.internal.vm.ThreadContainers;

/** Opens pools before anybody uses the network, and prints who polls for it. */
public final class PollersProbe {
  private PollersProbe() {}

  /** Half of the time for which a pool that is made waits for them: it takes some 50 ms. */
  private static final long SOON_NANOS = 5_000_000_000L;

  /** In a virtual thread, if an argument is given: the only one that its scheduler has room for. */
  public static void main(String[] args) throws Exception {
    long start = System.nanoTime();
    Runnable make = PollersProbe::openPerCore;
    if (args.length == 0) {
      make.run();
    } else {
      Deadline.join(Thread.ofVirtual().start(make));
    }
    System.out.println("made soon: " + (System.nanoTime() - start < SOON_NANOS));
    try (Wire wire = new Wire()) {
      try (CarrierPool perCore = perCore()) {
        System.out.println("received on a core " + wire.receiveIn(perCore.ofVirtual()));
        System.out.println("pollers that belong to a core: " + pollersOfOthers());
      }
      try (CarrierPool pool = CarrierPool.create()) {
        System.out.println("received by the pool " + wire.receiveIn(pool.ofVirtual()));
        System.out.println("pollers that belong to the pool: " + pollersOf(pool));
        awaitParkedPollers();
        long before = executed(pool);
        System.out.println("received elsewhere " + wire.receiveIn(Thread.ofVirtual()));
        System.out.println("the only pool polls: " + (executed(pool) > before));
        try (CarrierPool second = CarrierPool.create()) {
          awaitParkedPollers(); // the first pool carried them until now
          before = executed(pool) + executed(second);
          System.out.println("received " + wire.receiveIn(Thread.ofVirtual()));
          System.out.println("one of two polls: " + (executed(pool) + executed(second) > before));
        }
      }
      System.out.println("received without a pool " + wire.receiveIn(Thread.ofVirtual()));
    }
  }

  /** The flavor that never carries them keeps them from its workers all the same. */
  private static CarrierPool perCore() {
    return CarrierPool.builder().flavor(Flavor.THREAD_PER_CORE).parallelism(2).build();
  }

  private static void openPerCore() {
    perCore().close();
  }

  /** One that still runs would look again by itself, wherever it does. */
  private static void awaitParkedPollers() {
    Deadline.until(
        "the pollers park", () -> pollers().allMatch(t -> t.getState() == Thread.State.WAITING));
  }

  private static long executed(CarrierPool pool) {
    return pool.scheduler().stats().executed();
  }

  private static long pollersOf(CarrierPool pool) {
    Object scheduler = schedulerOf(pool.ofVirtual().unstarted(() -> {}));
    return pollers().filter(t -> schedulerOf(t) == scheduler).count();
  }

  private static long pollersOfOthers() {
    return pollers()
        .filter(t -> !schedulerOf(t).getClass().getSimpleName().equals("PollerScheduler"))
        .count();
  }

  private static Stream<Thread> pollers() {
    return all(ThreadContainers.root()).filter(t -> t.isVirtual() && t.getName().contains("oller"));
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

  /** Both ends of a connection. */
  private static final class Wire implements AutoCloseable {
    private final Socket from;
    private final Socket to;

    Wire() throws IOException {
      try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        from = new Socket(server.getInetAddress(), server.getLocalPort());
        to = server.accept();
      }
    }

    /** A byte that is sent when the receiver waits for it. */
    int receiveIn(Thread.Builder.OfVirtual where) throws IOException {
      int[] received = new int[1];
      Thread reader =
          where.start(
              () -> {
                try {
                  received[0] = to.getInputStream().read();
                } catch (IOException e) {
                  throw new AssertionError(e);
                }
              });
      Deadline.until("it waits", () -> reader.getState() == Thread.State.WAITING);
      from.getOutputStream().write(42);
      Deadline.join(reader);
      return received[0];
    }

    @Override
    public void close() throws IOException {
      from.close();
      to.close();
    }
  }
}
