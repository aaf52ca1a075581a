package dev.catnap.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Options are taken by the letter. */
class AgentOptionsTest {

  @Test
  void virtualThreadsByDefault() {
    assertTrue(AgentOptions.parse(null).virtualThreads());
    assertTrue(AgentOptions.parse("").virtualThreads());
    assertTrue(AgentOptions.parse("virtual-threads").virtualThreads());
  }

  @Test
  void coroutinesIfAskedFor() {
    assertFalse(AgentOptions.parse(null).coroutines());
    assertFalse(AgentOptions.parse("virtual-threads").coroutines());
    assertEquals(new AgentOptions(false, true), AgentOptions.parse("coroutines"));
    assertEquals(new AgentOptions(true, true), AgentOptions.parse("virtual-threads,coroutines"));
    assertEquals(new AgentOptions(true, true), AgentOptions.parse("coroutines,virtual-threads"));
  }

  @Test
  void offIsOff() {
    assertEquals(new AgentOptions(false, false), AgentOptions.parse("off"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "virtual_threads | there is no option \"virtual_threads\"",
        "OFF | there is no option \"OFF\"",
        "virtual-threads, off | there is no option \" off\"",
        "virtual-threads, | there is no option \"\"",
        "off,virtual-threads | the option \"off\" goes with no other",
        "off,off | the option \"off\" is given twice",
        "coroutines,off | the option \"off\" goes with no other",
        "coroutines,coroutines | the option \"coroutines\" is given twice",
      })
  void anythingElseIsRefused(String arguments, String why) {
    var e = assertThrows(IllegalArgumentException.class, () -> AgentOptions.parse(arguments));
    assertEquals(why, e.getMessage().substring(0, why.length()));
  }
}
