package dev.catnap.benchmarks.peers;

import java.io.File;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What a stock server runs on. */
public enum ServerPeer implements Peer {
  /** The agent gives it Catnap's workers for its virtual threads and its dispatchers. */
  CATNAP {
    @Override
    public List<String> jvmArgs() {
      return List.of("-javaagent:" + agent() + "=virtual-threads,coroutines");
    }
  },

  /** What it comes with: the JDK's scheduler, or {@code Dispatchers.Default} and {@code IO}. */
  STOCK {
    @Override
    public List<String> jvmArgs() {
      return List.of();
    }
  };

  private static final Pattern AGENT = Pattern.compile(".*catnap-agent[^/]*\\.jar");

  /**
   * For the server's JVM.
   *
   * @return arguments for the command line
   * @throws IllegalStateException if the agent's jar is not on the class path
   */
  public abstract List<String> jvmArgs();

  private static String agent() {
    String classPath = System.getProperty("java.class.path");
    return Stream.of(classPath.split(File.pathSeparator, -1))
        .filter(entry -> AGENT.matcher(entry).matches())
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no jar of the agent in " + classPath));
  }
}
