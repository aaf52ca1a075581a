package dev.catnap.samples.demo

import java.time.Duration
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTimeoutPreemptively
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.ValueSource

/** Which words of a text are identifiers, language by language. */
class LexerTest {
    private fun words(file: String, text: String, slice: Int = 1 shl 20): Map<String, Int> {
        val language = checkNotNull(Languages.ofFile(file))
        val counts = WordCounts()
        val lexer = Lexer(counts)
        lexer.open(text.toCharArray(), text.length, language)
        while (lexer.advance(slice)) {}
        val found = sortedMapOf<String, Int>()
        counts.forEach { name, n -> if (name !in language.keywords) found[name] = n }
        return found
    }

    private fun assertWords(expected: String, file: String, text: String) {
        val names = expected.split(' ').filter { it.isNotEmpty() }.groupingBy { it }.eachCount()
        assertEquals(names.toSortedMap(), words(file, text))
    }

    @Test
    fun java_commentsStringsAndCharacters() =
        assertWords(
            "a b c d d Override x1 \$y",
            "X.java",
            """
            /* no */ a /** no * / **/ b // no
            "no \" no" c '"' d '\'' d @Override x1 ${'$'}y 0x1F 10L 1.5e3f 1_000
            """,
        )

    @Test
    fun java_textBlock() =
        assertWords(
            "a b c",
            "X.java",
            "a \"\"\"\n no \" no \\\"\"\" no \"\" no\n\"\"\" b \"\" c",
        )

    @Test
    fun java_keywordsAndLiterals() =
        assertWords(
            "record Point var",
            "X.java",
            "public final record Point { null; true; var; _ }",
        )

    @Test fun java_unclosedStringEndsWithItsLine() = assertWords("a b", "X.java", "a \"no\nb")

    @Test
    fun kotlin_nestedCommentsAndBackticks() =
        assertEquals(
            setOf("a", "b c", "d"),
            words("x.kt", "/* /* no */ no */ a `b c` 'x' d 1..2").keys,
        )

    @Test
    fun kotlin_templates() =
        assertWords(
            "a b c d it e",
            "x.kts",
            "a \"no \$b no \${c[\"no\"] ?: d { \"}\" + it }} \\\$no\" e",
        )

    @Test
    fun kotlin_rawString() =
        assertWords("a b it c", "x.kt", "a \"\"\"no \\ \" \$b \${ { it } } no\"\"\"\" c")

    @Test
    fun scala_interpolatorsAndSymbols() =
        assertWords(
            "a x b c d",
            "x.scala",
            "a s\"no \${x} no\" \"\$no\" 'sym b 'c' raw\"\"\"no \\ \"\" \$c\"\"\" d",
        )

    @Test
    fun c_directivesAndNumbers() =
        assertWords(
            "MAX f x",
            "x.h",
            "#include <no.h>\n# define MAX 10'000'000\n#ifdef f\n0x1Fu; x",
        )

    @Test
    fun cpp_literalsWithPrefixes() =
        assertWords(
            "a b c",
            "x.cpp",
            "a = R\"x(no \" )\" no)x\"; b = L'n'; u8\"no\"; LR\"(no\\)\"; c",
        )

    @Test
    fun go_rawStrings() = assertWords("a b x c", "x.go", "func a() { b := `no \\`; x = '\\''; c }")

    @Test
    fun rust_lifetimesAndNestedComments() =
        assertWords("f T str x", "x.rs", "fn f<'a, T>(&'a str) { /* /* no */ */ x = 'c'; '\\''; }")

    @Test
    fun rust_rawStringsAndRawNames() =
        assertWords(
            "kind x y",
            "x.rs",
            "r#kind; r#\"no \" no\"#; x; br\"no\\\"; b'\\''; b\"no\"; y",
        )

    @Test
    fun python_commentsPrefixesAndTripleQuotes() =
        assertWords(
            "f x y z x",
            "x.py",
            "def f(x): # no\n  '''no ' no'''\n  rb'no' + F\"no\" // y\n  \"\"\"no\n\"\"\"\n  z x",
        )

    @Test
    fun javaScript_regularExpressions() =
        assertWords("a b c d x", "x.mjs", "a = /no['\"`\\/]/gi; b / c / d; return /[/]no/; x")

    @Test
    fun typeScript_templates() =
        assertWords("a b c", "x.ts", "`no \${a + `no \${b}`} no` + 'no' + \"no\" + c")

    @Test fun hashBangIsAComment() = assertWords("a", "x.kts", "#!/no/no\na")

    @Test
    fun lettersOfAllScripts() =
        assertWords("größe имя 変数 \uD835\uDD38b", "X.java", "größe имя 変数 \uD835\uDD38b € ≠ 😀")

    @ParameterizedTest
    @ValueSource(ints = [1, 2, 7, 100])
    fun slicesDoNotChangeTheResult(slice: Int) {
        val text = "/* no */ a \"no \${b} no\" 'c' `d` // no\n" + "e ".repeat(50) + "f"
        assertEquals(words("x.kt", text), words("x.kt", text, slice))
    }

    @ParameterizedTest
    @ValueSource(
        strings =
            ["\"", "'", "/*", "`", "\"\"\"", "\"\\", "\"\${", "r#\"", "R\"(", "'\\", "/", "#", "\$"]
    )
    fun textThatEndsTooSoonIsReadToItsEnd(end: String) =
        assertTimeoutPreemptively(Duration.ofSeconds(60)) { // else it is not read to its end
            for (language in Languages.all) {
                val file = "x." + language.extensions.first()
                assertTrue("a" in words(file, "a $end"), file)
                assertTrue("a" in words(file, "a r$end"), file)
            }
        }

    @Test
    fun manyDifferentWords() {
        val text = (0..<10_000).joinToString(" ") { "w${it % 5_000}" }
        val found = words("X.java", text)
        assertEquals(5_000, found.size)
        assertEquals(setOf(2), found.values.toSet())
    }
}
