package dev.catnap.internal.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A broadcast to workers that are no more, or have no memory left: each is told of once. */
class BroadcastStepsTest {
  private final List<Runnable> accepted = new ArrayList<>();
  private int runs;

  /** With three workers; {@code accepts} may throw. */
  private @Nullable CompletableFuture<@Nullable Void> broadcast(IntPredicate accepts) {
    return broadcast(accepts, () -> runs++);
  }

  private @Nullable CompletableFuture<@Nullable Void> broadcast(
      IntPredicate accepts, Runnable task) {
    Engine engine =
        (Engine)
            Proxy.newProxyInstance(
                Engine.class.getClassLoader(),
                new Class<?>[] {Engine.class},
                (proxy, method, arguments) ->
                    switch (method.getName()) {
                      case "ensureStack" -> null;
                      case "parallelism" -> 3;
                      case "ownWorker" -> -1;
                      case "isShutdown" -> false;
                      case "isAddressable" -> true;
                      case "publishTo", "publishContinuationTo" ->
                          accepts.test((int) arguments[0]) && accepted.add((Runnable) arguments[1]);
                      case "toString" -> "faked";
                      default -> throw new AssertionError(method);
                    });
    return Broadcast.to(engine, task);
  }

  @Test
  void refusedByTheFirstItIsRefusedAsAWhole() {
    assertNull(broadcast(worker -> false));
    assertEquals(List.of(), accepted);
  }

  @Test
  void aWorkerThatHasEndedIsToldOfWhenTheOthersHaveRunIt() {
    CompletableFuture<Void> done = broadcast(worker -> worker != 1);
    assertNotNull(done);
    assertEquals(2, accepted.size());
    accepted.get(0).run();
    assertFalse(done.isDone());
    accepted.get(1).run();
    Throwable told = assertThrows(CompletionException.class, done::join).getCause();
    assertSame(RejectedExecutionException.class, told.getClass());
    assertEquals("worker 1 of faked has ended", told.getMessage());
    assertEquals(2, runs);
  }

  @Test
  void aQueueThatCannotGrowFailsTheFuture_notTheCallerWhoseTaskIsAcceptedAlready() {
    OutOfMemoryError none = new OutOfMemoryError("from the test");
    CompletableFuture<Void> done =
        broadcast(
            worker -> {
              if (worker == 2) {
                throw none;
              }
              return true;
            });
    assertNotNull(done);
    accepted.forEach(Runnable::run);
    assertSame(none, assertThrows(CompletionException.class, done::join).getCause());
    assertEquals(2, runs);
  }

  @Test // G6, G7: shutdownNow has a list to return
  void aTaskThatCannotTellItsNameIsMissedLikeOthers() {
    IllegalStateException nameless = new IllegalStateException("from the test");
    CompletableFuture<Void> done =
        broadcast(
            worker -> true,
            new Runnable() {
              @Override
              public void run() {
                runs++;
              }

              @Override
              public String toString() {
                throw nameless;
              }
            });
    assertNotNull(done);
    accepted.forEach(share -> ((Broadcast) share).miss("faked"));
    assertSame(nameless, assertThrows(CompletionException.class, done::join).getCause());
    assertEquals(0, runs);
  }

  @Test // G6: what shutdownNow has found in an inbox
  void theLastOneMissedCompletesIt() {
    CompletableFuture<Void> done = broadcast(worker -> true);
    assertNotNull(done);
    ((Broadcast) accepted.get(0)).miss("faked");
    accepted.get(1).run();
    assertFalse(done.isDone());
    ((Broadcast) accepted.get(2)).miss("faked");
    Throwable told = assertThrows(CompletionException.class, done::join).getCause();
    assertEquals(1, told.getSuppressed().length);
    assertEquals(1, runs);
  }
}
