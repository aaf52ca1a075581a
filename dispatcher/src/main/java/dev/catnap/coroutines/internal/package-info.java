/** What other tools find by themselves; nothing here is for applications. */
@NullMarked
package dev.catnap.coroutines.internal;

import org.jspecify.annotations.NullMarked;
