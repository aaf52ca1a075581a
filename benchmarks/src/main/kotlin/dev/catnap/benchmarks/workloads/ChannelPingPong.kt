@file:JvmName("ChannelPingPong")

package dev.catnap.benchmarks.workloads

import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking

/**
 * Pairs of coroutines that pass a number to and fro through two rendezvous channels: one sends `i`,
 * the other sends back `i + 1`. Entered from outside, once for all pairs and rounds.
 *
 * @return the sum of what came back
 */
fun channelPingPong(dispatcher: CoroutineDispatcher, pairs: Int, rounds: Int): Long {
    val sums = LongArray(pairs)
    runBlocking(dispatcher) {
        repeat(pairs) { pair ->
            val ping = Channel<Int>()
            val pong = Channel<Int>()
            launch {
                var sum = 0L
                repeat(rounds) {
                    ping.send(it)
                    sum += pong.receive()
                }
                sums[pair] = sum
            }
            launch { repeat(rounds) { pong.send(ping.receive() + 1) } }
        }
    }
    return Check.eachIs(rounds * (rounds + 1L) / 2, sums)
}
