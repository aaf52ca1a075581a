/**
 * A work-stealing scheduler whose idle workers sleep deeply and never miss a wake.
 *
 * <p>{@code dev.catnap} is what applications use; {@code dev.catnap.spi} is the small set of calls
 * with which a coroutine dispatcher, a pool of virtual-thread carriers or a model checker sits on
 * the same workers.
 */
module dev.catnap {
  requires static jdk.jfr;
  requires static org.jspecify;

  exports dev.catnap;
  exports dev.catnap.spi;

  uses dev.catnap.spi.CommonSchedulerProvider;
}
