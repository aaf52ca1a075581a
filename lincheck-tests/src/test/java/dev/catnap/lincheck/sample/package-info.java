/**
 * How a user checks a class of their own that runs on Catnap: {@code Batcher} is that class, {@code
 * BatcherTest} the check. docs/model-checking.md walks through it.
 */
@NullMarked
package dev.catnap.lincheck.sample;

import org.jspecify.annotations.NullMarked;
