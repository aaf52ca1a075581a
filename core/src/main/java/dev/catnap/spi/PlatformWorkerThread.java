package dev.catnap.spi;

/** The default: a platform thread that knows its worker. */
final class PlatformWorkerThread extends Thread implements WorkerThread {
  private final WorkerBody body;

  PlatformWorkerThread(WorkerBody body) {
    super(body.threadGroup(), null, body.threadName(), 0, false);
    this.body = body;
  }

  @Override
  public WorkerBody worker() {
    return body;
  }

  @Override
  public void run() {
    body.run();
  }
}
