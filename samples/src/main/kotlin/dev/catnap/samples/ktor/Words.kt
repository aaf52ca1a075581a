package dev.catnap.samples.ktor

import kotlin.coroutines.coroutineContext
import kotlinx.coroutines.ensureActive

/** What was counted in a text. */
class Words(val total: Int, val distinct: Int, val longest: String, val mostFrequent: String) {
    fun toJson() =
        """{"total":$total,"distinct":$distinct,"longest":"$longest","mostFrequent":"$mostFrequent"}"""

    companion object {
        private val WORD = Regex("[\\p{L}\\p{N}]+") // nothing that JSON would have to escape
        private const val WORDS_BETWEEN_LOOKS = 1024

        /** Keeps a processor busy; stops soon after its coroutine was cancelled. */
        suspend fun count(text: String): Words {
            val counts = HashMap<String, Int>()
            var total = 0
            for (match in WORD.findAll(text)) {
                if (total++ % WORDS_BETWEEN_LOOKS == 0) {
                    coroutineContext.ensureActive()
                }
                counts.merge(match.value.lowercase(), 1, Int::plus)
            }
            val byLength = compareByDescending<String> { it.length }.thenBy { it }
            val byCount = compareByDescending<Map.Entry<String, Int>> { it.value }
            return Words(
                total,
                counts.size,
                counts.keys.minWithOrNull(byLength) ?: "",
                counts.entries.minWithOrNull(byCount.thenBy { it.key })?.key ?: "",
            )
        }
    }
}
