package dev.catnap.samples.ktor

import dev.catnap.WorkStealingScheduler
import dev.catnap.samples.web.Ports
import java.io.IOException
import java.net.BindException
import java.net.InetAddress
import java.net.Socket
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpRequest.BodyPublishers
import java.net.http.HttpResponse
import java.net.http.HttpResponse.BodyHandlers
import java.net.http.HttpTimeoutException
import java.nio.file.Path
import java.time.Duration
import java.util.concurrent.Callable
import java.util.concurrent.CompletableFuture
import java.util.concurrent.ExecutionException
import java.util.concurrent.Executors
import java.util.concurrent.TimeUnit.SECONDS
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.io.path.readText
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertNotEquals
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.io.TempDir

/** A Ktor server on Catnap under load, and with clients that do not behave. */
@Timeout(120)
class NoteServerTest {
    private companion object {
        const val LONGEST_NOTE = 1 shl 20 // one more byte is read, and of the rest nothing
    }

    @TempDir lateinit var directory: Path

    private val threadsBefore = nonDaemonThreads()
    private lateinit var server: NoteServer
    private lateinit var client: HttpClient
    private var port = 0

    @BeforeEach
    fun start() = runBlocking {
        server = NoteServer.start(directory, 0)
        port = server.port()
        client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()
    }

    @AfterEach
    fun stop() {
        client.close() // its idle connections would use up the grace period
        runBlocking {
            server.stop()
            server.awaitStop()
        }
        assertFalse(Ports.isOurs(port))
        await({ "only daemons are left, but ${nonDaemonThreads() - threadsBefore}" }) {
            threadsBefore.containsAll(nonDaemonThreads())
        }
    }

    private fun nonDaemonThreads() =
        Thread.getAllStackTraces().keys.filterTo(HashSet()) {
            it.isAlive && !it.isDaemon && !it.name.startsWith("junit-")
        }

    // ---- requests
    // --------------------------------------------------------------------------------

    private fun request(path: String): HttpRequest.Builder =
        HttpRequest.newBuilder(URI("http://127.0.0.1:$port$path")).timeout(Duration.ofSeconds(30))

    private fun send(request: HttpRequest.Builder): HttpResponse<String> =
        client.send(request.build(), BodyHandlers.ofString())

    private fun sendAsync(path: String): CompletableFuture<HttpResponse<String>> =
        client.sendAsync(request(path).build(), BodyHandlers.ofString())

    private fun get(path: String) = send(request(path))

    private fun put(name: String, text: String) =
        send(request("/notes/$name").PUT(BodyPublishers.ofString(text)))

    private fun connect() = Socket(InetAddress.getLoopbackAddress(), port)

    private fun tag(response: HttpResponse<*>) = response.headers().firstValue(NOTE_TAG).get()

    private fun stat(name: String): Long {
        val line = get("/stats").body().lines().single { it.startsWith("$name ") }
        return line.substringAfter(' ').toLong()
    }

    // ---- what every reply must show
    // --------------------------------------------------------------

    private fun assertOnCatnap(threads: List<String>) {
        val workers = WorkStealingScheduler.common().stats().workers.map { it.threadName }
        // Under -ea coroutines put their name behind that of the thread.
        val names = threads.map { it.substringBefore(" @") }
        assertTrue(workers.containsAll(names), "$threads are not all of $workers")
    }

    /** As many steps as expected, and all of them on threads of the common scheduler. */
    private fun assertOnCatnap(response: HttpResponse<String>, steps: Int) {
        val threads = response.headers().allValues(RAN_ON)
        assertEquals(steps, threads.size, "$threads")
        assertOnCatnap(threads)
    }

    private fun assertReply(status: Int, body: String, response: HttpResponse<String>) =
        assertEquals(status to body, response.statusCode() to response.body())

    private fun assertToldByCatnap(lines: Int, body: String) {
        val told = body.trimEnd().lines()
        assertEquals((1..lines).map { "$it" }, told.map { it.substringBefore(' ') }, body)
        assertOnCatnap(told.map { it.substringAfter("told by ") })
    }

