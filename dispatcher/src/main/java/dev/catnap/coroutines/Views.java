package dev.catnap.coroutines;

import kotlinx.coroutines.CoroutineDispatcher;
import org.jspecify.annotations.Nullable;

/**
 * What all dispatchers of this package can. To call it through this type works with versions of
 * kotlinx.coroutines as well whose {@code CoroutineDispatcher} does not have it, such as 1.8; the
 * agent meets them.
 */
interface Views {
  CoroutineDispatcher limitedParallelism(int parallelism, @Nullable String name);
}
