package dev.catnap.samples.web;

/**
 * What a handler answers.
 *
 * @param status the HTTP status
 * @param text the body
 */
public record Reply(int status, String text) {
  /** Names the virtual thread that handled a request, and the worker that carried it at the end. */
  public static final String RAN_ON = "Ran-On";

  public static Reply ok(String text) {
    return new Reply(200, text);
  }
}
