package dev.catnap.samples.demo

import java.io.PrintStream
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit
import kotlin.concurrent.thread

/**
 * Says on [out] how far a run has come: on a terminal in one line that changes, elsewhere with a
 * line every second.
 */
class Progress(
    private val out: PrintStream,
    private val terminal: Boolean,
    private val columns: Int,
    private val title: String,
    private val totalFiles: Int?,
) {
    private val lock = Any()

    /** Reports while [work] is done, on a thread of its own that ends with it. */
    fun <T> during(tally: Tally, work: () -> T): T {
        val done = CountDownLatch(1)
        val reporter =
            thread(name = "demo-progress") {
                while (!done.await(if (terminal) 100 else 1000, TimeUnit.MILLISECONDS)) {
                    show(line(tally))
                }
            }
        try {
            return work()
        } finally {
            done.countDown()
            reporter.join()
            clear()
        }
    }

    /** A message that stays. */
    fun say(message: String) =
        synchronized(lock) {
            clear()
            out.println(message)
        }

    private fun line(tally: Tally): String {
        val problems = if (tally.problems.isEmpty()) "" else ", ${tally.problems.size} unreadable"
        val total = totalFiles?.let { " of ${count(it)}" } ?: ""
        return "$title: ${count(tally.files.sum())}$total files$problems, " +
            "${count(tally.identifiers.sum())} identifiers, ${count(tally.queries.sum())} queries"
    }

    private fun show(line: String) =
        synchronized(lock) {
            if (terminal) {
                out.print("\r\u001b[K" + line.take(columns - 1))
                out.flush()
            } else {
                out.println(line)
            }
        }

    private fun clear() =
        synchronized(lock) {
            if (terminal) {
                out.print("\r\u001b[K")
                out.flush()
            }
        }

    companion object {
        /**
         * On standard error, so that standard output can be kept; samples/run says whether that is
         * a terminal.
         */
        fun onStandardError(title: String, totalFiles: Int?) =
            Progress(
                System.err,
                System.getProperty("samples.terminal").toBoolean(),
                Integer.getInteger("samples.columns", 80),
                title,
                totalFiles,
            )
    }
}
