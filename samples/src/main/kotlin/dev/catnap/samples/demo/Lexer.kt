package dev.catnap.samples.demo

/**
 * Finds the words of a source text that are neither in comments nor in literals, and counts them.
 * It works in slices, so that a coroutine that reads a long file can yield between two of them. Not
 * thread-safe; made to be used for one text after the other.
 *
 * It knows the lexical grammar of a [Language] and nothing of its syntax. Where that is not enough
 * it guesses: a slash in JavaScript opens a regular expression where no operand can have ended, and
 * text between JSX tags counts as code.
 */
class Lexer(private val words: WordCounts) : Cursor() {
    /** The strings in whose templates we are, outermost first. */
    private val strings = ArrayList<StringKind>()

    /** The braces that are open in each of these templates. */
    private val braces = ArrayList<Int>()

    /** The last character that was neither blank nor comment, or [NAME] or [OPERAND]. */
    private var last = ' '
    private var nameStart = 0
    private var nameEnd = 0

    /** Begins a text: the first [length] characters of [text]. */
    fun open(text: CharArray, length: Int, language: Language) {
        moveTo(text, length, language)
        words.open(text)
        last = ' '
        strings.clear()
        braces.clear()
        if (startsWith("#!")) {
            skipLine()
        }
    }

    /** Goes on for about [characters] characters and returns whether there is more. */
    fun advance(characters: Int): Boolean {
        val pause = minOf(end, at + characters)
        while (at < pause) {
            val c = text[at]
            when {
                isNameStart(c) -> name()
                c <= ' ' -> at++
                else -> symbol(c)
            }
        }
        return at < end
    }

    private fun symbol(c: Char) {
        when (c) {
            in '0'..'9' -> {
                skipNumber()
                last = OPERAND
            }
            '"' -> string(if (startsWith(TRIPLE)) language.tripleString else language.string)
            '\'' -> apostrophe()
            '`' -> backtick()
            '/' -> slash()
            '#' -> hash()
            '{' -> brace(1)
            '}' -> brace(-1)
            else -> mark(c)
        }
    }

    private fun mark(c: Char) {
        last = c
        at++
    }

    private fun name() {
        nameStart = at
        val hash = scanName()
        nameEnd = at
        val next = if (at < end) text[at] else ' '
        if (next == '"' || next == '\'' || next == '#') {
            if (skipPrefixed()) {
                return
            }
        }
        words.add(nameStart, nameEnd - nameStart, hash)
        last = NAME
    }

    /** The name that was met last. */
    private fun lastName() = String(text, nameStart, nameEnd - nameStart)

    /** Skips the literal that the name before it belongs to, if there is one. */
    private fun skipPrefixed(): Boolean {
        if (language.prefixes == Prefixes.NONE) {
            return false
        }
        when (val what = Prefixed.of(language.prefixes, lastName(), text, at, end)) {
            null -> return false
            Prefixed.Plain -> symbol(text[at])
            Prefixed.Name -> mark('#')
            is Prefixed.Literal -> string(what.kind)
            is Prefixed.Raw -> {
                at += what.opening
                skipTo(what.closing)
                last = OPERAND
            }
        }
        return true
    }

    private fun slash() {
        when {
            language.slashComments && startsWith("//") -> skipLine()
            language.slashComments && startsWith("/*") -> skipComment()
            language.regularExpressions && !operandEnded() -> {
                skipRegularExpression()
                last = OPERAND
            }
            else -> mark('/')
        }
    }

    /** Whether what stands before a slash is an operand, so that the slash divides it. */
    private fun operandEnded() =
        when (last) {
            NAME -> lastName() !in BEFORE_EXPRESSION
            OPERAND,
            ')',
            ']' -> true
            else -> false
        }

    private fun hash() {
        when {
            language.hashComments -> skipLine()
            language.directives -> directive()
            else -> mark('#')
        }
    }

