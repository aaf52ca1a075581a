package dev.catnap.coroutines;

import kotlin.coroutines.CoroutineContext;
import org.jspecify.annotations.Nullable;

/**
 * A block that was dispatched to one worker: should that not run it, no two of its blocks may run
 * at once.
 */
final class ConfinedTask extends ContextTask {
  final int worker;

  ConfinedTask(int worker, CoroutineContext context, Runnable block, @Nullable ClassLoader loader) {
    super(context, block, loader);
    this.worker = worker;
  }
}
