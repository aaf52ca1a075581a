package dev.catnap.agent;

import java.io.IOException;
import java.lang.instrument.Instrumentation;
import org.jspecify.annotations.Nullable;

/**
 * What the JVM calls before {@code main}. It never keeps the application from starting: what cannot
 * be had is said in one sentence on the standard error stream, and left out.
 */
public final class CatnapAgent {
  private CatnapAgent() {}

  /**
   * Called by the JVM.
   *
   * @param arguments what follows {@code =} after the name of the jar; null: nothing
   * @param instrumentation the means of an agent
   */
  public static void premain(@Nullable String arguments, Instrumentation instrumentation) {
    AgentOptions options;
    try {
      options = AgentOptions.parse(arguments);
    } catch (IllegalArgumentException e) {
      say("nothing is changed, because " + e.getMessage());
      return;
    }
    if (!options.virtualThreads()) {
      return;
    }
    try {
      VirtualThreads.moveToCatnap(instrumentation);
    } catch (IllegalStateException | UnsupportedOperationException e) {
      // These say all in their own words.
      stay(e.getMessage() == null ? e.toString() : e.getMessage());
    } catch (ReflectiveOperationException | IOException | RuntimeException | LinkageError e) {
      stay(e.toString());
    }
  }

  private static void stay(String why) {
    say("virtual threads stay on the JDK's scheduler: " + why);
  }

  /** One line, whatever an exception has to tell. */
  private static void say(String sentence) {
    System.err.println("catnap-agent: " + sentence.replaceAll("\\s*\\R\\s*", " "));
  }
}
