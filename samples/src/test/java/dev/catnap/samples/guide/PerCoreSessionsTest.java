package dev.catnap.samples.guide;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.catnap.samples.Printed;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the guide shows is what the program prints. */
@Timeout(60)
class PerCoreSessionsTest {
  @Test
  void sessionsStayOnTheirWorkerWithoutALock() throws Exception {
    assertEquals(
        List.of(
            "10000 messages and 10000 reminders in 50 sessions",
            "0 sessions moved; they live on [hello-worker-0, hello-worker-1, hello-worker-2]"),
        Printed.by(PerCoreSessions::main));
  }
}
