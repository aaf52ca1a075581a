package dev.catnap.benchmarks.http;

/** As each is set up by its own documentation, on a free port of the loopback interface. */
public enum Server {
  HELIDON {
    @Override
    Running start() {
      return HelidonServer.start();
    }
  },

  JETTY {
    @Override
    Running start() throws Exception {
      return JettyServer.start();
    }
  },

  TOMCAT {
    @Override
    Running start() throws Exception {
      return TomcatServer.start();
    }
  },

  /** The only one that serves by coroutines. */
  KTOR {
    @Override
    Running start() {
      return KtorServer.start();
    }
  };

  static final String HOST = "127.0.0.1";

  /** Serves every endpoint until it is closed. */
  interface Running extends AutoCloseable {
    int port();

    @Override
    void close();
  }

  abstract Running start() throws Exception;
}
