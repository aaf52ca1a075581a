package dev.catnap.samples.board;

import dev.catnap.loom.CarrierPool;
import dev.catnap.samples.web.Calls;
import java.util.concurrent.ExecutorService;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.component.LifeCycle;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/**
 * A message board on Jetty. Some platform threads of Jetty's accept connections and wait for them
 * to become readable; requests are handled by virtual threads of the pool.
 */
final class BoardServer implements AutoCloseable {
  private static final int PLATFORM_THREADS = 8;
  private static final int BACKLOG = 1024;
  private static final int GRACE_MILLIS = 5_000;

  private final Board board = new Board();
  private final Calls calls;
  private final ExecutorService threads;
  private final Server server;
  private final ServerConnector connector;

  private BoardServer(CarrierPool pool) {
    calls = new Calls(pool);
    threads = pool.newThreadPerTaskExecutor();
    QueuedThreadPool platform = new QueuedThreadPool(PLATFORM_THREADS);
    platform.setVirtualThreadsExecutor(threads); // all it takes
    server = new Server(platform);
    connector = new ServerConnector(server, 1, 1);
    connector.setHost("127.0.0.1");
    connector.setAcceptQueueSize(BACKLOG);
    server.addConnector(connector);
    server.setHandler(new GracefulHandler(new BoardHandler(board, calls)));
    server.setStopTimeout(GRACE_MILLIS);
  }

  /**
   * Opens the board.
   *
   * @param pool carries the handlers, and outlives the server
   * @param port 0 is any that is free
   * @return the server
   * @throws java.io.IOException if the port is taken
   * @throws Exception if Jetty cannot start for another reason
   */
  static BoardServer start(CarrierPool pool, int port) throws Exception {
    BoardServer server = new BoardServer(pool);
    server.connector.setPort(port);
    try {
      server.server.start();
    } catch (Exception e) {
      server.close();
      throw e;
    }
    return server;
  }

  int port() {
    return connector.getLocalPort();
  }

  Calls calls() {
    return calls;
  }

  /**
   * Takes no more requests, answers those who wait, lets requests under way end for some seconds,
   * and ends all threads.
   */
  @Override
  public void close() {
    board.close();
    LifeCycle.stop(server);
    threads.shutdownNow();
    threads.close();
  }
}
