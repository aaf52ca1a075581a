package dev.catnap.loom.programs;

import java.util.LinkedHashMap;
import java.util.Map;

/** All storms, by name. As a main class: on whatever carries virtual threads in this JVM. */
public final class Storms {
  /** How many times as much as in the build: system property {@code catnap.stress.scale}. */
  public static final int SCALE = Integer.getInteger("catnap.stress.scale", 1);

  private Storms() {}

  /** In the order in which they run; with a scale of 50 there are a million threads at once. */
  public static Map<String, Storm> all() {
    Map<String, Storm> storms = new LinkedHashMap<>();
    storms.put("parks", new ParkStorm(200, 20, 10 * SCALE));
    storms.put("sleeps", new SleepStorm(2_000 * SCALE));
    storms.put("timed waits", new TimedWaitStorm(100 * SCALE));
    storms.put("monitors", new MonitorStorm(200, 50 * SCALE));
    // Not more threads: see there.
    storms.put("wait and notify", new WaitNotifyStorm(40, 50 * SCALE));
    storms.put("locks", new LockStorm(100, 20 * SCALE));
    storms.put("a tree", new TreeStorm(SCALE < 10 ? 10_000 : 1_000_000));
    storms.put("a multitude", new MultitudeStorm(20_000 * SCALE));
    storms.put("echo", new EchoStorm(50, 40 * SCALE)); // not more sockets
    return storms;
  }

  /** Prints the account of each. */
  public static void main(String[] arguments) throws Exception {
    for (Map.Entry<String, Storm> storm : all().entrySet()) {
      String account = storm.getValue().run(Thread.ofVirtual().factory());
      System.out.println(storm.getKey() + ": " + account);
    }
  }
}
