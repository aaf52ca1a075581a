package dev.catnap.internal.timer;

/** A timer of which only the place matters. */
class InertTimer extends TimerNode {
  @Override
  protected void fire() {}

  @Override
  protected boolean survivesShutdown() {
    return true;
  }

  @Override
  protected void dropped() {}
}
