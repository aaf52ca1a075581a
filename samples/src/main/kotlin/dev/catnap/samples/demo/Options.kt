package dev.catnap.samples.demo

/** A command line that is wrong; the message says what. */
class BadOption(message: String) : Exception(message)

/** The command line of the demo. */
data class Options(
    val path: String? = null,
    val rounds: Int = 3,
    val warmUp: Int = 5,
    val port: Int = 0,
    val clients: Int = 300,
    val rate: Int = 1000,
    val workers: Int? = null,
    val serve: Boolean = false,
    val help: Boolean = false,
) {
    fun workersOrProcessors() = workers ?: Runtime.getRuntime().availableProcessors()

    fun spec() =
        Spec(
            port,
            clients,
            rate,
            readers = 2 * workersOrProcessors(),
            warmUpMillis = 1000L * warmUp,
        )

    companion object {
        val USAGE =
            """
            usage: samples/run demo [OPTION...] [PATH]

            Indexes the identifiers of all source files under PATH (a directory, a .zip file or a
            single file) with coroutines, while clients on virtual threads query the index over
            HTTP: on Catnap, then on Dispatchers.Default and the JDK's scheduler, and compares the
            two. Without PATH it takes the sources of the JDK that it runs on.

              --rounds N    runs of each engine, in turns (3)
              --warm-up N   seconds of each run that are not counted (5)
              --workers N   threads for coroutines, and as many for virtual threads (the processors)
              --clients N   clients that query (300)
              --rate N      queries per second of all clients together (1000)
              --port N      the port to serve on (any that is free)
              --serve       index once, on Catnap, and answer queries until Ctrl-C
            """
                .trimIndent()

        /** Reads the command line; throws [BadOption]. */
        fun parse(args: List<String>): Options {
            var options = Options()
            val rest = ArrayDeque(args)
            fun number(option: String, range: IntRange): Int {
                val value =
                    rest.removeFirstOrNull() ?: throw BadOption("$option: a number is missing")
                return value.toIntOrNull()?.takeIf { it in range }
                    ?: throw BadOption(
                        "$option: a number from ${range.first} to ${range.last}, not '$value'"
                    )
            }
            while (rest.isNotEmpty()) {
                val arg = rest.removeFirst()
                options =
                    when (arg) {
                        "--rounds" -> options.copy(rounds = number(arg, 1..99))
                        "--warm-up" -> options.copy(warmUp = number(arg, 0..3600))
                        "--workers" -> options.copy(workers = number(arg, 1..1024))
                        "--clients" -> options.copy(clients = number(arg, 1..10_000))
                        "--rate" -> options.copy(rate = number(arg, 1..1_000_000))
                        "--port" -> options.copy(port = number(arg, 0..65_535))
                        "--serve" -> options.copy(serve = true)
                        "-h",
                        "--help" -> options.copy(help = true)
                        else -> options.withPath(arg)
                    }
            }
            return options
        }

        private fun Options.withPath(arg: String): Options =
            when {
                arg.startsWith("-") -> throw BadOption("there is no option $arg")
                arg.isEmpty() -> throw BadOption("PATH is empty")
                path != null -> throw BadOption("one PATH only, not both $path and $arg")
                else -> copy(path = arg)
            }
    }
}
