package dev.catnap.coroutines

import java.io.File
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test

/** docs/coroutines.md promises tests: they are there. */
internal class DocsTest {
    private val base = File(System.getProperty("basedir", "."))

    private val rows =
        base
            .resolve("../docs/coroutines.md")
            .readText()
            .substringAfter("## What a dispatcher must get right")
            .lines()
            .filter { it.startsWith("| ") && !it.startsWith("| |") }

    private val name = Regex("`([A-Z]\\w*Test)\\.(\\w+)`")

    @Test
    fun everyRowOfTheChecklist_namesATest() {
        assertTrue(rows.size >= 15, "$rows")
        assertEquals(
            emptyList<String>(),
            rows.filter { name.find(it.split('|').dropLast(1).last()) == null },
        )
    }

    @Test
    fun everyTestThatIsNamed_exists() {
        val missing =
            rows
                .flatMap { name.findAll(it) }
                .filterNot { match ->
                    val (type, method) = match.destructured
                    val source = base.resolve("src/test/kotlin/dev/catnap/coroutines/$type.kt")
                    source.isFile &&
                        Regex("(Test|Source[^@]*)\\s+fun $method\\(")
                            .containsMatchIn(source.readText())
                }
                .map { it.value }
        assertEquals(emptyList<String>(), missing)
    }
}
