package dev.catnap.samples.web;

/** A request that cannot be served, and what its client is told. */
public final class Refusal extends Exception {
  private static final long serialVersionUID = 1L;

  private final int status;

  public Refusal(int status, String message) {
    super(message);
    this.status = status;
  }

  public Reply reply() {
    return new Reply(status, getMessage() + "\n");
  }
}
