/**
 * The agent: virtual threads of an unchanged application on Catnap.
 *
 * <p>Only these classes are on the application's class path. Catnap itself is in a folder of the
 * jar that no other class loader looks into, and is loaded by one of its own, so that an
 * application which brings its own Catnap, of whatever version, keeps it.
 */
@NullMarked
package dev.catnap.agent;

import org.jspecify.annotations.NullMarked;
