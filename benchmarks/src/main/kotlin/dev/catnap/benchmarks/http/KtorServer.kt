package dev.catnap.benchmarks.http

import io.ktor.server.cio.CIO
import io.ktor.server.engine.EmbeddedServer
import io.ktor.server.engine.embeddedServer
import io.ktor.server.response.respondText
import io.ktor.server.routing.get
import io.ktor.server.routing.routing
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.sync.Mutex
import kotlinx.coroutines.sync.withLock

/** Ktor with its engine CIO: everything by coroutines. */
internal class KtorServer private constructor(private val server: EmbeddedServer<*, *>) :
    Server.Running {
    override fun port(): Int = runBlocking { server.engine.resolvedConnectors().single().port }

    override fun close() = server.stop(0, STOP_MILLIS)

    companion object {
        private const val STOP_MILLIS = 2_000L

        @JvmStatic
        fun start(): KtorServer {
            val server =
                embeddedServer(CIO, port = 0, host = Server.HOST) {
                    routing {
                        Endpoint.entries.forEach { endpoint ->
                            get(endpoint.path()) { call.respondText(serve(endpoint)) }
                        }
                    }
                }
            return KtorServer(server.start(wait = false))
        }
    }
}

private val mutex = Mutex()

/** What [Endpoint.serve] does in a virtual thread. */
private suspend fun serve(endpoint: Endpoint): String {
    when (endpoint) {
        Endpoint.PAUSE -> {
            delay(Endpoint.PAUSE_MILLIS.toLong())
            mutex.withLock { Endpoint.enter() }
        }
        Endpoint.FAN -> return serveFan()
        Endpoint.HELLO,
        Endpoint.WORK -> {}
    }
    return endpoint.compute()
}

private suspend fun serveFan(): String = coroutineScope {
    List(Endpoint.FAN_WIDTH) {
            async {
                delay(Endpoint.FAN_MILLIS.toLong())
                Endpoint.computeFanPart(it)
            }
        }
        .awaitAll()
        .sum()
        .toString()
}
