package dev.catnap.samples.demo

import dev.catnap.samples.demo.LoopbackServer.Reply

/** What the server knows how to answer. Replies are lines of fields with tabs between them. */
class Queries(private val index: SymbolIndex, private val tally: Tally) : LoopbackServer.Handler {
    override fun handle(path: String, query: Map<String, String>): Reply {
        tally.request()
        return when (path) {
            "/count" -> count(query.required("id"))
            "/top" -> top(query["prefix"] ?: "", query["n"] ?: "10")
            "/stats" -> stats()
            else -> Reply(404, USAGE)
        }
    }

    private fun count(id: String): Reply = Reply(200, line(index.find(id) ?: Symbol(id, 0, 0)))

    private fun top(prefix: String, n: String): Reply {
        val most = n.toIntOrNull()?.takeIf { it in 1..1000 }
        requireNotNull(most) { "n must be a number from 1 to 1000: $n" }
        return Reply(200, index.top(prefix, most).joinToString("", transform = ::line))
    }

    private fun stats() =
        Reply(
            200,
            "files\t${tally.files}\nidentifiers\t${tally.identifiers}\n" +
                "distinct\t${index.distinct()}\n",
        )

    private fun line(symbol: Symbol) = "${symbol.name}\t${symbol.files}\t${symbol.occurrences}\n"

    private fun Map<String, String>.required(name: String): String =
        requireNotNull(this[name]) { "the parameter $name is missing" }

    companion object {
        const val USAGE =
            "/count?id=NAME          the files that NAME is in, and how often it occurs\n" +
                "/top?prefix=START&n=N   the N most frequent identifiers that begin with START\n" +
                "/stats                  how far the index has come\n"
    }
}
