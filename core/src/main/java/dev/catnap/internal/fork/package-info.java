/**
 * Fork/join: what a task splits off, where that lies until somebody runs it, and what a worker
 * waits for. The README.md beside these classes tells the whole of it.
 */
@NullMarked
package dev.catnap.internal.fork;

import org.jspecify.annotations.NullMarked;
