package dev.catnap.coroutines;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.WorkStealingScheduler;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import kotlinx.coroutines.ExecutorsKt;
import org.junit.jupiter.api.Test;

/** The names that others write code against, from Java. */
final class JavaCallerTest {

  @Test
  void dispatchers_areExecutorsToo() throws Exception {
    try (WorkStealingScheduler scheduler = WorkStealingScheduler.create()) {
      WorkStealingDispatcher dispatcher = WorkStealingDispatcher.of(scheduler);
      assertSame(scheduler, dispatcher.getExecutor());
      assertSame(scheduler, ExecutorsKt.asExecutor(dispatcher));
      String prefix = scheduler.name() + "-worker-";
      String thread =
          CompletableFuture.supplyAsync(
                  () -> Thread.currentThread().getName(), ExecutorsKt.asExecutor(dispatcher.io()))
              .get(30, TimeUnit.SECONDS);
      assertTrue(thread.startsWith(prefix), thread);
    }
  }

  @Test
  void close_canBeCalledInATryStatement() throws Exception {
    WorkStealingScheduler scheduler = WorkStealingScheduler.builder().parallelism(1).build();
    try (WorkStealingDispatcher dispatcher = WorkStealingDispatcher.of(scheduler)) {
      assertSame(dispatcher, WorkStealingDispatcher.of(scheduler));
    }
    assertTrue(scheduler.awaitTermination(30, TimeUnit.SECONDS));
  }

  @Test
  void nullArguments_areRefused() {
    assertThrows(NullPointerException.class, () -> WorkStealingDispatcher.of(null));
  }

  @Test
  void standIns_haveTheirNames() {
    assertEquals("CatnapDispatchers.Default", CatnapDispatchers.Default.toString());
    assertEquals("CatnapDispatchers.IO", CatnapDispatchers.IO.toString());
  }
}
