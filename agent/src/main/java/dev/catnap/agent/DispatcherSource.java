package dev.catnap.agent;

import java.util.List;

/** Makes the dispatchers of one copy of kotlinx.coroutines. Thread-safe. */
@FunctionalInterface
public interface DispatcherSource {
  /**
   * Called while the class {@code Dispatchers} of that copy is being initialised.
   *
   * @param dispatchers that class
   * @param ownIo the library's own {@code Dispatchers.IO}
   * @return what {@code Dispatchers.Default} and {@code Dispatchers.IO} are to be
   * @throws ReflectiveOperationException if they cannot be made for that copy
   */
  List<?> dispatchersOf(Class<?> dispatchers, Object ownIo) throws ReflectiveOperationException;
}
