package dev.catnap.samples.demo

import com.sun.management.OperatingSystemMXBean
import java.io.IOException
import java.lang.management.ManagementFactory
import java.nio.file.Files
import java.nio.file.Path
import kotlin.io.path.Path
import kotlin.io.path.isDirectory
import kotlin.io.path.readLines

/** What this process has used so far. */
class Usage private constructor(val cpuNanos: Long, val contextSwitches: Long?) {
    companion object {
        private val system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean::class.java)

        fun now() = Usage(system.processCpuTime, contextSwitches())

        /** Linux only; a thread that has ended is no longer counted. */
        private fun contextSwitches(): Long? {
            val tasks = Path("/proc/self/task")
            return if (!tasks.isDirectory()) {
                null
            } else {
                Files.newDirectoryStream(tasks).use { threads -> threads.sumOf(::ofThread) }
            }
        }

        private fun ofThread(thread: Path): Long =
            try {
                thread
                    .resolve("status")
                    .readLines()
                    .filter { "ctxt_switches:" in it }
                    .sumOf { it.substringAfter(':').trim().toLong() }
            } catch (e: IOException) {
                0 // it ended meanwhile
            }
    }
}