    private fun await(what: String, condition: () -> Boolean) = await({ what }, condition)

    private fun await(what: () -> String, condition: () -> Boolean) {
        val deadline = System.nanoTime() + SECONDS.toNanos(30)
        while (!condition()) {
            assertTrue(System.nanoTime() - deadline < 0, "not within 30 s: ${what()}")
            Thread.sleep(1)
        }
    }

    // ---- load
    // ------------------------------------------------------------------------------------

    /** What client c sends in its round r, and what it checks. */
    private fun exchange(c: Int, r: Int) {
        val name = "note-$c"
        val text = "client $c round $r ".repeat(1 + (c * 31 + r) % 200)
        val written = put(name, text)
        assertReply(204, "", written)
        assertOnCatnap(written, 2)

        val read = get("/notes/$name")
        assertReply(200, text, read)
        assertOnCatnap(read, 2)
        assertEquals(tag(written), tag(read))

        val unchanged = get("/notes/$name?other-than=${tag(read)}&within=5")
        assertReply(304, "", unchanged)
        assertOnCatnap(unchanged, 2)

        val words = send(request("/words").POST(BodyPublishers.ofString(text)))
        val total = 4 * (1 + (c * 31 + r) % 200)
        val distinct = setOf("client", "$c", "round", "$r").size
        assertEquals(200, words.statusCode())
        assertTrue(
            words.body().startsWith("""{"total":$total,"distinct":$distinct,"longest":"client""""),
            words.body(),
        )
        assertOnCatnap(words, 1)

        val live = get("/stats/live?lines=3&every=2")
        assertEquals(200, live.statusCode())
        assertToldByCatnap(3, live.body())

        val listed = get("/notes")
        assertEquals(200, listed.statusCode())
        val line = """{"name":"$name","tag":"${tag(written)}","bytes":${text.length}}"""
        assertEquals(1, listed.body().lines().count { it == line }, listed.body())

        val missing = get("/notes/none-$c")
        assertReply(404, "no note none-$c\n", missing)
        assertOnCatnap(missing, 1)

        val health = get("/health")
        assertReply(200, "ok\n", health)
        assertOnCatnap(health, 1)
    }

    @Test
    fun everyRequestOfManyClientsIsAnsweredOnCatnap() {
        val clients = 40
        val rounds = 2
        val requestsPerRound = 8
        Executors.newVirtualThreadPerTaskExecutor().use { executor ->
            val all =
                (0..<clients).map { c ->
                    executor.submit(
                        Callable {
                            repeat(rounds) { r -> exchange(c, r) }
                            rounds
                        }
                    )
                }
            assertEquals(clients * rounds, all.sumOf { it.get() })
        }
        assertEquals(clients * rounds * requestsPerRound + 1L, stat("received"))
        await("only the request that asks is open") { stat("open") == 1L }
        assertEquals(clients, directory.listDirectoryEntries().count { it.name.endsWith(".txt") })
        assertEquals(emptyList<Path>(), directory.listDirectoryEntries("*.tmp"))
    }

    @Test
    fun aWriteWakesAllWhoWaitForIt() {
        val old = tag(put("news", "old"))
        val waiting = List(200) { sendAsync("/notes/news?other-than=$old&within=60000") }
        await("all of them wait") { stat("open") == 201L }
        put("news", "new")
        for (reply in waiting.map { it.get(30, SECONDS) }) {
            assertReply(200, "new", reply)
            assertOnCatnap(reply, 2)
            assertNotEquals(old, tag(reply))
        }
    }

    // ---- clients that do not behave
    // --------------------------------------------------------------

    @Test
    fun clientsThatGiveUpLeaveTheServerServing() {
        val tag = tag(put("still", "still"))
        val wait = "/notes/still?other-than=$tag&within=60000"
        assertThrows(HttpTimeoutException::class.java) {
            send(request(wait).timeout(Duration.ofMillis(50)))
        }
        val cancelled = List(50) { sendAsync(wait) }
        val sockets = List(50) { connect() }
        sockets.forEach {
            it.getOutputStream().write("GET $wait HTTP/1.1\r\nHost: x\r\n\r\n".toByteArray())
        }
        await("all of them wait") { stat("open") >= 101 }
        cancelled.forEach { it.cancel(true) }
        sockets.forEach { it.close() }
        await("handlers of clients that are gone were cancelled") { stat("open") == 1L }
        exchange(7, 7)
    }

    private fun assertCutOffBodyIsNotWritten(rest: String) {
        put("cut", "whole")
        connect().use {
            val head = "PUT /notes/cut HTTP/1.1\r\nHost: x\r\n"
            it.getOutputStream().write((head + rest).toByteArray())
            await("the server reads it") { stat("open") == 2L }
        }
        await("the server has given it up") { stat("open") == 1L }
        assertEquals("whole", directory.resolve("cut.txt").readText())
        assertReply(200, "whole", get("/notes/cut"))
    }

    @Test
    fun aBodyThatIsCutOffIsNotWritten() =
        assertCutOffBodyIsNotWritten("Content-Length: 100\r\n\r\nonly half of")

    @Test
    fun aChunkedBodyThatIsCutOffIsNotWritten() =
        assertCutOffBodyIsNotWritten("Transfer-Encoding: chunked\r\n\r\n64\r\nonly half of")

    @Test
    fun requestsThatCannotBeServed() {
        assertReply(400, "not a name: A.b\n", get("/notes/A.b"))
        assertReply(400, "every must be 0..60000: soon\n", get("/stats/live?every=soon"))
        assertReply(400, "lines must be 1..10000: 0\n", get("/stats/live?lines=0"))
        assertEquals(404, get("/nothing").statusCode())
        assertEquals(413, put("long", "x".repeat(LONGEST_NOTE + 1)).statusCode())
        assertFalse(directory.resolve("long.txt").toFile().exists())
        assertEquals(405, send(request("/health").DELETE()).statusCode())
        assertReply(200, "ok\n", get("/health"))
    }

    // ---- life
    // ------------------------------------------------------------------------------------

    @Test
    fun stopLetsRequestsUnderWayEnd() {
        val request = "GET /stats/live?lines=20&every=25 HTTP/1.1\r\nHost: x\r\nConnection: close"
        connect().use {
            it.soTimeout = 30_000
            it.getOutputStream().write("$request\r\n\r\n".toByteArray())
            val lines = it.getInputStream().bufferedReader().lineSequence().iterator()
            val reply = mutableListOf<String>()
            do reply += lines.next() while ("told by" !in reply.last()) // it is under way
            client.close()
            runBlocking { server.stop(graceMillis = 60_000) }
            lines.forEachRemaining(reply::add)
            assertEquals("HTTP/1.1 200 OK", reply.first())
            assertToldByCatnap(20, reply.filter { line -> "told by" in line }.joinToString("\n"))
        }
    }

    @Test
    fun stopCancelsWhatDoesNotEnd() {
        val tag = tag(put("forever", "same"))
        val wait = sendAsync("/notes/forever?other-than=$tag&within=60000")
        await("it is under way") { stat("open") == 2L }
        runBlocking { server.stop(graceMillis = 50) }
        val failure = assertThrows(ExecutionException::class.java) { wait.get(30, SECONDS) }
        assertTrue(failure.cause is IOException, "$failure")
    }

    @Test
    fun notesSurviveARestart() {
        val tag = tag(put("kept", "here"))
        runBlocking { server.stop(graceMillis = 50) }
        start()
        assertReply(304, "", get("/notes/kept?other-than=$tag&within=5"))
        assertReply(200, "here", get("/notes/kept?other-than=other"))
    }

    @Test
    fun occupiedPort() {
        assertThrows(BindException::class.java) {
            runBlocking { NoteServer.start(directory, port) }
        }
        assertReply(200, "ok\n", get("/health"))
    }
}
