/**
 * Virtual threads on the workers of a Catnap scheduler.
 *
 * <p>The one module of Catnap that knows internals of the JDK. It needs {@code --add-opens
 * java.base/java.lang=dev.catnap.loom}, and for carrier threads also {@code --add-exports
 * java.base/jdk.internal.misc=dev.catnap.loom}; on the class path both with {@code ALL-UNNAMED}.
 */
module dev.catnap.loom {
  requires transitive dev.catnap;
  requires static org.jspecify;

  exports dev.catnap.loom;

  provides dev.catnap.spi.CommonSchedulerProvider with
      dev.catnap.loom.internal.CommonCarriers;
}
