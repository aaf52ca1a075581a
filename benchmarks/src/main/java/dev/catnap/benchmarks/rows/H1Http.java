package dev.catnap.benchmarks.rows;

import dev.catnap.benchmarks.http.Endpoint;
import dev.catnap.benchmarks.http.Server;
import dev.catnap.benchmarks.http.ServerProcess;
import dev.catnap.benchmarks.http.Wrk;
import dev.catnap.benchmarks.measure.Readings;
import dev.catnap.benchmarks.peers.ServerPeer;
import dev.catnap.benchmarks.plan.Case;
import dev.catnap.benchmarks.plan.Family;
import dev.catnap.benchmarks.plan.Lineup;
import dev.catnap.benchmarks.plan.Metric;
import dev.catnap.benchmarks.plan.Ratio;
import dev.catnap.benchmarks.plan.Row;
import dev.catnap.benchmarks.plan.Scale;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Stock HTTP servers under load by wrk, which shares the processors with them. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class H1Http {
  static final Row ROW =
      new Row("H1", "stock HTTP servers, with and without the agent", Family.OTHER, cases());

  /**
   * What a fork takes longer than one of other rows, on average: start, warm-up, longer iterations;
   * and a third of them have two servers to warm up.
   */
  public static final int SECONDS_BESIDE = 24;

  /** Before anything is measured; besides JMH's own. */
  private static final int WARM_UP_SECONDS = 10;

  /** Of an operation. */
  private static final int SECONDS = 1;

  private static final int CALIBRATION_SECONDS = 2;

  /** Of what the stock server answers, and of the wait: each corrects the one before. */
  private static final int TRIALS = 3;

  /** 0 would be no waiting at all. */
  private static final double SHORTEST_THINK_MILLIS = 0.1;

  private static final double MILLIS_PER_SECOND = 1e3;

  /** How many requests come. */
  public enum Load {
    /** As many as are answered. */
    FULL,
    /**
     * Half of what the stock server answers, whoever is measured: half of one's own would be more
     * of whoever answers more, and latencies are those of a load.
     */
    HALF
  }

  /** Set by JMH. */
  @Param public ServerPeer scheduler = ServerPeer.CATNAP;

  /** Set by JMH. */
  @Param("2")
  public int workers;

  /** Set by JMH. */
  @Param public Server server = Server.HELIDON;

  /** Set by JMH. */
  @Param public Endpoint endpoint = Endpoint.HELLO;

  /** Set by JMH. */
  @Param public Load load = Load.FULL;

  private ServerProcess process;
  private String url;
  private double thinkMillis;

  private static List<Case> cases() {
    List<Case> cases = new ArrayList<>();
    for (Endpoint endpoint : Endpoint.values()) {
      cases.add(program(Server.HELIDON, endpoint, Load.FULL));
    }
    cases.add(program(Server.HELIDON, Endpoint.HELLO, Load.HALF));
    cases.add(program(Server.HELIDON, Endpoint.PAUSE, Load.HALF));
    for (Server server : List.of(Server.JETTY, Server.TOMCAT, Server.KTOR)) {
      cases.add(program(server, Endpoint.HELLO, Load.FULL));
      cases.add(program(server, Endpoint.PAUSE, Load.FULL));
      cases.add(program(server, Endpoint.PAUSE, Load.HALF));
    }
    return cases;
  }

  private static Case program(Server server, Endpoint endpoint, Load load) {
    List<Ratio> ratios = new ArrayList<>();
    if (load == Load.FULL) {
      ratios.add(Ratio.bestPeer(Metric.REQUEST_TIME).atLeast(1));
    }
    ratios.add(Ratio.bestPeer(Metric.REQUEST_CPU).atLeast(1));
    ratios.add(Ratio.bestPeer(Metric.REQUEST_P50).atLeast(1));
    ratios.add(Ratio.bestPeer(Metric.REQUEST_P99).atLeast(1));
    return new Case(
        name(server, endpoint, load),
        H1Http.class,
        "serve",
        Map.of("server", server.name(), "endpoint", endpoint.name(), "load", load.name()),
        new Lineup(ServerPeer.CATNAP, List.of(ServerPeer.STOCK), null),
        List.of(
            Metric.REQUEST_TIME,
            Metric.REQUEST_CPU,
            Metric.REQUEST_P50,
            Metric.REQUEST_P99,
            Metric.REQUEST_RATE),
        ratios);
  }

  private static String name(Server server, Endpoint endpoint, Load load) {
    String capitalised =
        server.name().charAt(0) + server.name().substring(1).toLowerCase(Locale.ROOT);
    return capitalised + " " + endpoint.path() + (load == Load.HALF ? ", half of the load" : "");
  }

  /** Once per fork. */
  @Setup
  public void start() throws IOException, InterruptedException {
    double stockPerSecond = load == Load.FULL ? 0 : stockPerSecond();
    process = ServerProcess.start(server, scheduler, workers);
    url = process.url(endpoint);
    check();
    warmUp(url);
    thinkMillis = load == Load.FULL ? 0 : thinkMillis(stockPerSecond / 2);
  }

  /** The best of several: half of what a disturbed one answers would be hardly any load. */
  private double stockPerSecond() throws IOException, InterruptedException {
    try (ServerProcess stock = ServerProcess.start(server, ServerPeer.STOCK, workers)) {
      warmUp(stock.url(endpoint));
      double most = 0;
      for (int i = 0; i < TRIALS; i++) {
        most = Math.max(most, Wrk.run(stock.url(endpoint), CALIBRATION_SECONDS, 0).perSecond());
      }
      return most;
    }
  }

  private static void warmUp(String url) throws IOException, InterruptedException {
    int seconds = Scale.of(WARM_UP_SECONDS);
    if (seconds > 0) {
      Wrk.run(url, seconds, 0);
    }
  }

  /**
   * What an answer takes, and how late wrk sends the next request, depends on the load: so by
   * trial.
   */
  private double thinkMillis(double perSecond) throws IOException, InterruptedException {
    double cycleMillis = cycleMillis(perSecond);
    double think = cycleMillis;
    for (int i = 0; i < TRIALS; i++) {
      double actual = cycleMillis(Wrk.run(url, CALIBRATION_SECONDS, think).perSecond());
      think = Math.max(SHORTEST_THINK_MILLIS, think + cycleMillis - actual);
    }
    return think;
  }

  /** From one request of a connection to the next. */
  private static double cycleMillis(double perSecond) {
    return MILLIS_PER_SECOND * Wrk.CONNECTIONS / perSecond;
  }

  /** That it serves, and what it should. */
  private void check() throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> response =
          client.send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString());
      if (!response.body().equals(endpoint.compute())) {
        throw new IllegalStateException(url + " answers " + response + ": " + response.body());
      }
    }
  }

  /** Once per fork. */
  @TearDown
  public void stop() throws IOException {
    process.close();
  }

  /** A second of requests. */
  @Benchmark
  public long serve() throws IOException, InterruptedException {
    long before = process.cpuTime().toNanos();
    Wrk.Result result = Wrk.run(url, SECONDS, thinkMillis);
    double cpuMicros = (process.cpuTime().toNanos() - before) / MILLIS_PER_SECOND;
    Readings.record(Readings.REQUEST_TIME, (double) result.micros() / result.requests());
    Readings.record(Readings.REQUEST_CPU, cpuMicros / result.requests());
    Readings.record(Readings.REQUEST_P50, (double) result.p50Micros());
    Readings.record(Readings.REQUEST_P99, (double) result.p99Micros());
    Readings.record(Readings.REQUEST_RATE, result.perSecond());
    return result.requests();
  }
}
