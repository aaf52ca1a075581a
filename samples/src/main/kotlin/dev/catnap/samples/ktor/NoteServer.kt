package dev.catnap.samples.ktor

import io.ktor.server.application.ApplicationStopped
import io.ktor.server.application.install
import io.ktor.server.application.serverConfig
import io.ktor.server.cio.CIO
import io.ktor.server.engine.DefaultUncaughtExceptionHandler
import io.ktor.server.engine.EmbeddedServer
import io.ktor.server.engine.connector
import io.ktor.server.engine.embeddedServer
import io.ktor.server.http.HttpRequestLifecycle
import io.ktor.server.routing.routing
import java.io.IOException
import java.nio.file.Path
import kotlinx.coroutines.CompletableDeferred

/** The notes of a directory, served on a port of the loopback interface. */
class NoteServer
private constructor(
    private val server: EmbeddedServer<*, *>,
    private val stopped: CompletableDeferred<Unit>,
) {
    /** Where it listens. */
    suspend fun port(): Int = server.engine.resolvedConnectors().single().port

    /** Takes no more requests, lets those under way end for a while, and cancels what is left. */
    suspend fun stop(graceMillis: Long = GRACE_MILLIS) =
        server.stopSuspend(graceMillis, graceMillis + CANCEL_MILLIS)

    /**
     * Returns when the server was stopped, by whomever; Ktor does it when the JVM is told to end.
     */
    suspend fun awaitStop() = stopped.await()

    companion object {
        private const val HOST = "127.0.0.1"
        private const val GRACE_MILLIS = 3_000L
        private const val CANCEL_MILLIS = 2_000L

        /** Port 0 is any that is free. Throws a `BindException` if the port is taken. */
        suspend fun start(directory: Path, port: Int): NoteServer {
            val store = NoteStore.open(directory)
            val calls = Calls()
            val config = serverConfig {
                // Ktor's own for connections; else a port that is taken gives a stack trace as
                // well.
                parentCoroutineContext = DefaultUncaughtExceptionHandler(environment.log)
                module {
                    handleOnCatnap()
                    calls.countIn(this)
                    // Else a handler would wait on for a client that is gone.
                    install(HttpRequestLifecycle) { cancelCallOnClose = true }
                    routing {
                        notes(store)
                        stats(calls)
                    }
                }
            }
            val server =
                embeddedServer(CIO, config) {
                    connector {
                        host = HOST
                        this.port = port
                    }
                    shutdownGracePeriod = GRACE_MILLIS
                    shutdownTimeout = GRACE_MILLIS + CANCEL_MILLIS
                }
            val stopped = CompletableDeferred<Unit>()
            server.monitor.subscribe(ApplicationStopped) { stopped.complete(Unit) }
            try {
                server.startSuspend()
            } catch (e: Exception) {
                server.stopSuspend(0, 0)
                // Some of the time Ktor throws the cancellation that a failed bind led to.
                throw generateSequence<Throwable>(e) { it.cause }.find { it is IOException } ?: e
            }
            return NoteServer(server, stopped)
        }
    }
}
