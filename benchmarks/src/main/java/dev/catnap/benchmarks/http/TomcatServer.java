package dev.catnap.benchmarks.http;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.coyote.AbstractProtocol;
import org.apache.tomcat.util.threads.VirtualThreadExecutor;

/** Embedded Tomcat: platform threads wait for connections, virtual threads handle requests. */
final class TomcatServer implements Server.Running {
  /** By default Tomcat closes a connection after 100 requests; here requests are what counts. */
  private static final String AS_MANY_AS_COME = "-1";

  private final Tomcat tomcat;
  private final Path folder;

  private TomcatServer(Tomcat tomcat, Path folder) {
    this.tomcat = tomcat;
    this.folder = folder;
  }

  static TomcatServer start() throws IOException, LifecycleException {
    Path folder = Files.createTempDirectory("tomcat");
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(folder.toString());
    tomcat.setHostname(Server.HOST);
    tomcat.setPort(0);
    Connector connector = tomcat.getConnector();
    connector.setProperty("address", Server.HOST);
    connector.setProperty("maxKeepAliveRequests", AS_MANY_AS_COME);
    ((AbstractProtocol<?>) connector.getProtocolHandler())
        .setExecutor(new VirtualThreadExecutor("tomcat-"));
    Context context = tomcat.addContext("", folder.toString());
    for (Endpoint endpoint : Endpoint.values()) {
      Tomcat.addServlet(context, endpoint.name(), new Serving(endpoint))
          .addMapping(endpoint.path());
    }
    tomcat.start();
    return new TomcatServer(tomcat, folder);
  }

  @Override
  public int port() {
    return tomcat.getConnector().getLocalPort();
  }

  @Override
  public void close() {
    try {
      tomcat.stop();
      tomcat.destroy();
      deleteFolder();
    } catch (LifecycleException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private void deleteFolder() throws IOException {
    List<Path> files;
    try (Stream<Path> walk = Files.walk(folder)) {
      files = walk.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path file : files) {
      Files.delete(file);
    }
  }

  private static final class Serving extends HttpServlet {
    private static final long serialVersionUID = 1;

    private final Endpoint endpoint;

    Serving(Endpoint endpoint) {
      this.endpoint = endpoint;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      try {
        response.setContentType("text/plain");
        response.getWriter().write(endpoint.serve());
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    }
  }
}
