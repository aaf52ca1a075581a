package dev.catnap.samples.demo

/** A place in a source text, and the ways past what needs no decision. Not thread-safe. */
open class Cursor {
    protected var text = CharArray(0)
        private set

    protected var end = 0
        private set

    protected lateinit var language: Language
        private set

    protected var at = 0

    protected fun moveTo(text: CharArray, length: Int, language: Language) {
        this.text = text
        this.language = language
        end = length
        at = 0
    }

    protected fun isNameStart(c: Char) =
        if (c < '\u0080') {
            c in 'a'..'z' || c in 'A'..'Z' || c == '_' || c == '$' && language.dollarInNames
        } else {
            Character.isUnicodeIdentifierStart(Character.codePointAt(text, at, end))
        }

    protected fun isNamePart(c: Char) =
        when {
            c < '\u0080' -> isNameStart(c) || c in '0'..'9'
            Character.isLowSurrogate(c) -> true // the second half of what was accepted before
            else -> Character.isUnicodeIdentifierPart(Character.codePointAt(text, at, end))
        }

    /** At the start of a name: moves past it and returns the [String.hashCode] of it. */
    protected fun scanName(): Int {
        var hash = 0
        do {
            hash = 31 * hash + text[at++].code
        } while (at < end && isNamePart(text[at]))
        return hash
    }

    /** At a digit. */
    protected fun skipNumber() {
        while (at < end) {
            val c = text[at]
            val separator = c == '\'' && language.digitSeparators && isAt(at + 1, HEX_DIGITS)
            if (!separator && !isNamePart(c) && !(c == '.' && isAt(at + 1, DIGITS))) {
                return
            }
            at++
        }
    }

    protected fun skipLine() {
        while (at < end && text[at] != '\n') {
            at++
        }
    }

    /** At its opening. Half of some source trees is comments, so this looks at a character once. */
    protected fun skipComment() {
        var depth = 1
        at += 2
        while (at + 1 < end) {
            val c = text[at]
            if (c == '*' && text[at + 1] == '/') {
                at += 2
                if (--depth == 0) {
                    return
                }
            } else if (c == '/' && text[at + 1] == '*' && language.nestedComments) {
                at += 2
                depth++
            } else {
                at++
            }
        }
        at = end
    }

    /** At the first slash of a regular expression of JavaScript. */
    protected fun skipRegularExpression() {
        at++
        var inClass = false
        while (at < end && text[at] != '\n' && (inClass || text[at] != '/')) {
            when (text[at]) {
                '\\' -> at++
                '[' -> inClass = true
                ']' -> inClass = false
            }
            at++
        }
        at = minOf(at + 1, end)
        while (at < end && isNamePart(text[at])) {
            at++ // the flags
        }
    }

    /** Past the next [closing] from here on, or to the end. */
    protected fun skipTo(closing: String) {
        while (at < end && !startsWith(closing)) {
            at++
        }
        at = minOf(end, at + closing.length)
    }

    protected fun startsWith(what: String): Boolean {
        if (at + what.length > end) {
            return false
        }
        for (i in what.indices) {
            if (text[at + i] != what[i]) {
                return false
            }
        }
        return true
    }

    private fun isAt(i: Int, what: String) = i < end && text[i] in what

    private companion object {
        const val DIGITS = "0123456789"
        const val HEX_DIGITS = DIGITS + "abcdefABCDEF"
    }
}
