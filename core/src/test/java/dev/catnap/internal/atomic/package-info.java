@NullMarked
package dev.catnap.internal.atomic;

import org.jspecify.annotations.NullMarked;
