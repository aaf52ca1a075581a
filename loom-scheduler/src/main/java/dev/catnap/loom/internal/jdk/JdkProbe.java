package dev.catnap.loom.internal.jdk;

import dev.catnap.loom.internal.jdk.Finding.Answer;
import dev.catnap.loom.internal.jdk.JdkBridge.Submission;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether this JVM lets us in, and says in one sentence what is missing. What is missing
 * today may be there tomorrow (an agent can open a module, a thread can be had again), so only what
 * cannot change is remembered. Thread-safe.
 */
public final class JdkProbe {
  private static final Module BASE = Object.class.getModule();
  private static final Module SELF = JdkProbe.class.getModule();

  private static final String ON_THIS_JDK = " on JDK " + Runtime.version();
  private static final String NO_CHOICE =
      "Catnap cannot choose the scheduler of virtual threads" + ON_THIS_JDK;
  private static final String NO_CARRIERS = "Catnap cannot make carrier threads" + ON_THIS_JDK;

  /** Asked only when java.lang is open: from then on the answer cannot change. */
  private static final Finding MEMBERS =
      new Finding(NO_CHOICE, () -> missing(JdkProbe::lookAtMembers));

  /** The same; and makes a virtual thread, in order to look at it. */
  private static final Finding CONTINUATIONS =
      new Finding(NO_CHOICE, () -> missing(JdkProbe::lookAtContinuations));

  /** Asked only when jdk.internal.misc is exported: from then on the answer cannot change. */
  private static final Finding CARRIERS = new Finding(NO_CARRIERS, JdkProbe::tryCarriers);

  private JdkProbe() {}

  /**
   * The way in.
   *
   * @throws IllegalStateException if the JVM was started without the option that it takes, or a
   *     thread cannot be started
   * @throws UnsupportedOperationException if this JDK has no such way
   */
  public static JdkBridge require() {
    JdkBridge jdk = requireUntried();
    requireNothing(CONTINUATIONS.missing());
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
    requireNothing(MEMBERS.missing());
    return ReflectiveBridge.INSTANCE;
  }

  private static void requireNothing(@Nullable String missing) {
    if (missing != null) {
      throw new UnsupportedOperationException(missing);
    }
  }

  /**
   * Whether {@link #require} would return.
   *
   * @throws IllegalStateException if that cannot be told, since a thread cannot be started
   */
  public static boolean isOpen() {
    return notOpened() == null && MEMBERS.missing() == null && CONTINUATIONS.missing() == null;
  }

  private static @Nullable String notOpened() {
    return BASE.isOpen("java.lang", SELF)
        ? null
        : "Catnap cannot choose the scheduler of virtual threads unless the JVM is started with"
            + " --add-opens java.base/java.lang="
            + self();
  }

  /**
   * Null, or why there are no carrier threads.
   *
   * @throws IllegalStateException if a thread cannot be started
   */
  static @Nullable String carriersMissing() {
    return isExported() ? CARRIERS.missing() : notExported("make carrier threads");
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

  private static void lookAtMembers() {
    Thread ignored = ThreadInternals.currentCarrierThread();
    // Refused by a JVM without continuations.
    ThreadInternals.newBuilder(Runnable::run);
  }

  private static void lookAtContinuations() {
    Joins.tryThread();
    // By itself: if the JDK's initialiser fails after all, it does not inside of ours.
    ThreadInternals.initializeVirtualThreads();
    Submission ignored = ContinuationInternals.submissionOf(() -> {});
  }

  private static Answer missing(Runnable look) {
    try {
      look.run();
      return Answer.NOTHING;
    } catch (ExceptionInInitializerError e) {
      Throwable cause = e.getCause();
      return lacking(cause == null ? e : cause);
    } catch (RuntimeException | LinkageError e) {
      return lacking(e);
    }
  }

  private static Answer lacking(Throwable t) {
    return Answer.lacks(
        NO_CHOICE
            + ": "
            + (t instanceof MissingInternalsException ? "it lacks " + t.getMessage() : t));
  }

  private static Answer tryCarriers() {
    try {
      return switch (ForkCheck.tryOne()) {
        case KEPT -> Answer.NOTHING;
        case LOST -> Answer.lacks(NO_CARRIERS + ": tasks that are forked on them get lost");
        case NOT_OVER -> Answer.cannotTell(NO_CARRIERS + ": one does not come to its end");
      };
    } catch (LinkageError e) {
      return Answer.lacks(NO_CARRIERS + ": " + e);
    }
  }
}
