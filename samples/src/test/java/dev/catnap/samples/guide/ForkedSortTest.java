package dev.catnap.samples.guide;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.catnap.samples.Printed;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the guide shows is what the program prints. */
@Timeout(60)
class ForkedSortTest {
  @Test
  void sortsAndAddsUpLikeASequentialProgram() throws Exception {
    assertEquals(List.of("sorted: true", "digits: true"), Printed.by(ForkedSort::main));
  }
}
