package dev.catnap.coroutines

import java.io.File
import java.util.concurrent.atomic.AtomicInteger
import kotlin.coroutines.EmptyCoroutineContext
import kotlinx.coroutines.CoroutineDispatcher
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertInstanceOf
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.extension.RegisterExtension

/**
 * G2, G7: who dispatches to a view in a recursion that has no end gets a StackOverflowError; then
 * that task does not run, and the view has lost neither a permit nor another task.
 */
@Timeout(120)
internal class EndOfTheStackTest {
    private companion object {
        /** In bytes: its end is soon reached. */
        const val STACK = 256L * 1024
    }

    @JvmField @RegisterExtension val schedulers = Schedulers()

    private val ran = AtomicInteger()
    private val task = Runnable { ran.incrementAndGet() }

    /** Dispatches that returned. */
    private var accepted = 0

    private fun dispatchUntilTheEnd(view: CoroutineDispatcher, depth: Int): Int {
        while (ran.get() < accepted) { // a view that is busy takes no permit
            Thread.onSpinWait()
        }
        view.dispatch(EmptyCoroutineContext, task)
        accepted++
        return dispatchUntilTheEnd(view, depth + 1) xor depth
    }

    private fun descend(levels: Int, view: CoroutineDispatcher): Int =
        if (levels == 0) dispatchUntilTheEnd(view, 0) else descend(levels - 1, view) + levels

    private fun check(view: CoroutineDispatcher) {
        for (levels in 0 until 60) {
            var failure: Throwable? = null
            val deep = Runnable {
                // The loader of classes and the linker need more than there is at the end.
                repeat(200) {
                    view.dispatch(EmptyCoroutineContext, task)
                    accepted++
                }
                try {
                    awaitUntil("all run") { ran.get() >= accepted }
                    descend(levels, view)
                } catch (thrown: Throwable) {
                    failure = thrown
                }
            }
            val thread = Thread(null, deep, "deep", STACK)
            thread.start()
            thread.join()
            assertInstanceOf(StackOverflowError::class.java, failure)
            awaitUntil("all run that were accepted") { ran.get() >= accepted }
        }
        view.dispatch(EmptyCoroutineContext, task)
        awaitUntil("the view goes on") { ran.get() > accepted }
        assertEquals(accepted + 1, ran.get(), "and no other")
    }

    @Test fun aView() = check(schedulers.dispatcher(2).limitedParallelism(1))

    @Test fun io() = check(schedulers.dispatcher(2).io())

    @Test
    fun aViewOfAViewOfIo() =
        check(schedulers.dispatcher(2).io().limitedParallelism(8).limitedParallelism(2))

    /**
     * G7: one that is linked where the stack ends fails there, and whenever it is reached again.
     */
    @Test
    fun noConcatenationIsLinkedByTheJvm() {
        val classes = File("target/classes").walk().filter { it.extension == "class" }.toList()
        val (linked, others) =
            classes.partition { "makeConcatWithConstants" in it.readText(Charsets.ISO_8859_1) }
        assertEquals(emptyList<File>(), linked)
        assertTrue(others.isNotEmpty(), "no classes in ${File("").absolutePath}")
    }
}
