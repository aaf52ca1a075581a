/** What the tests share: waiting with a deadline, thread accounting, counting parkers. */
@NullMarked
package dev.catnap.testing;

import org.jspecify.annotations.NullMarked;
