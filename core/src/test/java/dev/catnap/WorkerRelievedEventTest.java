package dev.catnap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.catnap.testing.Await;
import dev.catnap.testing.NoThreadLeft;
import dev.catnap.testing.TestPools;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** G9: whoever keeps a worker from the tasks that wait is named in a recording. */
@ExtendWith(NoThreadLeft.class)
class WorkerRelievedEventTest {
  private static final String EVENT = "dev.catnap.WorkerRelieved";

  @TempDir private Path folder;

  /** The spare may be relieved as well, if the machine holds it up before it begins. */
  @Test
  void theCulpritIsNamedWithItsStack() throws Exception {
    List<RecordedEvent> events;
    try (Recording recording = new Recording()) {
      recording.enable(EVENT);
      recording.start();
      try (var scheduler = TestPools.withTheSentinel(1).name("held").maxThreads(2).build()) {
        AtomicReference<@Nullable Thread> worker = new AtomicReference<>();
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch ran = new CountDownLatch(1);
        scheduler.execute(
            () -> {
              worker.set(Thread.currentThread());
              Await.quietly(release);
            });
        Await.untilItWaits(worker);
        scheduler.execute(ran::countDown);
        Await.latch("a spare runs what waits", ran, scheduler::stats);
        release.countDown();
      } // with its end the sentinel has written what it had to tell
      recording.stop();
      Path file = folder.resolve("held.jfr");
      recording.dump(file);
      events = RecordingFile.readAllEvents(file);
    }
    List<RecordedEvent> ofTheWaiting =
        events.stream()
            .filter(e -> e.getThread("worker").getJavaName().equals("held-worker-0"))
            .toList();
    assertEquals(1, ofTheWaiting.size(), () -> "it is relieved once: " + events);
    RecordedEvent event = ofTheWaiting.get(0);
    assertEquals(EVENT, event.getEventType().getName());
    assertEquals("held", event.getString("scheduler"));
    assertEquals("held-worker-0", event.getThread("culprit").getJavaName());
    assertEquals("TIMED_WAITING", event.getString("state"));
    String stack = event.getString("stack");
    assertTrue(stack.contains("dev.catnap.testing.Await.quietly("), stack);
  }
}
