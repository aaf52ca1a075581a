/**
 * What the agent runs beside the Catnap that it brings, in the loader of that: see {@code
 * EmbeddedLoader}. Nothing here is on the application's side.
 */
@NullMarked
package dev.catnap.agent.inside;

import org.jspecify.annotations.NullMarked;
