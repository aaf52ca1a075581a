package dev.catnap.lincheck;

import org.jetbrains.kotlinx.lincheck.execution.ExecutionResult;
import org.jetbrains.kotlinx.lincheck.execution.ExecutionScenario;
import org.jetbrains.lincheck.datastructures.verifier.LinearizabilityVerifier;
import org.jetbrains.lincheck.datastructures.verifier.Verifier;

/** Linearizability; each interleaving that comes here is counted. */
public final class CountingVerifier implements Verifier {
  private final Verifier linearizability;

  /** As Lincheck makes them. */
  public CountingVerifier(Class<?> sequentialSpecification) {
    linearizability = new LinearizabilityVerifier(sequentialSpecification);
  }

  @Override
  public boolean verifyResults(ExecutionScenario scenario, ExecutionResult results) {
    Explored.one();
    return linearizability.verifyResults(scenario, results);
  }
}
