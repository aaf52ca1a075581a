@file:JvmName("HoggingLaunch")

package dev.catnap.benchmarks.workloads

import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext

/**
 * A coroutine that launches another one and then hogs its worker.
 *
 * @return nanoseconds from just before the launch to the second coroutine's first instruction
 */
fun launchAndHog(dispatcher: CoroutineDispatcher): Long {
    val hog = Hog()
    runBlocking { withContext(dispatcher) { hog.hog { launch { hog.begin() } } } }
    return hog.latency()
}
