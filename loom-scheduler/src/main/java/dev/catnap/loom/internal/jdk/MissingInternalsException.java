package dev.catnap.loom.internal.jdk;

/** This JDK is not built as expected; the message names what is missing. */
final class MissingInternalsException extends RuntimeException {
  private static final long serialVersionUID = 1;

  MissingInternalsException(String what, Throwable cause) {
    super(what, cause);
  }
}
