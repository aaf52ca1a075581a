package dev.catnap.coroutines

import java.util.concurrent.TimeUnit
import kotlin.random.Random
import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.extension.RegisterExtension

/**
 * G1, G2, G4, G6, G7, G9, G11: everything at once, for as long as `catnap.soak.seconds` says. Each
 * round has a scheduler of its own, of random size; every second one is closed under load. The gate
 * runs the same few programs each time. The seed of a run is printed, and `catnap.soak.seed`
 * repeats its choices, though not their timing.
 */
internal class SoakTest {
    @JvmField @RegisterExtension val schedulers = Schedulers()

    /** No limit on a hang, which ends a round after [DEADLINE], but on a soak of many rounds. */
    @Timeout(value = 55, unit = TimeUnit.MINUTES)
    @Test
    fun everythingAtOnce_everyCoroutineIsAccountedFor() {
        val length = System.getProperty("catnap.soak.seconds", "0").toInt().seconds
        val given = System.getProperty("catnap.soak.seed", "random")
        val seed = if (given == "random") Random.nextLong() else given.toLong()
        println("soak test: $length, -Dcatnap.soak.seed=$seed")
        val random = Random(seed)
        val end = TimeSource.Monotonic.markNow() + length
        val total = Books()
        var rounds = 0
        while (rounds < LEAST_ROUNDS || end.hasNotPassedNow()) {
            try {
                val round = SoakRound(schedulers, Random(random.nextLong()))
                round.run(closeUnderLoad = rounds++ % 2 == 1)
                total += round.books
            } catch (e: Throwable) {
                throw AssertionError("round $rounds of seed $seed", e)
            }
        }
        println("covered: $rounds rounds of the soak")
        println("covered: ${total.started} coroutines in the soak")
        println("covered: soak of $length, -Dcatnap.soak.seed=$seed: $total")
        assertTrue(total.completed.sum() > 0, "some complete")
        assertTrue(total.cancelled.sum() > 0, "some are cancelled")
        assertTrue(total.failed.sum() > 0, "some fail")
    }

    private companion object {
        /** Two to the end, and two closed under load. */
        const val LEAST_ROUNDS = 4
    }
}
