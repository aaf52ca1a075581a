/** Programs that tests run under the agent, and the means to run them. */
@NullMarked
package dev.catnap.agent.testing;

import org.jspecify.annotations.NullMarked;
