package dev.catnap.killmatrix;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;

class CheckRunnerTest {

  /** By the name that the class has in the Lincheck that is used. */
  @Test
  void whatIsThrownWhileAFindingIsPrintedIsAFinding() throws ClassNotFoundException {
    Class<?> finding = Class.forName("org.jetbrains.kotlinx.lincheck.strategy.LincheckFailure");
    Throwable thrown = new NoSuchElementException("no such trace point");
    assertFalse(CheckRunner.isFailureThatCannotBePrinted(thrown), "thrown by the check itself");
    thrown.setStackTrace(
        new StackTraceElement[] {
          new StackTraceElement("a.Reporter", "append", "Reporter.kt", 3),
          new StackTraceElement(finding.getName(), "toString", "LincheckFailure.kt", 2),
          new StackTraceElement("a.Lincheck", "check", "Lincheck.kt", 1)
        });
    assertTrue(CheckRunner.isFailureThatCannotBePrinted(thrown));
  }
}
