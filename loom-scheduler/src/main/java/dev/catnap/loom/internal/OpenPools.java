package dev.catnap.loom.internal;

import java.lang.ref.WeakReference;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The pools of this JVM that are open, of those that use this copy of the library. Keeps none of
 * them alive. Thread-safe; {@link #only} takes no lock and allocates nothing.
 */
final class OpenPools {
  static final OpenPools OF_THIS_JVM = new OpenPools();

  /** What carries virtual threads. */
  interface Host {
    /** False once it was shut down, and for ever after. */
    boolean isOpen();

    /** Whether others are carried while tasks hold as many workers as may run at once. */
    boolean hasSpares();

    /**
     * Runs the continuation of a virtual thread.
     *
     * @return false: not accepted, no worker is left
     * @throws OutOfMemoryError if no room can be made in the queue; not accepted
     */
    boolean carry(Runnable continuation);
  }

  /** An unreachable pool has no threads left: its workers hold it. Replaced, never changed. */
  private volatile List<WeakReference<Host>> hosts = List.of();

  /** From now on this one counts, as long as it is open. */
  synchronized void add(Host host) {
    hosts =
        Stream.concat(
                hosts.stream().filter(OpenPools::isOpen), Stream.of(new WeakReference<>(host)))
            .toList();
  }

  private static boolean isOpen(WeakReference<Host> reference) {
    Host host = reference.get();
    return host != null && host.isOpen();
  }

  /** The only one that is open; null: there is none, or there are several. */
  @Nullable Host only() {
    List<WeakReference<Host>> all = hosts;
    Host only = null;
    for (int i = 0; i < all.size(); i++) {
      Host host = all.get(i).get();
      if (host != null && host.isOpen()) {
        if (only != null) {
          return null;
        }
        only = host;
      }
    }
    return only;
  }
}
