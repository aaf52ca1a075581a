/**
 * Stock HTTP servers in a JVM of their own, with and without the agent, under load by <a
 * href="https://github.com/wg/wrk">wrk</a>.
 */
@NullMarked
package dev.catnap.benchmarks.http;

import org.jspecify.annotations.NullMarked;
