package dev.catnap.benchmarks.runner;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class MachineTest {
  @Test
  void theCommandCanBeTypedOnAnotherMachine() {
    assertEquals("benchmarks/run", Machine.command(List.of()));
    assertEquals(
        "benchmarks/run --workers 2,64 C1 --out c1.json",
        Machine.command(List.of("--workers", "2,64", "C1", "--out", "/somebody/s/folder/c1.json")));
  }
}
