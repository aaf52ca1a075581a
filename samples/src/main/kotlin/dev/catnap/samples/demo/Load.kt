package dev.catnap.samples.demo

import java.io.IOException
import java.util.Random
import java.util.concurrent.ThreadFactory
import java.util.concurrent.atomic.AtomicLong
import java.util.concurrent.atomic.AtomicReference
import org.HdrHistogram.AtomicHistogram

/**
 * Clients that query the server at a fixed rate, each on a virtual thread with a connection of its
 * own.
 *
 * The rate is the same however fast the replies come: client k sends at fixed times, and the
 * latency of a query is the time from when it was meant to be sent until its reply was read. A
 * client that waits for a slow reply sends its next query late, and that delay counts too
 * (otherwise a server that hangs for a second would show one slow query).
 */
class Load(private val clients: Int, private val queriesPerSecond: Int) {
    /** In nanoseconds. */
    val latencies = AtomicHistogram(1_000, LONGEST, 3)
    val failures = AtomicLong()
    val firstFailure = AtomicReference<String>()

    @Volatile private var end = Long.MAX_VALUE
    private val threads = ArrayList<Thread>()
    private var begin = 0L

    /** Starts all clients. */
    fun start(port: Int, factory: ThreadFactory) {
        begin = System.nanoTime()
        repeat(clients) { number ->
            val client = factory.newThread { run(number, port) }
            threads.add(client)
            client.start()
        }
    }

    /**
     * Lets the clients send what they were meant to send until now, or in the first [atLeast]
     * nanoseconds if that is longer, and waits for the replies.
     */
    fun finish(atLeast: Long) = endAt(maxOf(atLeast, System.nanoTime() - begin))

    /** Waits only for the replies to what the clients have sent already. */
    fun stop() = endAt(0)

    private fun endAt(nanos: Long) {
        end = nanos
        threads.forEach(Thread::join)
    }

    private fun run(number: Int, port: Int) {
        try {
            LoopbackClient(port).use { client ->
                val queries = Random(number.toLong())
                val period = 1_000_000_000L * clients / queriesPerSecond
                var due = period * number / clients
                while (due < end) {
                    sleepUntil(due)
                    if (due >= end) {
                        return
                    }
                    query(client, queries)
                    latencies.recordValue((System.nanoTime() - begin - due).coerceIn(1, LONGEST))
                    due += period
                }
            }
        } catch (e: IOException) {
            fail("client $number: ${e.message ?: e}")
        }
    }

    private fun sleepUntil(due: Long) {
        while (true) {
            val left = due - (System.nanoTime() - begin)
            if (left <= 0 || due >= end) {
                return
            }
            Thread.sleep(java.time.Duration.ofNanos(left))
        }
    }

    private fun query(client: LoopbackClient, random: Random) {
        val (path, expected) =
            when (random.nextInt(10)) {
                0 -> "/stats" to "files\t"
                1 -> PREFIXES.pick(random).let { "/top?n=5&prefix=$it" to it }
                else -> NAMES.pick(random).let { "/count?id=$it" to "$it\t" }
            }
        val reply = client.get(path)
        val body = reply.body()
        if (reply.status() != 200 || !body.startsWith(expected) && body != "") {
            fail("$path was answered with ${reply.status()} ${body.lineSequence().first()}")
        }
    }

    private fun List<String>.pick(random: Random) = this[random.nextInt(size)]

    private fun fail(message: String) {
        failures.incrementAndGet()
        firstFailure.compareAndSet(null, message)
    }

    private companion object {
        const val LONGEST = 600_000_000_000L
        val PREFIXES = listOf("abs", "comp", "conc", "equ", "inde", "read", "sche", "thre", "writ")
        val NAMES =
            listOf("String", "T", "add", "args", "close", "equals", "get", "i", "index", "length") +
                listOf("list", "main", "name", "no_such_name", "println", "run", "size", "value")
    }
}
