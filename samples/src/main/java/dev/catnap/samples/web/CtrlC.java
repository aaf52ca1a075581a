package dev.catnap.samples.web;

import java.util.concurrent.CountDownLatch;

/** How a server learns that it is to end. */
public final class CtrlC {
  private CtrlC() {}

  /** Waits for Ctrl-C; the JVM then ends no sooner than the calling thread, which closes all. */
  public static void await() throws InterruptedException {
    Thread closes = Thread.currentThread();
    var pressed = new CountDownLatch(1);
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  pressed.countDown();
                  try {
                    closes.join();
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                }));
    pressed.await();
  }
}
