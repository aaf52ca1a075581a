package dev.catnap.samples.demo

/** How a string literal ends, and what may be inside it. */
class StringKind(
    val quote: Char,
    /** Whether three quotes open and close it. */
    val triple: Boolean = false,
    /** Whether a backslash takes away the meaning of the next character. */
    val escapes: Boolean = true,
    /** What opens code inside it. */
    val template: Template = Template.NONE,
    /**
     * Whether it may go on after the end of the line; where it may not, an unclosed one ends there.
     */
    val lines: Boolean = triple,
    /** Whether the last three quotes of a longer row close it, rather than the first three. */
    val closesLate: Boolean = false,
)

enum class Template {
    NONE,
    /** `${code}` only. */
    BRACES,
    /** `${code}` and `$name`. */
    NAMES,
}

/** What an apostrophe opens. */
enum class Apostrophe {
    CHARACTER,
    STRING,
    /** A character, or a name that is no identifier: a lifetime of Rust, a symbol of old Scala. */
    CHARACTER_OR_LABEL,
}

/** What a backtick opens. */
enum class Backtick {
    NOTHING,
    IDENTIFIER,
    STRING,
}

/** What stands directly before a quote and belongs to the literal. */
enum class Prefixes {
    NONE,
    C,
    RUST,
    PYTHON,
    /** Any identifier: it says how the templates in the string are put together. */
    SCALA,
}

/** The lexical rules that decide which words of a source file are identifiers. */
class Language(
    val name: String,
    val extensions: Set<String>,
    val keywords: Set<String>,
    val slashComments: Boolean = true,
    val nestedComments: Boolean = false,
    val hashComments: Boolean = false,
    val directives: Boolean = false,
    val dollarInNames: Boolean = false,
    val digitSeparators: Boolean = false,
    val regularExpressions: Boolean = false,
    val string: StringKind = StringKind('"'),
    val tripleString: StringKind = string,
    val tripleApostrophe: StringKind = StringKind('\''),
    val apostrophe: Apostrophe = Apostrophe.CHARACTER,
    val backtick: Backtick = Backtick.NOTHING,
    val backtickString: StringKind = StringKind('`', escapes = false, lines = true),
    val prefixes: Prefixes = Prefixes.NONE,
) {
    override fun toString() = name
}
