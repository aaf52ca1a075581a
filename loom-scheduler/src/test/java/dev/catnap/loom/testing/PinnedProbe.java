package dev.catnap.loom.testing;

import dev.catnap.loom.CarrierPool;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import jdk.jfr.FlightRecorder;

/** Pins all carriers of a pool in a way that only a new JVM has, and runs another thread there. */
public final class PinnedProbe {
  private static final CountDownLatch RELEASE = new CountDownLatch(1);

  /** How a virtual thread is kept on its carrier. */
  public enum Kind {
    /** It waits inside a class initialiser. */
    CLASS_INITIALISER,
    /** It waits for a class whose initialiser does not end. */
    WAITING_FOR_CLASS_INITIALISER,
    /** It waits below a native frame. */
    NATIVE_FRAME
  }

  private PinnedProbe() {}

  /** Prints what came to its end. */
  public static void main(String[] args) {
    Kind kind = Kind.valueOf(args[0]);
    List<Runnable> pinned =
        switch (kind) {
          case CLASS_INITIALISER -> List.of(First::touch, Second::touch);
          case WAITING_FOR_CLASS_INITIALISER -> List.of(First::touch, First::touch);
          case NATIVE_FRAME ->
              List.of(PinnedProbe::throughReflection, PinnedProbe::throughReflection);
        };
    try (CarrierPool pool = CarrierPool.builder().parallelism(pinned.size()).build()) {
      CountDownLatch begun = new CountDownLatch(pinned.size());
      List<Thread> threads = new ArrayList<>();
      for (Runnable pin : pinned) {
        threads.add(
            pool.ofVirtual()
                .start(
                    () -> {
                      begun.countDown();
                      pin.run();
                    }));
      }
      Deadline.await("all are about to be pinned", begun);
      Deadline.join(pool.ofVirtual().start(Thread::yield));
      System.out.println("the other ran");
      // Its start takes 100 to 300 ms, in which nobody is relieved.
      System.out.println(FlightRecorder.isInitialized() ? "Flight Recorder" : "no Flight Recorder");
      RELEASE.countDown();
      Deadline.join(threads.toArray(Thread[]::new));
      System.out.println("the pinned ended");
    }
  }

  private static void throughReflection() {
    try {
      PinnedProbe.class.getMethod("await").invoke(null);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }

  /** Called by reflection. */
  public static void await() {
    Deadline.await("released", RELEASE);
  }

  private static final class First {
    static {
      await();
    }

    static void touch() {}
  }

  private static final class Second {
    static {
      await();
    }

    static void touch() {}
  }
}
