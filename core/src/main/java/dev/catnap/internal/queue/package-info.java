/**
 * Where tasks wait: each worker's bounded deque and LIFO slot, and the unbounded injector for tasks
 * from outside. README.md beside this file has the table of who may call what, from which thread,
 * in which memory mode.
 */
@NullMarked
package dev.catnap.internal.queue;

import org.jspecify.annotations.NullMarked;
