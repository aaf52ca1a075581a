/**
 * The coroutine face of Catnap: a {@code CoroutineDispatcher} that can stand in for {@code
 * Dispatchers.Default} and {@code Dispatchers.IO}.
 */
@SuppressWarnings("requires-automatic") // BlockHound is no module; only who uses it needs it
module dev.catnap.coroutines {
  requires transitive dev.catnap;
  requires transitive kotlin.stdlib;
  requires transitive kotlinx.coroutines.core;
  requires static org.jspecify;
  // No `provides`: without BlockHound, a module that provides for it could not be resolved. The
  // class path has META-INF/services.
  requires static reactor.blockhound;

  exports dev.catnap.coroutines;
}
