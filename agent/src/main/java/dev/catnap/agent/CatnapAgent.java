package dev.catnap.agent;

import java.lang.instrument.Instrumentation;
import org.jspecify.annotations.Nullable;

/**
 * What the JVM calls before {@code main}. It never keeps the application from starting: what cannot
 * be had is said in one sentence on the standard error stream, and left out.
 */
public final class CatnapAgent {
  /** The JVM calls an agent one after the other, in one thread. */
  private static boolean called;

  private CatnapAgent() {}

  /**
   * Called by the JVM.
   *
   * @param arguments what follows {@code =} after the name of the jar; null: nothing
   * @param instrumentation the means of an agent
   */
  public static void premain(@Nullable String arguments, Instrumentation instrumentation) {
    if (called) { // JAVA_TOOL_OPTIONS and the command line may both have it
      Complaint.say("the agent is given twice, and does what the first one says");
      return;
    }
    called = true;
    AgentOptions options;
    try {
      options = AgentOptions.parse(arguments);
    } catch (IllegalArgumentException e) {
      Complaint.say("nothing is changed, because " + e.getMessage());
      return;
    }
    if (options.virtualThreads() || options.coroutines()) {
      Takeover.run(options, instrumentation); // a class that is not there when all is off
    }
  }
}
