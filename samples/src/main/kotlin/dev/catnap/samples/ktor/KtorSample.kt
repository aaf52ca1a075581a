package dev.catnap.samples.ktor

import java.io.IOException
import java.nio.file.Path
import kotlin.io.path.Path
import kotlin.io.path.createTempDirectory
import kotlin.system.exitProcess
import kotlinx.coroutines.runBlocking

private const val DEFAULT_PORT = 8080
private const val HIGHEST_PORT = 65_535
private const val WRONG_USE = 2

/** A Ktor server whose handlers run on Catnap; arguments: the port, the directory of the notes. */
fun main(args: Array<String>) {
    val port = if (args.isEmpty()) DEFAULT_PORT else args[0].toIntOrNull()
    if (port == null || port !in 0..HIGHEST_PORT || args.size > 2) {
        System.err.println("usage: ktor [PORT [DIRECTORY]]")
        exitProcess(WRONG_USE)
    }
    val directory = if (args.size == 2) Path(args[1]) else createTempDirectory("catnap-notes")
    try {
        runBlocking { serve(port, directory) }
    } catch (e: IOException) {
        System.err.println("ktor: $directory cannot be served at port $port: ${e.message ?: e}")
        exitProcess(1)
    }
}

private suspend fun serve(port: Int, directory: Path) {
    val server = NoteServer.start(directory, port)
    println("Notes in $directory, served at http://127.0.0.1:${server.port()}/")
    println(USAGE.trimEnd())
    println("Ctrl-C ends it.")
    server.awaitStop()
}
