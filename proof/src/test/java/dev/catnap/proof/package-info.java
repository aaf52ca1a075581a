@NullMarked
package dev.catnap.proof;

import org.jspecify.annotations.NullMarked;
