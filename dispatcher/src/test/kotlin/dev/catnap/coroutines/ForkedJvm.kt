package dev.catnap.coroutines

import java.io.File
import java.util.concurrent.TimeUnit
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue

/**
 * Runs a main class in a JVM of its own, with options of its own; it must end with 0, in time. An
 * exception thrown by it ends it with 1.
 *
 * @return what it wrote
 */
internal fun inAJvmOfItsOwn(main: Class<*>, vararg options: String): String {
    val log = File.createTempFile("catnap", ".log")
    try {
        val command =
            listOf(File(System.getProperty("java.home"), "bin/java").path) +
                options +
                listOf("-ea", "-cp", classPath(), main.name)
        val builder = ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log)
        builder.environment().keys.removeIf { it.endsWith("_OPTIONS") } // they add flags
        val process = builder.start()
        val ended =
            try {
                process.waitFor(100, TimeUnit.SECONDS)
            } finally {
                process.destroyForcibly()
            }
        assertTrue(ended, "the JVM does not end: ${log.readText()}")
        assertEquals(0, process.exitValue()) { log.readText() }
        return log.readText()
    } finally {
        log.delete()
    }
}

private fun classPath() =
    System.getProperty("surefire.test.class.path") ?: System.getProperty("java.class.path")
