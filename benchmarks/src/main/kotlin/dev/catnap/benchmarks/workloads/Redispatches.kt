@file:JvmName("Redispatches")

package dev.catnap.benchmarks.workloads

import java.util.concurrent.atomic.AtomicInteger
import java.util.concurrent.locks.LockSupport
import kotlin.coroutines.Continuation
import kotlin.coroutines.intrinsics.COROUTINE_SUSPENDED
import kotlin.coroutines.intrinsics.intercepted
import kotlin.coroutines.intrinsics.suspendCoroutineUninterceptedOrReturn
import kotlin.coroutines.resume
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Job
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking

/**
 * A coroutine that resumes itself through its dispatcher, again and again. Its suspensions allocate
 * nothing: what is allocated is the dispatcher's.
 *
 * @return how often it was resumed
 */
fun resumeItself(dispatcher: CoroutineDispatcher, times: Int): Long {
    var count = 0L
    runBlocking(dispatcher) {
        repeat(times) {
            suspendCoroutineUninterceptedOrReturn<Unit> {
                it.intercepted().resume(Unit)
                COROUTINE_SUSPENDED
            }
            count++
        }
    }
    return Check.eachIs(times.toLong(), longArrayOf(count))
}

/**
 * Coroutines that the calling thread, which is none of the dispatcher's, resumes one after the
 * other, and again when all have suspended. Neither side allocates anything for it.
 *
 * @return how often they were resumed
 */
fun resumeFromOutside(dispatcher: CoroutineDispatcher, coroutines: Int, rounds: Int): Long {
    val counts = LongArray(coroutines)
    val suspended = arrayOfNulls<Continuation<Unit>>(coroutines)
    val running = AtomicInteger(coroutines)
    val outside = Thread.currentThread()
    val all = Job()
    val scope = CoroutineScope(dispatcher + all)
    repeat(coroutines) { i ->
        scope.launch {
            repeat(rounds) {
                suspendCoroutineUninterceptedOrReturn<Unit> {
                    suspended[i] = it.intercepted()
                    if (running.decrementAndGet() == 0) LockSupport.unpark(outside)
                    COROUTINE_SUSPENDED
                }
                counts[i]++
            }
        }
    }
    repeat(rounds) {
        while (running.get() > 0) LockSupport.park(running)
        running.set(coroutines)
        for (continuation in suspended) continuation!!.resume(Unit)
    }
    all.complete()
    runBlocking { all.join() }
    return Check.eachIs(rounds.toLong(), counts)
}
