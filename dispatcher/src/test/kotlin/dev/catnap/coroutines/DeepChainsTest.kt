package dev.catnap.coroutines

import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.async
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.launch
import kotlinx.coroutines.withContext
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.extension.RegisterExtension
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.EnumSource

/** G5: to resume is to dispatch, not to call, so that no chain is too long for a stack. */
@Timeout(120)
internal class DeepChainsTest {
    @JvmField @RegisterExtension val schedulers = Schedulers()

    private val n = 10_000

    @ParameterizedTest
    @EnumSource
    fun eachCoroutineResumedByTheOneBefore(route: Route) = runSoon {
        val dispatcher = schedulers.dispatcher(2)
        val d = route.of(dispatcher)
        val links = List(n + 1) { CompletableDeferred<Int>() }
        repeat(n) { i -> launch(d) { links[i + 1].complete(links[i].await() + 1) } }
        links[0].complete(0)
        assertEquals(n, links[n].await())
        assertServes(dispatcher)
    }

    @ParameterizedTest
    @EnumSource
    fun chainOfChannels(route: Route) = runSoon {
        val dispatcher = schedulers.dispatcher(2)
        val d = route.of(dispatcher)
        val links = List(n + 1) { Channel<Int>() }
        repeat(n) { i -> launch(d) { links[i + 1].send(links[i].receive() + 1) } }
        launch(d) { links[0].send(0) }
        assertEquals(n, links[n].receive())
        assertServes(dispatcher)
    }

    private suspend fun hop(depth: Int, to: CoroutineDispatcher, back: CoroutineDispatcher): Int =
        if (depth == 0) 0 else withContext(to) { hop(depth - 1, back, to) + 1 }

    @ParameterizedTest
    @EnumSource(Route::class, mode = EnumSource.Mode.EXCLUDE, names = ["DIRECT"])
    fun nestedWithContext_backAndForth(route: Route) = runSoon {
        val dispatcher = schedulers.dispatcher(2)
        assertEquals(n, hop(n, dispatcher, route.of(dispatcher)))
        assertServes(dispatcher)
    }

    private suspend fun asyncs(depth: Int, d: CoroutineDispatcher): Int =
        if (depth == 0) 0 else coroutineScope { async(d) { asyncs(depth - 1, d) }.await() + 1 }

    @ParameterizedTest
    @EnumSource
    fun nestedAsyncAwait(route: Route) = runSoon {
        val dispatcher = schedulers.dispatcher(2)
        assertEquals(n, asyncs(n, route.of(dispatcher)))
        assertServes(dispatcher)
    }
}