    /** `#define NAME value`: code after the first word, unless that is prose or names a file. */
    private fun directive() {
        mark('#')
        while (at < end && (text[at] == ' ' || text[at] == '\t')) {
            at++
        }
        val start = at
        if (at < end && isNameStart(text[at])) {
            scanName()
        }
        if (String(text, start, at - start) in WITHOUT_CODE) {
            skipLine()
        }
    }

    private fun apostrophe() {
        when (language.apostrophe) {
            Apostrophe.CHARACTER -> string(CHARACTER)
            Apostrophe.STRING ->
                string(if (startsWith(TRIPLE_APOSTROPHE)) language.tripleApostrophe else CHARACTER)
            Apostrophe.CHARACTER_OR_LABEL -> characterOrLabel()
        }
    }

    private fun characterOrLabel() {
        val wide = at + 1 < end && Character.isHighSurrogate(text[at + 1])
        val close = at + if (wide) 3 else 2
        if (at + 1 < end && text[at + 1] == '\\' || close < end && text[close] == '\'') {
            string(CHARACTER)
        } else {
            mark('\'')
            if (at < end && isNameStart(text[at])) {
                scanName()
            }
        }
    }

    private fun backtick() {
        when (language.backtick) {
            Backtick.NOTHING -> mark('`')
            Backtick.STRING -> string(language.backtickString)
            Backtick.IDENTIFIER -> {
                val start = ++at
                var hash = 0
                while (at < end && text[at] != '`' && text[at] != '\n') {
                    hash = 31 * hash + text[at++].code
                }
                if (at > start) {
                    words.add(start, at - start, hash)
                }
                mark('`')
            }
        }
    }

    private fun string(kind: StringKind) {
        at += if (kind.triple) 3 else 1
        inString(kind)
    }

    /** From a place inside a string to its end, or to the template that interrupts it. */
    private fun inString(kind: StringKind) {
        while (at < end) {
            val c = text[at]
            when {
                c == kind.quote -> if (closes(kind)) return
                c == '\\' && kind.escapes -> at = minOf(end, at + 2)
                c == '\n' && !kind.lines -> return
                c == '$' && kind.template != Template.NONE -> if (opensTemplate(kind)) return
                else -> at++
            }
        }
    }

    /** At a quote: moves past it, and says whether the string ends there. */
    private fun closes(kind: StringKind): Boolean {
        last = OPERAND
        if (!kind.triple) {
            at++
            return true
        }
        var row = 1
        while (at + row < end && text[at + row] == kind.quote) {
            row++
        }
        at += if (row < 3 || kind.closesLate) row else 3
        return row >= 3
    }

    /** At a dollar sign: moves past it, and says whether code follows, up to a closing brace. */
    private fun opensTemplate(kind: StringKind): Boolean {
        at++
        if (at < end && text[at] == '{') {
            mark('{')
            strings.add(kind)
            braces.add(0)
            return true
        }
        if (kind.template == Template.NAMES && at < end && isNameStart(text[at])) {
            val start = at
            val hash = scanName()
            words.add(start, at - start, hash)
        }
        return false
    }

    private fun brace(step: Int) {
        mark(if (step > 0) '{' else '}')
        if (strings.isNotEmpty()) {
            val open = braces.removeLast() + step
            if (open < 0) {
                inString(strings.removeLast())
            } else {
                braces.add(open)
            }
        }
    }

    private companion object {
        /** In [last]: a name or keyword. */
        const val NAME = 'a'
        /** In [last]: a literal. */
        const val OPERAND = '0'

        const val TRIPLE = "\"\"\""
        const val TRIPLE_APOSTROPHE = "'''"
        val CHARACTER = StringKind('\'')
        val WITHOUT_CODE = setOf("include", "error", "warning", "pragma")

        /** Words of JavaScript after which a slash does not divide. */
        val BEFORE_EXPRESSION =
            setOf("return", "typeof", "case", "in", "of", "delete", "void", "throw", "new") +
                setOf("else", "do", "instanceof", "yield", "await")
    }
}
