------------------------------ MODULE Publish -------------------------------
(* Publishers: Sleep.publish and the pushes before it, WakeOne, and Sleep.sendNotification. By any*)
(* thread: an outsider, or a worker on behalf of its task.                                        *)
EXTENDS State

---------------------------------------------------------------------------------------------------
(* Publish, by any process.                                                                       *)

(* Push and PushFence of an outsider: Pool.publishContinuation.                                   *)
PushOutside(p, q) ==
  /\ pc[p] = "idle" /\ left > 0
  /\ queue' = [queue EXCEPT ![Injector(q)] = @ + 1]
  /\ left' = left - 1
  /\ CallPublish(p, q, "idle")
  /\ UNCHANGED <<sleepers, finished, letters>>

(* Push of a task that runs: Placement.QUEUED.                                                    *)
PushDeque(w) ==
  /\ pc[w] = "run" /\ left > 0
  /\ queue' = [queue EXCEPT ![Deque(w)] = @ + 1]
  /\ left' = left - 1
  /\ CallPublish(w, PoolOf(w), "run")
  /\ UNCHANGED <<sleepers, finished, letters>>

(* Placement.NEXT: what was in the slot gives way to the deque, and is in nobody's sight meanwhile. *)
PushSlot(w) ==
  /\ pc[w] = "run" /\ left > 0
  /\ left' = left - 1
  /\ queue' = [queue EXCEPT ![Slot(w)] = 1]
  /\ IF queue[Slot(w)] = 1
       THEN Goto(w, "displaced") /\ Keep(w, [NoRegisters EXCEPT !.hand = 1])
       ELSE IF Bug("SilentSlot")  \* Publisher.publish: no handOn() after slot.put
         THEN UNCHANGED <<pc, reg>>
         ELSE CallPublish(w, PoolOf(w), "run")
  /\ UNCHANGED <<sleepers, finished, letters>>

PushDisplaced(w) ==
  /\ pc[w] = "displaced"
  /\ queue' = [queue EXCEPT ![Deque(w)] = @ + 1]
  /\ CallPublishOf(w, PoolOf(w), "run", 2)  \* the new one, and the one that was moved
  /\ UNCHANGED <<sleepers, counts, letters>>

(* A task that publishes to another pool, and one that makes room in its deque.                   *)
PushInjector(w, q) ==
  /\ pc[w] = "run" /\ left > 0
  /\ queue' = [queue EXCEPT ![Injector(q)] = @ + 1]
  /\ left' = left - 1
  /\ CallPublish(w, q, "run")
  /\ UNCHANGED <<sleepers, finished, letters>>

Runners == {w \in Workers : pc[w] = "run"}

(* VisibleWork.isBacklogged, asked by publishers that are no workers of the pool. The code      *)
(* leaves two tasks to each that searches, and wakes no more than there are processors; here    *)
(* are few tasks, so it is one, and no bound: what may happen here, may happen more often.      *)
FromOutside(p) == p \in Outsiders \/ PoolOf(p) # reg[p].pool
Backlogged(p) == FromOutside(p) /\ queue[Injector(reg[p].pool)] > Searching(word[reg[p].pool])

NeedsWake(p, w) ==
  \* Sleep.needsWake: a count of running workers, of all pools, is read instead of the word
  LET skip == Bug("SkipWhenAllRun") /\ Cardinality(Runners) >= Cardinality(Crew(reg[p].pool)) IN
  /\ w.sleeping > 0
  /\ \/ NobodySearches(w)
     \/ Backlogged(p)
     \/ OnePerInsert
     \/ Bug("WakeWhileSearched")  \* Sleep.needsWake: no nobodySearches(w)
  /\ ~skip

ReadSleepers(p) ==
  /\ pc[p] = "readSleepers"
  /\ LET q == reg[p].pool
         w == MarkedActive(word[q])
     IN /\ word' = [word EXCEPT ![q] = w]
        /\ IF NeedsWake(p, w) THEN CallWakeOne(p, q, reg[p].back) ELSE AfterPublish(p)
  /\ UNCHANGED <<latch, permit, queue, counts, letters>>

(* WakeOne: one sleeper at a time, with a second look at the word, for one that was about to sleep  *)
(* may search by now. With the other rule each task needs a claim, whoever searches.               *)
WakeOne(p) ==
  /\ pc[p] = "wakeOne"
  /\ LET w == reg[p].at IN
     CASE w > WorkerCount -> AfterPublish(p)
       [] w <= WorkerCount /\ PoolOf(w) = reg[p].pool /\ latch[w] = "SLEEPING" ->
            /\ Goto(p, IF OnePerInsert \/ Bug("WakeEverybody") THEN "claim" ELSE "readAgain")
            /\ UNCHANGED reg
       [] OTHER -> Keep(p, [reg[p] EXCEPT !.at = w + 1]) /\ UNCHANGED pc
  /\ UNCHANGED <<sleepers, queue, counts, letters>>

ReadAgain(p) ==
  /\ pc[p] = "readAgain"
  /\ IF NeedsWake(p, word[reg[p].pool]) THEN Goto(p, "claim") /\ UNCHANGED reg ELSE AfterPublish(p)
  /\ UNCHANGED <<sleepers, queue, counts, letters>>

(* Claim and decrement apart.                                                                     *)
Claim(p) ==
  /\ pc[p] = "claim"
  /\ LET w == reg[p].at IN
     IF latch[w] = "SLEEPING"
       THEN IF Bug("ClaimWithoutCas")  \* WorkerLatch.claim: isSleeping(), then setVolatile(AWAKE)
              THEN Goto(p, "setAwake") /\ UNCHANGED <<reg, latch>>
              ELSE Goto(p, "deregister") /\ UNCHANGED reg /\ latch' = [latch EXCEPT ![w] = "AWAKE"]
       ELSE Goto(p, "wakeOne") /\ Keep(p, [reg[p] EXCEPT !.at = w + 1]) /\ UNCHANGED latch
  /\ UNCHANGED <<word, permit, queue, counts, letters>>

SetAwake(p) ==
  /\ pc[p] = "setAwake"
  /\ latch' = [latch EXCEPT ![reg[p].at] = "AWAKE"]
  /\ Goto(p, "deregister")
  /\ UNCHANGED <<reg, word, permit, queue, counts, letters>>

(* The unpark, in one step with the decrement before it: nothing can tell the two apart, since a   *)
(* park may also return spuriously. A permit that comes when w has seen its latch already is not  *)
(* kept: all that it would do is make a later park return once, and Sleep.sleep parks again.      *)
Permitted(w) == [permit EXCEPT ![w] = pc[w] \in {"parked", "spare"} /\ latch[w] # "SLEEPING"]

Decremented(w) == [word EXCEPT ![PoolOf(w)].sleeping = @ - 1]

Deregister(p) ==
  /\ pc[p] = "deregister"
  /\ word' = Decremented(reg[p].at)
  /\ permit' = Permitted(reg[p].at)
  /\ IF Bug("WakeEverybody")  \* Sleep.wakeOne: return 1 + wake(n)
       THEN Keep(p, [reg[p] EXCEPT !.at = @ + 1, !.wakes = @ + 1]) /\ Goto(p, "wakeOne")
       ELSE IF reg[p].more > 0  \* Sleep.wake
       THEN Keep(p, [reg[p] EXCEPT !.at = @ + 1, !.more = @ - 1]) /\ Goto(p, "wakeOne")
       ELSE AfterWake(p)
  /\ UNCHANGED <<latch, queue, counts, letters>>

Publishing(p) ==
  ReadSleepers(p) \/ WakeOne(p) \/ ReadAgain(p) \/ Claim(p) \/ SetAwake(p) \/ Deregister(p)

---------------------------------------------------------------------------------------------------
(* Sleep.sendNotification: something is addressed to w, then the latch says so.                   *)

Address(p, w) ==
  /\ pc[p] = "idle" /\ lettersLeft > 0
  /\ letter' = [letter EXCEPT ![w] = TRUE]
  /\ lettersLeft' = lettersLeft - 1
  /\ Goto(p, "notify")
  /\ Keep(p, [NoRegisters EXCEPT !.at = w, !.back = "idle"])
  /\ UNCHANGED <<sleepers, queue, counts>>

(* Owed to a sleeper: the decrement and the unpark, as by any other that claims it.               *)
SendNotification(p) ==
  /\ pc[p] = "notify"
  /\ LET w == reg[p].at
         \* WorkerLatch.sendNotification: returns NOTHING_OWED from AWAKE without a CAS
         skip == latch[w] = "RETIRED" \/ (Bug("NotificationSkipsAwake") /\ latch[w] = "AWAKE")
     IN /\ latch' = IF skip THEN latch ELSE [latch EXCEPT ![w] = "NOTIFIED"]
        /\ IF latch[w] = "SLEEPING" THEN Goto(p, "notifyDeregister")
           ELSE IF latch[w] = "SPARE" THEN Goto(p, "notifyUnpark")
           ELSE Goto(p, "notified")
  /\ UNCHANGED <<reg, word, permit, queue, counts, letters>>

(* Owed to a spare: the unpark alone. *)
PayNotification(p) ==
  /\ pc[p] \in {"notifyDeregister", "notifyUnpark"}
  /\ word' = IF pc[p] = "notifyDeregister" THEN Decremented(reg[p].at) ELSE word
  /\ permit' = Permitted(reg[p].at)
  /\ Goto(p, "notified")
  /\ UNCHANGED <<reg, latch, queue, counts, letters>>

Notified(p) ==
  /\ pc[p] = "notified"
  /\ Return(p)
  /\ UNCHANGED <<sleepers, queue, counts, letters>>

Notifying(p) == SendNotification(p) \/ PayNotification(p)
=============================================================================
