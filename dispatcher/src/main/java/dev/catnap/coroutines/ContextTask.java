package dev.catnap.coroutines;

import kotlin.coroutines.Continuation;
import kotlin.coroutines.CoroutineContext;

/**
 * A block that does not know its coroutine, with the context that it was dispatched in: should the
 * scheduler be unable to run it, that context tells which job to cancel.
 */
final class ContextTask implements Runnable {
  final CoroutineContext context;
  private final Runnable block;

  private ContextTask(CoroutineContext context, Runnable block) {
    this.context = context;
    this.block = block;
  }

  /** The block itself where it is a continuation, as almost all are: those know their context. */
  static Runnable of(CoroutineContext context, Runnable block) {
    return block instanceof Continuation ? block : new ContextTask(context, block);
  }

  @Override
  public void run() {
    block.run();
  }
}
