package dev.catnap.samples.ktor

import io.ktor.http.HttpStatusCode
import io.ktor.server.plugins.BadRequestException
import io.ktor.server.plugins.NotFoundException
import io.ktor.server.plugins.PayloadTooLargeException
import io.ktor.server.request.contentLength
import io.ktor.server.request.receiveChannel
import io.ktor.server.response.header
import io.ktor.server.response.respond
import io.ktor.server.response.respondText
import io.ktor.server.routing.Route
import io.ktor.server.routing.RoutingCall
import io.ktor.server.routing.get
import io.ktor.server.routing.post
import io.ktor.server.routing.put
import io.ktor.utils.io.readBuffer
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.flow.map
import kotlinx.io.readString

/** Carries the tag of a note. */
const val NOTE_TAG = "Note-Tag"

private const val LONGEST_BODY = 1L shl 20
private val NAME = Regex("[a-z0-9-]{1,64}")
private val MILLIS = 0L..60_000L

const val USAGE =
    """PUT  /notes/NAME                          writes a note
GET  /notes/NAME                          reads it
GET  /notes/NAME?other-than=TAG&within=MS waits until it changes, or for so many milliseconds
GET  /notes                               all notes, one line each
POST /words                               counts the words of a text
GET  /stats                               the scheduler
GET  /stats/live?lines=N&every=MS         again and again
GET  /health
"""

/** Handlers run on `CatnapDispatchers.Default`, their file accesses on `CatnapDispatchers.IO`. */
fun Route.notes(store: NoteStore) {
    put("/notes/{name}") {
        val name = call.name()
        val note = Note(call.body())
        store.write(name, note, call::ranHere)
        call.ranHere()
        call.response.header(NOTE_TAG, note.tag)
        call.respond(HttpStatusCode.NoContent)
    }
    get("/notes/{name}") {
        val name = call.name()
        val changed =
            call.queryParameters["other-than"]?.let { tag ->
                store.awaitOtherThan(tag, name, call.number("within", MILLIS, default = 10_000))
            } ?: true
        val note = store.read(name, call::ranHere) ?: throw NotFoundException("no note $name\n")
        call.ranHere()
        call.response.header(NOTE_TAG, note.tag)
        if (changed) call.respondText(note.text) else call.respond(HttpStatusCode.NotModified)
    }
    get("/notes") {
        call.respondLines(
            store.list().map {
                """{"name":"${it.name}","tag":"${it.tag}","bytes":${it.bytes}}"""
            }
        )
    }
    post("/words") {
        val words = Words.count(call.body())
        call.ranHere()
        call.respondText(words.toJson() + "\n")
    }
}

/** What the server says about itself. */
fun Route.stats(calls: Calls) {
    get("/") { call.respondText(USAGE) }
    get("/health") {
        call.ranHere()
        call.respondText("ok\n")
    }
    get("/stats") {
        call.ranHere()
        call.respondText("${calls.describe()}\n${describeScheduler()}\n")
    }
    get("/stats/live") {
        val lines = call.number("lines", 1L..10_000L, default = 10)
        val every = call.number("every", MILLIS, default = 1_000)
        call.respondLines(
            flow {
                for (line in 1..lines) {
                    if (line > 1) {
                        delay(every)
                    }
                    val executed = describeWork()
                    emit("$line $executed, told by ${Thread.currentThread().name}")
                }
            }
        )
    }
}

private fun RoutingCall.name(): String {
    val name = pathParameters["name"] ?: ""
    return if (NAME.matches(name)) name else throw BadRequestException("not a name: $name\n")
}

private fun RoutingCall.number(parameter: String, range: LongRange, default: Long): Long {
    val value = queryParameters[parameter] ?: return default
    return value.toLongOrNull()?.takeIf { it in range }
        ?: throw BadRequestException("$parameter must be $range: $value\n")
}

private suspend fun RoutingCall.body(): String {
    val channel = receiveChannel()
    // One byte more than allowed tells a body that is too long, without reading all of it.
    val body = channel.readBuffer(LONGEST_BODY + 1)
    channel.closedCause?.let { throw it }
    if (body.size > LONGEST_BODY) {
        throw PayloadTooLargeException(LONGEST_BODY)
    }
    // CIO takes the end of a connection for that of the body: half a note would replace a whole.
    val announced = request.contentLength() ?: body.size
    if (body.size != announced) {
        throw BadRequestException("the body ends after ${body.size} of $announced bytes\n")
    }
    return body.readString()
}
