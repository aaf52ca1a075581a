package dev.catnap.loom.testing;

import dev.catnap.WorkStealingScheduler;
import dev.catnap.loom.CarrierPool;
import java.util.concurrent.Callable;

/** Says what this JVM allows; for {@link ForkedJvm}. */
public final class ProbeMain {
  private ProbeMain() {}

  /** One line per attempt. */
  public static void main(String[] args) throws Exception {
    report("create", () -> runOn(CarrierPool.create()));
    report("carriers", ProbeMain::carriers);
    report("common", () -> runOn(CarrierPool.common()));
    report("common again", () -> runOn(CarrierPool.common()));
    report("scheduler", () -> WorkStealingScheduler.common().submit(() -> "runs").get());
    report("module", () -> String.valueOf(CarrierPool.class.getModule().getName()));
  }

  private static void report(String what, Callable<String> attempt) {
    String line;
    try {
      line = attempt.call();
    } catch (Exception | Error e) {
      line = e.toString();
    }
    System.out.println(what + ": " + line);
  }

  private static String carriers() throws Exception {
    return runOn(
        CarrierPool.builder().mode(CarrierPool.Mode.CARRIER_THREADS).name("explicit").build());
  }

  /** Which mode, if a virtual thread does run on a worker. */
  private static String runOn(CarrierPool pool) throws Exception {
    boolean[] onWorker = new boolean[1];
    pool.ofVirtual().start(() -> onWorker[0] = pool.scheduler().adapter().isWorker()).join();
    return onWorker[0] ? pool.mode().toString() : "not on a worker";
  }
}
