package dev.catnap.loom;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.catnap.loom.testing.Deadline;
import dev.catnap.loom.testing.NoThreadLeft;
import dev.catnap.loom.testing.Side;
import dev.catnap.loom.testing.Side.VirtualThreads;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Exchanger;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** G12: an interrupt ends each wait in the same way on the JDK's scheduler and here. */
@ExtendWith(NoThreadLeft.class)
class InterruptedWaitsTest {
  private static final String THROWS = "InterruptedException, flag false";
  private static final String RETURNS = "returned, flag true";

  private interface Wait {
    void run() throws Exception;
  }

  /** How it waits, and how that ends. */
  private record Case(Wait body, String end) {}

  @SuppressWarnings({"LockNotBeforeTry", "WaitNotInLoop"}) // nobody unlocks or notifies
  private static Map<String, Case> cases() {
    ReentrantLock held = new ReentrantLock();
    held.lock();
    ReentrantLock free = new ReentrantLock();
    Condition condition = free.newCondition();
    Object monitor = new Object();
    Map<String, Case> cases = new LinkedHashMap<>();
    cases.put("park", new Case(LockSupport::park, RETURNS));
    cases.put("parkNanos", new Case(() -> LockSupport.parkNanos(hour()), RETURNS));
    cases.put("sleep", new Case(() -> TimeUnit.HOURS.sleep(1), THROWS));
    cases.put("wait", new Case(() -> waitOn(monitor, 0), THROWS));
    cases.put("timed wait", new Case(() -> waitOn(monitor, 3_600_000), THROWS));
    cases.put("join", new Case(Thread.currentThread()::join, THROWS));
    cases.put("lockInterruptibly", new Case(held::lockInterruptibly, THROWS));
    cases.put("tryLock", new Case(() -> held.tryLock(1, TimeUnit.HOURS), THROWS));
    cases.put("Condition.await", new Case(() -> awaitOn(free, condition::await), THROWS));
    cases.put(
        "Condition.awaitNanos",
        new Case(() -> awaitOn(free, () -> condition.awaitNanos(hour())), THROWS));
    cases.put("CountDownLatch", new Case(new CountDownLatch(1)::await, THROWS));
    cases.put("Semaphore", new Case(new Semaphore(0)::acquire, THROWS));
    cases.put("BlockingQueue", new Case(new LinkedBlockingQueue<>()::take, THROWS));
    cases.put("SynchronousQueue", new Case(() -> new SynchronousQueue<>().put(1), THROWS));
    cases.put("Exchanger", new Case(() -> new Exchanger<>().exchange(1), THROWS));
    cases.put("Future", new Case(new CompletableFuture<>()::get, THROWS));
    cases.put("accept", new Case(InterruptedWaitsTest::accept, "SocketException, flag true"));
    return cases;
  }

  private static long hour() {
    return TimeUnit.HOURS.toNanos(1);
  }

  @SuppressWarnings("WaitNotInLoop") // nobody notifies
  private static void waitOn(Object monitor, long millis) throws InterruptedException {
    synchronized (monitor) {
      monitor.wait(millis);
    }
  }

  private static void awaitOn(ReentrantLock lock, Wait condition) throws Exception {
    lock.lock();
    try {
      condition.run();
    } finally {
      lock.unlock();
    }
  }

  /** Of a virtual thread, the JDK closes the socket. */
  private static void accept() throws IOException {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      server.accept().close();
    }
  }

  static Stream<Arguments> casesOnEachSide() {
    return Side.available().stream()
        .flatMap(side -> cases().keySet().stream().map(name -> Arguments.of(name, side)));
  }

  @ParameterizedTest
  @MethodSource("casesOnEachSide")
  void whileItWaits(String name, Side side) {
    Case tried = cases().get(name);
    AtomicReference<String> end = new AtomicReference<>();
    try (VirtualThreads on = side.open(1)) {
      Thread thread = on.ofVirtual().start(() -> end.set(endOf(tried.body)));
      Deadline.until(
          "it waits",
          () ->
              thread.getState() == Thread.State.WAITING
                  || thread.getState() == Thread.State.TIMED_WAITING);
      thread.interrupt();
      Deadline.join(thread);
    }
    assertEquals(tried.end, end.get());
  }

  @ParameterizedTest
  @MethodSource("casesOnEachSide")
  void beforeItWaits(String name, Side side) {
    Case tried = cases().get(name);
    AtomicReference<String> end = new AtomicReference<>();
    try (VirtualThreads on = side.open(1)) {
      Deadline.join(
          on.ofVirtual()
              .start(
                  () -> {
                    Thread.currentThread().interrupt();
                    end.set(endOf(tried.body));
                  }));
    }
    assertEquals(tried.end, end.get());
  }

  private static String endOf(Wait wait) {
    String how;
    try {
      wait.run();
      how = "returned";
    } catch (InterruptedException | SocketException e) {
      how = e.getClass().getSimpleName();
    } catch (Exception e) {
      how = e.toString();
    }
    return how + ", flag " + Thread.currentThread().isInterrupted();
  }
}
