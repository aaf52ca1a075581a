package dev.catnap.samples.demo

import java.io.IOException
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.channels.SendChannel
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext
import kotlinx.coroutines.yield

/**
 * Indexes a tree with a pipeline of coroutines: one walks the tree, a number of them read and split
 * files, and each shard of the index has one that writes. They run on whatever dispatcher calls
 * [run]; what blocks goes to the engine's dispatcher for blocking code.
 */
class Indexer(
    private val tree: SourceTree,
    private val engine: Engine,
    private val index: SymbolIndex,
    private val tally: Tally,
    private val readers: Int,
) {
    suspend fun run(): Unit = coroutineScope {
        val files = Channel<Found.Source>(READ_AHEAD)
        launch(engine.io) { walk(files) }
        for (writer in index.writers()) {
            launch { writer() }
        }
        coroutineScope {
            repeat(readers) {
                launch {
                    val splitter = Splitter()
                    for (file in files) {
                        add(file, splitter)
                    }
                }
            }
        }
        index.close()
    }

    private suspend fun walk(files: SendChannel<Found.Source>) {
        for (found in tree.walk()) {
            when (found) {
                is Found.Source -> files.send(found)
                is Found.Other -> tally.others.increment()
                is Found.Problem -> tally.problems.add(Problem(found.name, found.reason))
            }
        }
        files.close()
    }

    /** What a reader keeps from file to file. */
    private class Splitter {
        val text = FileText()
        val words = WordCounts()
        val lexer = Lexer(words)
    }

    private suspend fun add(file: Found.Source, splitter: Splitter) {
        val text = splitter.text
        try {
            withContext(engine.io) { file.open().use(text::read) }
            text.decode()
        } catch (e: IOException) {
            tally.problems.add(Problem(file.name, e.reason()))
            return
        }
        splitter.lexer.open(text.characters, text.length, file.language)
        while (splitter.lexer.advance(SLICE)) {
            tally.slice()
            yield()
        }
        tally.identifiers.add(index.add(splitter.words, file.language.keywords))
        tally.bytes.add(text.size.toLong())
        tally.files.increment()
        tally.slice()
    }

    private companion object {
        /** Files that the walk may be ahead of the readers. */
        const val READ_AHEAD = 64

        /**
         * Characters between two yields. Tasks are not interrupted, so this is about how long (some
         * 25 microseconds) a request waits for each reader that is before it in the queue, five or
         * six times on its way.
         */
        const val SLICE = 2_048
    }
}
