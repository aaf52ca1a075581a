package dev.catnap.loom.testing;

import dev.catnap.loom.CarrierPool;
import dev.catnap.loom.CarrierPool.Mode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What carries the virtual threads of a test: what should be equal is run on each, and compared.
 */
public enum Side {
  /** The JDK's own, with the parallelism of this JVM. */
  JDK(null),
  /** A pool of ours. */
  PLATFORM_THREADS(Mode.PLATFORM_THREADS),
  /** The same with privileges. */
  CARRIER_THREADS(Mode.CARRIER_THREADS);

  private final @Nullable Mode mode;

  Side(@Nullable Mode mode) {
    this.mode = mode;
  }

  /** Those that this JVM has, as a source of parameters. */
  public static List<Side> available() {
    List<Mode> modes = Modes.available();
    List<Side> sides = new ArrayList<>(List.of(values()));
    sides.removeIf(side -> side.mode != null && !modes.contains(side.mode));
    return sides;
  }

  /** With that parallelism, if it is ours. */
  public VirtualThreads open(int parallelism) {
    return new VirtualThreads(mode == null ? null : Modes.pool(mode, parallelism));
  }

  /** Makes virtual threads; {@code close} closes the pool, if there is one. */
  public static final class VirtualThreads implements AutoCloseable {
    private final @Nullable CarrierPool pool;

    private VirtualThreads(@Nullable CarrierPool pool) {
      this.pool = pool;
    }

    /** On this side. */
    public Thread.Builder.OfVirtual ofVirtual() {
      return pool == null ? Thread.ofVirtual() : pool.ofVirtual();
    }

    /** Null: the JDK's. */
    public @Nullable CarrierPool pool() {
      return pool;
    }

    @Override
    public void close() {
      if (pool != null) {
        pool.close();
      }
    }
  }
}
