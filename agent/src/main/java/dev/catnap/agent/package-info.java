/**
 * The agent: virtual threads and coroutines of an unchanged application on Catnap.
 *
 * <p>Only these classes are on the application's class path. Catnap itself is in folders of the jar
 * that no other class loader looks into, and is loaded by one of its own, so that an application
 * which brings its own Catnap, of whatever version, keeps it. The package {@code inside} is in the
 * jar like this one, and runs in that loader only.
 */
@NullMarked
package dev.catnap.agent;

import org.jspecify.annotations.NullMarked;
