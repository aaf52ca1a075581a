package dev.catnap.samples.ktor

import dev.catnap.coroutines.CatnapDispatchers
import io.ktor.http.ContentType
import io.ktor.server.application.Application
import io.ktor.server.application.ApplicationCall
import io.ktor.server.application.ApplicationCallPipeline
import io.ktor.server.response.header
import io.ktor.server.response.respondBytesWriter
import io.ktor.utils.io.writeStringUtf8
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.withContext

/** Names the threads that worked on a reply, one header for each step. */
const val RAN_ON = "Ran-On"

/**
 * Lets every handler run on Catnap's workers.
 *
 * Ktor's engines have no setting for that: CIO puts each call on `Dispatchers.IO` and Netty on its
 * own threads, by name, whatever dispatcher is in the application's `parentCoroutineContext`. But a
 * call runs its pipeline as one coroutine, so whoever changes the dispatcher in the first phase and
 * proceeds from there has changed it for all that follows: plugins, routing, handlers, and replies.
 * Parsing and sockets stay where the engine has them.
 */
fun Application.handleOnCatnap() {
    intercept(ApplicationCallPipeline.Setup) {
        withContext(CatnapDispatchers.Default) { proceed() }
    }
}

/** To be called in each step of a handler, before the reply is sent. */
fun ApplicationCall.ranHere() = response.header(RAN_ON, Thread.currentThread().name)

/** Replies with a line for each element, sent as soon as it is there. */
suspend fun ApplicationCall.respondLines(lines: Flow<String>) =
    respondBytesWriter(ContentType.Text.Plain) {
        // Once more: Ktor calls this block on Dispatchers.IO.
        withContext(CatnapDispatchers.Default) {
            lines.collect {
                writeStringUtf8("$it\n")
                flush()
            }
        }
    }
