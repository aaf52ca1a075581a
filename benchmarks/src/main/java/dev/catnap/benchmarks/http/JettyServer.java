package dev.catnap.benchmarks.http;

import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.pathmap.PathSpec;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.PathMappingsHandler;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.VirtualThreads;
import org.eclipse.jetty.util.component.LifeCycle;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** Jetty: platform threads wait for connections, virtual threads handle requests. */
final class JettyServer implements Server.Running {
  private final org.eclipse.jetty.server.Server server;
  private final ServerConnector connector;

  private JettyServer(org.eclipse.jetty.server.Server server, ServerConnector connector) {
    this.server = server;
    this.connector = connector;
  }

  static JettyServer start() throws Exception {
    QueuedThreadPool threads = new QueuedThreadPool();
    threads.setVirtualThreadsExecutor(VirtualThreads.getDefaultVirtualThreadsExecutor());
    var server = new org.eclipse.jetty.server.Server(threads);
    ServerConnector connector = new ServerConnector(server);
    connector.setHost(Server.HOST);
    server.addConnector(connector);
    PathMappingsHandler handlers = new PathMappingsHandler();
    for (Endpoint endpoint : Endpoint.values()) {
      handlers.addMapping(PathSpec.from(endpoint.path()), new Serving(endpoint));
    }
    server.setHandler(handlers);
    server.start();
    return new JettyServer(server, connector);
  }

  @Override
  public int port() {
    return connector.getLocalPort();
  }

  @Override
  public void close() {
    LifeCycle.stop(server);
  }

  private static final class Serving extends Handler.Abstract {
    private final Endpoint endpoint;

    Serving(Endpoint endpoint) {
      this.endpoint = endpoint;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback)
        throws InterruptedException {
      response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/plain");
      Content.Sink.write(response, true, endpoint.serve(), callback);
      return true;
    }
  }
}
