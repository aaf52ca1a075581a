package dev.catnap.loom.internal.jdk;

import org.jspecify.annotations.Nullable;

/**
 * Finds out whether this JVM lets us in, and says in one sentence what is missing. What is missing
 * today may be there tomorrow (an agent can open a module), so only what cannot change is
 * remembered. Thread-safe.
 */
public final class JdkProbe {
  private static final Module BASE = Object.class.getModule();
  private static final Module SELF = JdkProbe.class.getModule();

  private JdkProbe() {}

  /**
   * The way in.
   *
   * @throws IllegalStateException if the JVM was started without the option that it takes
   * @throws UnsupportedOperationException if this JDK has no such way
   */
  public static JdkBridge require() {
    JdkBridge jdk = requireUntried();
    requireNothing(Continuations.MISSING);
    return jdk;
  }

  /**
   * The same, but no virtual thread has been made to see what the JDK does with it: {@link
   * #require} is to be asked as well, later.
   *
   * @throws IllegalStateException or UnsupportedOperationException as above
   */
  public static JdkBridge requireUntried() {
    String closed = notOpened();
    if (closed != null) {
      throw new IllegalStateException(closed);
    }
    requireNothing(Members.MISSING);
    return ReflectiveBridge.INSTANCE;
  }

  private static void requireNothing(@Nullable String missing) {
    if (missing != null) {
      throw new UnsupportedOperationException(missing);
    }
  }

  /** Whether {@link #require} would return. */
  public static boolean isOpen() {
    return notOpened() == null && Members.MISSING == null && Continuations.MISSING == null;
  }

  private static @Nullable String notOpened() {
    return BASE.isOpen("java.lang", SELF)
        ? null
        : "Catnap cannot choose the scheduler of virtual threads unless the JVM is started with"
            + " --add-opens java.base/java.lang="
            + self();
  }

  /** Null, or why there are no carrier threads. */
  static @Nullable String carriersMissing() {
    return isExported() ? Carriers.MISSING : notExported("make carrier threads");
  }

  /**
   * For what needs the package {@code jdk.internal.misc} and nothing else.
   *
   * @throws IllegalStateException if the JVM was started without that option
   */
  static void requireExport() {
    if (!isExported()) {
      throw new IllegalStateException(notExported("replace the default scheduler"));
    }
  }

  static boolean isExported() {
    return BASE.isExported("jdk.internal.misc", SELF);
  }

  private static String notExported(String what) {
    return "Catnap cannot "
        + what
        + " unless the JVM is started with --add-exports java.base/jdk.internal.misc="
        + self();
  }

  private static String self() {
    return SELF.isNamed() ? SELF.getName() : "ALL-UNNAMED";
  }

  /** Initialised only when java.lang is open: from then on the answer cannot change. */
  private static final class Members {
    static final @Nullable String MISSING =
        missing(
            () -> {
              Thread ignored = ThreadInternals.currentCarrierThread();
              // Refused by a JVM without continuations.
              ThreadInternals.newBuilder(Runnable::run);
            });
  }

  /** The same; and makes a virtual thread, in order to look at it. */
  private static final class Continuations {
    static final @Nullable String MISSING =
        missing(() -> ContinuationInternals.submissionOf(() -> {}));
  }

  private static @Nullable String missing(Runnable look) {
    try {
      look.run();
      return null;
    } catch (ExceptionInInitializerError e) {
      Throwable cause = e.getCause();
      return lacking(cause == null ? e : cause);
    } catch (RuntimeException e) {
      return lacking(e);
    }
  }

  private static String lacking(Throwable t) {
    String what =
        t instanceof MissingInternalsException ? "it lacks " + t.getMessage() : t.toString();
    return "Catnap cannot choose the scheduler of virtual threads on JDK "
        + Runtime.version()
        + ": "
        + what;
  }

  /** Initialised only when jdk.internal.misc is exported: from then on the answer cannot change. */
  private static final class Carriers {
    static final @Nullable String MISSING = find();

    private static @Nullable String find() {
      try {
        return ForkCheck.canFork() ? null : sentence("tasks that are forked on them get lost");
      } catch (LinkageError e) {
        return sentence(e.toString());
      }
    }

    private static String sentence(String why) {
      return "Catnap cannot make carrier threads on JDK " + Runtime.version() + ": " + why;
    }
  }
}
