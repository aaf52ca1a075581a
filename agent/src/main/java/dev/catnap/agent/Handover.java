package dev.catnap.agent;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where {@code kotlinx.coroutines.Dispatchers} asks for its dispatchers when it is initialised. It
 * finds this class through the system class loader, from whatever loader it is in itself.
 */
public final class Handover {
  private static volatile @Nullable DispatcherSource source;

  private Handover() {}

  /** Before any such class is changed. */
  static void to(DispatcherSource dispatchers) {
    source = dispatchers;
  }

  /**
   * Called by the code that was written into that class. Whatever happens, there are dispatchers.
   *
   * @param dispatchers the class
   * @param ownDefault the library's own {@code Dispatchers.Default}
   * @param ownIo the library's own {@code Dispatchers.IO}
   * @return two dispatchers: those of Catnap, or the library's own
   */
  public static Object[] dispatchers(Class<?> dispatchers, Object ownDefault, Object ownIo) {
    DispatcherSource from = source;
    if (from != null) {
      try {
        List<?> made = from.dispatchersOf(dispatchers, ownIo);
        return new Object[] {made.get(0), made.get(1)};
      } catch (Throwable e) { // to throw it would make the class unusable
        Complaint.coroutinesStay(e);
      }
    }
    return new Object[] {ownDefault, ownIo};
  }
}
