package dev.catnap.samples.demo

/**
 * The languages that are indexed, by file extension. Only reserved words count as keywords; words
 * that are reserved in some places only (`record` in Java, `data` in Kotlin) are identifiers
 * everywhere.
 */
object Languages {
    private fun words(text: String) = text.split(' ', '\n').filterTo(HashSet()) { it.isNotEmpty() }

    private val java =
        Language(
            "Java",
            setOf("java"),
            words(
                """abstract assert boolean break byte case catch char class const continue default
                do double else enum extends false final finally float for goto if implements
                import instanceof int interface long native new null package private protected
                public return short static strictfp super switch synchronized this throw throws
                transient true try void volatile while _"""
            ),
            dollarInNames = true,
            tripleString = StringKind('"', triple = true),
        )

    private val kotlin =
        Language(
            "Kotlin",
            setOf("kt", "kts"),
            words(
                """as break class continue do else false for fun if in interface is null object
                package return super this throw true try typealias typeof val var when while"""
            ),
            nestedComments = true,
            string = StringKind('"', template = Template.NAMES),
            tripleString =
                StringKind(
                    '"',
                    triple = true,
                    escapes = false,
                    template = Template.NAMES,
                    closesLate = true,
                ),
            backtick = Backtick.IDENTIFIER,
        )

    private val scala =
        Language(
            "Scala",
            setOf("scala", "sc"),
            words(
                """abstract case catch class def do else enum export extends false final finally
                for given if implicit import lazy match new null object override package private
                protected return sealed super then this throw trait true try type val var while
                with yield _"""
            ),
            nestedComments = true,
            dollarInNames = true,
            tripleString = StringKind('"', triple = true, escapes = false, closesLate = true),
            apostrophe = Apostrophe.CHARACTER_OR_LABEL,
            backtick = Backtick.IDENTIFIER,
            prefixes = Prefixes.SCALA,
        )

    private val c =
        Language(
            "C and C++",
            setOf("c", "h", "cc", "cpp", "cxx", "hh", "hpp", "hxx"),
            words(
                """alignas alignof auto bool break case catch char class const const_cast consteval
                constexpr constinit continue decltype default delete do double dynamic_cast else
                enum explicit export extern false float for friend goto if inline int long
                mutable namespace new noexcept nullptr operator private protected public
                register reinterpret_cast restrict return short signed sizeof static
                static_assert static_cast struct switch template this thread_local throw true
                try typedef typeid typename union unsigned using virtual void volatile wchar_t
                while"""
            ),
            directives = true,
            digitSeparators = true,
            prefixes = Prefixes.C,
        )

    private val go =
        Language(
            "Go",
            setOf("go"),
            words(
                """break case chan const continue default defer else fallthrough for func go goto
                if import interface map package range return select struct switch type var"""
            ),
            backtick = Backtick.STRING,
        )

    private val rust =
        Language(
            "Rust",
            setOf("rs"),
            words(
                """as async await break const continue crate dyn else enum extern false fn for if
                impl in let loop match mod move mut pub ref return self Self static struct super
                trait true type unsafe use where while _"""
            ),
            nestedComments = true,
            string = StringKind('"', lines = true),
            apostrophe = Apostrophe.CHARACTER_OR_LABEL,
            prefixes = Prefixes.RUST,
        )

    private val python =
        Language(
            "Python",
            setOf("py", "pyi"),
            words(
                """False None True and as assert async await break class continue def del elif else
                except finally for from global if import in is lambda nonlocal not or pass raise
                return try while with yield"""
            ),
            slashComments = false,
            hashComments = true,
            tripleString = StringKind('"', triple = true),
            tripleApostrophe = StringKind('\'', triple = true),
            apostrophe = Apostrophe.STRING,
            prefixes = Prefixes.PYTHON,
        )

    private val javaScript =
        Language(
            "JavaScript and TypeScript",
            setOf("js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx"),
            words(
                """await break case catch class const continue debugger default delete do else enum
                export extends false finally for function if import in instanceof let new null
                return static super switch this throw true try typeof var void while with yield"""
            ),
            dollarInNames = true,
            regularExpressions = true,
            apostrophe = Apostrophe.STRING,
            backtick = Backtick.STRING,
            backtickString = StringKind('`', template = Template.BRACES, lines = true),
        )

    val all = listOf(java, kotlin, scala, c, go, rust, python, javaScript)

    private val byExtension =
        all.flatMap { language -> language.extensions.map { it to language } }.toMap()

    /** The language of a file by its name, or null if it is not one that is indexed. */
    fun ofFile(name: String): Language? {
        val dot = name.lastIndexOf('.')
        return if (dot < 0) null else byExtension[name.substring(dot + 1).lowercase()]
    }

    /** For messages. */
    fun extensions(): String = all.flatMap { it.extensions }.joinToString(" ") { ".$it" }
}
