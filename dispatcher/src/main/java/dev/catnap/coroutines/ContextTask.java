package dev.catnap.coroutines;

import kotlin.coroutines.Continuation;
import kotlin.coroutines.CoroutineContext;
import org.jspecify.annotations.Nullable;

/**
 * A block that does not know its coroutine, with the context that it was dispatched in: should the
 * scheduler be unable to run it, that context tells which job to cancel.
 */
class ContextTask implements Runnable {
  final CoroutineContext context;
  private final Runnable block;

  /** Null: that of the worker. */
  private final @Nullable ClassLoader loader;

  ContextTask(CoroutineContext context, Runnable block, @Nullable ClassLoader loader) {
    this.context = context;
    this.block = block;
    this.loader = loader;
  }

  /** The block itself where it is a continuation, as almost all are: those know their context. */
  static Runnable of(CoroutineContext context, Runnable block) {
    return block instanceof Continuation ? block : new ContextTask(context, block, null);
  }

  /** The block will find that context class loader; the scheduler puts the worker's own back. */
  static Runnable withLoader(CoroutineContext context, Runnable block, ClassLoader loader) {
    return new ContextTask(context, block, loader);
  }

  /** That of the coroutine that a task belongs to; null: none is known. */
  static @Nullable CoroutineContext contextOf(Runnable task) {
    if (task instanceof Continuation<?> continuation) {
      return continuation.getContext();
    }
    return task instanceof ContextTask withContext ? withContext.context : null;
  }

  @Override
  public void run() {
    if (loader != null) {
      Thread.currentThread().setContextClassLoader(loader);
    }
    block.run();
  }
}
