package dev.catnap.samples

import dev.catnap.coroutines.CatnapDispatchers
import java.io.File
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.delay
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext

/** Coroutines on Catnap: its two dispatchers stand where `Dispatchers.Default` and `.IO` would. */
fun main() {
    val file = File(System.getProperty("java.home"), "release")
    runBlocking(CatnapDispatchers.Default) {
        val lengths =
            List(1000) {
                async {
                    delay(10) // no thread waits for this
                    val text = withContext(CatnapDispatchers.IO) { file.readText() } // may block
                    text.length
                }
            }
        println("1000 coroutines read ${lengths.awaitAll().sum()} characters")
    }
}
