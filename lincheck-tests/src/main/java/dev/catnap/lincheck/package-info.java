/**
 * For model checking code on Catnap with Lincheck: a scheduler small enough to be explored, a
 * parker and a latch under which a lost wakeup is a reported hang, and canaries.
 *
 * <p>A test of one's own looks like this. It needs a JVM of its own per test class, with {@code
 * -XX:+EnableDynamicAgentLoading} and, on JDK 24 and newer, {@code
 * --sun-misc-unsafe-memory-access=allow}.
 *
 * <pre>{@code
 * @BeforeAll
 * static void lincheckSeesRaces() {
 *   Canary.assertAllReported();
 * }
 *
 * @Test
 * void theReplyArrives() {
 *   Lincheck.runConcurrentTest(
 *       1_000,
 *       () -> {
 *         try (var checked = ModelCheckedScheduler.start(2)) {
 *           var reply = new ModelCheckedLatch();
 *           checked.scheduler().execute(reply::open);
 *           reply.await(); // a lost wakeup is a hang, and Lincheck prints the interleaving
 *         }
 *       });
 * }
 * }</pre>
 *
 * <h2>What to know of Lincheck 3.7</h2>
 *
 * <ul>
 *   <li>It explores interleavings with few thread switches first; a switch that a blocked thread
 *       forces counts as well. A check finds deep races only if it is small: few threads, few
 *       steps, and a start close to the race.
 *   <li>Sequential consistency only: a missing fence is not seen.
 *   <li>On JDK 25 it misses races on objects that threads reach only through {@code new
 *       Thread(runnable)}. Let a {@code Thread} subclass hold them, as workers do.
 *   <li>{@code join} is seen only when called on an expression of type {@code Thread}, not of a
 *       subclass: {@code ((Thread) t).join()}.
 *   <li>{@code LockSupport.park} returns for no reason, that of locks and latches of {@code
 *       java.util.concurrent} included, and timeouts pass at once; monitors do wait.
 *   <li>A thread that is blocked for ever in a monitor when the checked block ends is a deadlock;
 *       one that is parked is not reported. Let the block wait for what must happen.
 *   <li>A loop of 50 iterations is reported as a hang, and so is an invocation of 30 s.
 * </ul>
 */
@NullMarked
package dev.catnap.lincheck;

import org.jspecify.annotations.NullMarked;
