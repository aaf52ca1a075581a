@file:JvmName("AsyncTree")

package dev.catnap.benchmarks.workloads

import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.async
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.runBlocking

/**
 * Fork/join: a Fibonacci number by the tree of its definition, one `async` for each left branch.
 *
 * @return the number
 */
fun fibonacciTree(dispatcher: CoroutineDispatcher, n: Int): Long {
    val found = runBlocking(dispatcher) { fibonacci(n) }
    return Check.eachIs(fibonacciLoop(n), longArrayOf(found))
}

private suspend fun fibonacci(n: Int): Long = coroutineScope { branch(n) }

private suspend fun CoroutineScope.branch(n: Int): Long {
    if (n < 2) return n.toLong()
    val left = async { fibonacci(n - 1) }
    val right = fibonacci(n - 2)
    return left.await() + right
}

/** The same number without a tree, to check it. */
fun fibonacciLoop(n: Int): Long {
    var previous = 0L
    var current = 1L
    repeat(n) {
        val next = previous + current
        previous = current
        current = next
    }
    return previous
}
