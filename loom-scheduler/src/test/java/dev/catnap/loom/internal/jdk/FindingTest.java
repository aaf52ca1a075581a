package dev.catnap.loom.internal.jdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.catnap.loom.CarrierPool;
import dev.catnap.loom.internal.jdk.Finding.Answer;
import dev.catnap.loom.testing.Deadline;
import dev.catnap.loom.testing.Modes;
import dev.catnap.loom.testing.NoThreadLeft;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What this JVM lacks is found out once, and not for good before it is certain (F8). */
@ExtendWith(NoThreadLeft.class)
class FindingTest {
  private final AtomicInteger looks = new AtomicInteger();

  @Test
  void whereNoThreadCanBeStarted_thatIsSaidAndTheNextQuestionLooksAgain() {
    Finding finding =
        new Finding(
            "no carriers",
            () -> {
              if (looks.incrementAndGet() == 1) {
                throw new OutOfMemoryError("unable to create native thread (from the test)");
              }
              return Answer.NOTHING;
            });
    var e = assertThrows(IllegalStateException.class, finding::missing);
    assertEquals(
        "no carriers: a thread cannot be started: unable to create native thread (from the test)",
        e.getMessage());
    assertNull(finding.missing());
    assertNull(finding.missing());
    assertEquals(2, looks.get());
  }

  @Test
  void whatCannotBeToldIsAskedAgain_whatIsCertainIsNot() {
    Finding finding =
        new Finding(
            "no carriers",
            () ->
                looks.incrementAndGet() == 1
                    ? Answer.cannotTell("it takes too long")
                    : Answer.lacks("they get lost"));
    assertEquals("it takes too long", finding.missing());
    assertEquals("they get lost", finding.missing());
    assertEquals("they get lost", finding.missing());
    assertEquals(2, looks.get());
  }

  /** Also on JDK 21, where one that waited for the initialiser of a class would keep it. */
  @Test
  void aVirtualThreadThatWaitsForTheAnswerLeavesItsCarrier() {
    CountDownLatch looking = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    Finding finding =
        new Finding(
            "no carriers",
            () -> {
              looks.incrementAndGet();
              looking.countDown();
              Deadline.await("the other threads", release);
              return Answer.NOTHING;
            });
    try (CarrierPool pool = Modes.pool(Modes.best(), 1)) {
      Thread first = Thread.ofPlatform().start(finding::missing);
      Deadline.await("somebody looks", looking);
      Thread waits = pool.ofVirtual().start(finding::missing);
      Deadline.until("it waits", () -> waits.getState() == Thread.State.WAITING);
      Deadline.join(pool.ofVirtual().start(() -> {})); // on the only carrier
      release.countDown();
      Deadline.join(first, waits);
      assertEquals(1, looks.get());
    } finally {
      release.countDown();
    }
  }
}
