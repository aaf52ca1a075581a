/** Tests of the guarantees through the public API; each class is named after the property. */
@NullMarked
package dev.catnap;

import org.jspecify.annotations.NullMarked;
