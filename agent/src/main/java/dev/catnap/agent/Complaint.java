package dev.catnap.agent;

import java.lang.reflect.InvocationTargetException;

/** What cannot be had, in one sentence on the standard error stream. */
public final class Complaint {
  private Complaint() {}

  /**
   * Coroutines are not moved.
   *
   * @param why an {@link IllegalStateException} or {@link UnsupportedOperationException} says all
   *     in its own words
   */
  public static void coroutinesStay(Throwable why) {
    say("coroutines stay on the dispatchers of kotlinx.coroutines: " + words(why));
  }

  static void virtualThreadsStay(Throwable why) {
    say("virtual threads stay on the JDK's scheduler: " + words(why));
  }

  /** One line, whatever an exception has to tell. */
  static void say(String sentence) {
    System.err.println("catnap-agent: " + sentence.replaceAll("\\s*\\R\\s*", " "));
  }

  private static String words(Throwable why) {
    if (why instanceof InvocationTargetException && why.getCause() != null) {
      return words(why.getCause());
    }
    boolean speaks =
        why instanceof IllegalStateException || why instanceof UnsupportedOperationException;
    String message = why.getMessage();
    return speaks && message != null ? message : why.toString();
  }
}
