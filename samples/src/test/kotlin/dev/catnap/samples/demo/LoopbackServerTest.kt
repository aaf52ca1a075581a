package dev.catnap.samples.demo

import java.net.InetAddress
import java.net.Socket
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout

/** What the server answers, to clients that behave and to others. */
@Timeout(60)
class LoopbackServerTest {
    private fun <T> serving(work: (LoopbackServer) -> T): T {
        val index = SymbolIndex()
        runBlocking {
            index.writers().forEach { launch { it() } }
            val words = WordCounts()
            val text = "abc abd abd x+y class".toCharArray()
            val lexer = Lexer(words)
            val language = checkNotNull(Languages.ofFile("X.java"))
            lexer.open(text, text.size, language)
            while (lexer.advance(1000)) {}
            index.add(words, language.keywords)
            index.close()
        }
        val threads = Thread.ofVirtual().factory()
        return LoopbackServer.start(LoopbackServer.bind(0), threads, Queries(index, Tally()))
            .use(work)
    }

    private fun get(path: String) = serving { server ->
        LoopbackClient(server.port()).use { it.get(path) }
    }

    private fun assertReply(status: Int, body: String, path: String) {
        val reply = get(path)
        assertEquals(status to body, reply.status() to reply.body())
    }

    private fun send(request: String): String = serving { server ->
        Socket(InetAddress.getLoopbackAddress(), server.port()).use { socket ->
            socket.getOutputStream().write(request.toByteArray())
            socket.shutdownOutput()
            String(socket.getInputStream().readAllBytes())
        }
    }

    @Test fun count() = assertReply(200, "abd\t1\t2\n", "/count?id=abd")

    @Test fun countOfUnknown() = assertReply(200, "\u00e9+\t0\t0\n", "/count?id=%C3%A9%2B")

    @Test fun top() = assertReply(200, "abd\t1\t2\nabc\t1\t1\n", "/top?prefix=ab&n=2")

    @Test fun topOfAll() = assertReply(200, "abd\t1\t2\n", "/top?n=1")

    @Test fun missingParameter() = assertReply(400, "the parameter id is missing\n", "/count")

    @Test
    fun badNumber() =
        assertReply(400, "n must be a number from 1 to 1000: 0\n", "/top?prefix=a&n=0")

    @Test fun badEncoding() = assertEquals(400, get("/count?id=%zz").status())

    @Test fun unknownPath() = assertReply(404, Queries.USAGE, "/nothing")

    @Test fun otherMethod() = assertTrue("405" in send("POST /count HTTP/1.1\r\n\r\n"))

    @Test fun noHttp() = assertTrue("400 Bad Request" in send("hello\r\n\r\n"))

    @Test fun endWithinHeaders() = assertTrue("400" in send("GET / HTTP/1.1\r\nHost: x"))

    @Test fun endlessLine() = assertTrue("400" in send("GET /" + "x".repeat(9000)))

    @Test fun silentClient() = assertEquals("", send(""))

    @Test
    fun severalRequestsOnOneConnection() = serving { server ->
        LoopbackClient(server.port()).use { client ->
            repeat(100) { assertEquals("x\t1\t1\n", client.get("/count?id=x").body()) }
        }
    }
}
