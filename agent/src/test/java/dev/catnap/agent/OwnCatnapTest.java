package dev.catnap.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.catnap.agent.testing.AgentJvm;
import dev.catnap.agent.testing.AgentJvm.Result;
import dev.catnap.agent.testing.BringsItsOwn;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The Catnap of the application and that of the agent do not meet. */
class OwnCatnapTest {
  @Test
  void bothWorkSideBySide() throws Exception {
    Result result =
        AgentJvm.run(
            "",
            List.of(
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED"),
            BringsItsOwn.class);
    assertEquals(
        new Result(
            0,
            List.of(
                "default on catnap-virtual-worker-N",
                "own on own-worker-N",
                "another class true",
                "after close on catnap-virtual-worker-N"),
            List.of()),
        result);
  }
}
