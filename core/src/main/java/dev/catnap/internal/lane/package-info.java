/**
 * Bounded lanes for tasks that block: the queue of such a lane, the submitters that wait for a
 * place in it, and the runners, tasks of the scheduler that run what is in the queue in declared
 * blocking sections.
 */
@NullMarked
package dev.catnap.internal.lane;

import org.jspecify.annotations.NullMarked;
