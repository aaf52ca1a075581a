/**
 * The programs that are measured. Each checks its own result. Those of coroutines are in Kotlin.
 */
@NullMarked
package dev.catnap.benchmarks.workloads;

import org.jspecify.annotations.NullMarked;
