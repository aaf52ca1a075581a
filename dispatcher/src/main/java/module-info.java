/**
 * The coroutine face of Catnap: a {@code CoroutineDispatcher} that can stand in for {@code
 * Dispatchers.Default} and {@code Dispatchers.IO}.
 */
module dev.catnap.coroutines {
  requires transitive dev.catnap;
  requires transitive kotlin.stdlib;
  requires transitive kotlinx.coroutines.core;
  requires static org.jspecify;

  exports dev.catnap.coroutines;
}
