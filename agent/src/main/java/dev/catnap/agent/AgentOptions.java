package dev.catnap.agent;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What was asked for on the command line. */
record AgentOptions(boolean virtualThreads, boolean coroutines) {
  private static final String VIRTUAL_THREADS = "virtual-threads";
  private static final String COROUTINES = "coroutines";
  private static final String OFF = "off";

  /**
   * Options are separated by commas, in any order, each once. None at all: virtual threads.
   *
   * @throws IllegalArgumentException if that is not what is there; the message goes after "because"
   */
  static AgentOptions parse(@Nullable String arguments) {
    if (arguments == null || arguments.isEmpty()) {
      return new AgentOptions(true, false);
    }
    Set<String> options = new HashSet<>();
    for (String option : arguments.split(",", -1)) {
      check(option);
      if (!options.add(option)) {
        throw new IllegalArgumentException("the option \"" + option + "\" is given twice");
      }
    }
    if (options.contains(OFF) && options.size() > 1) {
      throw new IllegalArgumentException("the option \"off\" goes with no other");
    }
    return new AgentOptions(options.contains(VIRTUAL_THREADS), options.contains(COROUTINES));
  }

  private static void check(String option) {
    switch (option) {
      case VIRTUAL_THREADS, COROUTINES, OFF -> {}
      default ->
          throw new IllegalArgumentException(
              "there is no option \""
                  + option
                  + "\", only \"virtual-threads\", \"coroutines\" and \"off\"");
    }
  }
}
