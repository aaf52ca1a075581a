package dev.catnap.samples.guide;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.catnap.samples.Printed;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the guide shows is what the program prints. */
@Timeout(60)
class SocketsOnCatnapTest {
  @Test
  void everyClientIsAnswered() throws Exception {
    assertEquals(List.of("100 answers, in all 5050"), Printed.by(SocketsOnCatnap::main));
  }
}
