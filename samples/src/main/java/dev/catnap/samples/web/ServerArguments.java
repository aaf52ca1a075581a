package dev.catnap.samples.web;

import java.util.regex.Pattern;

/** What the servers are told on the command line. */
public final class ServerArguments {
  private static final int DEFAULT_PORT = 8080;
  private static final int HIGHEST_PORT = 65_535;
  private static final int WRONG_USE = 2;
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,5}");

  private ServerArguments() {}

  /**
   * The port, which comes first; ends the JVM if it is none, or if there are too many arguments.
   */
  public static int port(String usage, int most, String[] args) {
    int port = DEFAULT_PORT;
    if (args.length > 0) {
      port = NUMBER.matcher(args[0]).matches() ? Integer.parseInt(args[0]) : -1;
    }
    if (port < 0 || port > HIGHEST_PORT || args.length > most) {
      System.err.println("usage: " + usage);
      System.exit(WRONG_USE);
    }
    return port;
  }
}
