package dev.catnap.lincheck;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The canary of all suites of the scheduler: on this JDK, Lincheck sees what tasks race for. Its
 * trace is long, so that it takes a minute to be reported; the suites fly one that shows that their
 * own JVM is instrumented.
 */
@Tag("long")
class TaskCanaryTest {
  @Test
  void aRaceOfTwoTasksIsReported() {
    Canary.LOST_UPDATE_IN_TASKS.assertReported();
  }
}
