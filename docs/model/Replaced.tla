------------------------------ MODULE Replaced ------------------------------
(* Workers that wait in the middle of a task and park, as long as others have their rights:       *)
(* Forks.block, Section.beginReplaced to endReplaced, RunRights.tryRelease and handOut,           *)
(* Crew.recall, Sleep.await and wakeWaiter. Beside them those who release a right for good: a     *)
(* worker that blocks, the sentinel. There are a few threads that can be started, then no more.   *)
(* How who runs looks for work, and spares that stand by, are left out: that is in Spares.        *)
EXTENDS Integers, FiniteSets

CONSTANTS
  WaiterCount,
  ReleaserCount,
  Surplus,      \* so many rights less than there are waiters and releasers, which all hold one
  ThreadLimit,  \* threads that can be started
  EndLimit,     \* waits that are over by themselves
  Bugs

VARIABLES
  rights,       \* RunRights.unclaimed
  threads,
  waiter,       \* SectionState.waiter is there
  latch,
  permit,       \* of LockSupport
  done,         \* Awaited.isDone
  pc,
  left,         \* in Crew.recall: so many more
  at,           \* in Crew.recall: who is next
  endsLeft

vars == <<rights, threads, waiter, latch, permit, done, pc, left, at, endsLeft>>
Bug(b) == b \in Bugs
Waiters == 1..WaiterCount
Releasers == (WaiterCount + 1)..(WaiterCount + ReleaserCount)
Parallelism == WaiterCount + ReleaserCount - Surplus
Goto(p, where) == pc' = [pc EXCEPT ![p] = where]
Rest == <<waiter, latch, permit, done, left, at, endsLeft>>

Init ==
  /\ rights = -Surplus
  /\ threads = 0
  /\ waiter = [w \in Waiters |-> FALSE]
  /\ latch = [w \in Waiters |-> "AWAKE"]
  /\ permit = [w \in Waiters |-> FALSE]
  /\ done = [w \in Waiters |-> FALSE]
  /\ pc = [p \in Waiters \cup Releasers |-> "release"]
  /\ left = [p \in Releasers |-> 0]
  /\ at = [p \in Releasers |-> 1]
  /\ endsLeft = EndLimit

---------------------------------------------------------------------------------------------------
(* RunRights.tryRelease, release, tryHandOut: both do the same, up to a right that nobody can have. *)

Release(p) ==
  /\ pc[p] = "release"
  /\ rights' = rights + 1
  /\ Goto(p, "take")
  /\ UNCHANGED <<threads, Rest>>

Take(p) ==
  /\ pc[p] = "take"
  /\ IF rights > 0
       THEN rights' = rights - 1 /\ Goto(p, "activate")
       ELSE UNCHANGED rights /\ Goto(p, IF p \in Waiters THEN "setWaiter" ELSE "over")
  /\ UNCHANGED <<threads, Rest>>

Activate(p) ==
  /\ pc[p] = "activate"
  /\ IF threads < ThreadLimit
       THEN threads' = threads + 1 /\ Goto(p, "take")
       ELSE UNCHANGED threads /\ Goto(p, "giveBack")
  /\ UNCHANGED <<rights, Rest>>

(* Crew.hasSpare is false: there are as many threads as may be. A waiter goes on itself. *)
GiveBack(p) ==
  /\ pc[p] = "giveBack"
  /\ rights' = rights + 1
  /\ Goto(p, IF p \in Waiters THEN "reclaim"
             ELSE IF Bug("NoRecall") THEN "over" ELSE "countRights")  \* RunRights.handOut: no recall()
  /\ UNCHANGED <<threads, Rest>>

(* Crew.recall. *)
CountRights(r) ==
  /\ pc[r] = "countRights"
  /\ left' = [left EXCEPT ![r] = rights]
  /\ Goto(r, "recall")
  /\ UNCHANGED <<rights, threads, waiter, latch, permit, done, at, endsLeft>>

Recall(r) ==
  /\ pc[r] = "recall"
  /\ IF left[r] <= 0 \/ at[r] > WaiterCount
       THEN Goto(r, "over") /\ UNCHANGED at
       ELSE IF waiter[at[r]]
         THEN Goto(r, "wake") /\ UNCHANGED at
         ELSE at' = [at EXCEPT ![r] = @ + 1] /\ UNCHANGED pc
  /\ UNCHANGED <<rights, threads, waiter, latch, permit, done, left, endsLeft>>

(* Sleep.wakeWaiter; the unpark is made with it. *)
Wake(r) ==
  /\ pc[r] = "wake"
  /\ LET w == at[r] IN
     IF latch[w] = "WAITING"
       THEN latch' = [latch EXCEPT ![w] = "AWAKE"] /\ permit' = [permit EXCEPT ![w] = TRUE]
       ELSE UNCHANGED <<latch, permit>>
  /\ left' = [left EXCEPT ![r] = @ - 1]
  /\ at' = [at EXCEPT ![r] = @ + 1]
  /\ Goto(r, "recall")
  /\ UNCHANGED <<rights, threads, waiter, done, endsLeft>>

Releaser(r) == CountRights(r) \/ Recall(r) \/ Wake(r)
HandOut(p) == Release(p) \/ Take(p) \/ Activate(p) \/ GiveBack(p)

---------------------------------------------------------------------------------------------------
(* The one that waits: replaced, as it believes.                                                  *)

IsOver(w) == done[w] \/ rights > 0

SetWaiter(w) ==
  /\ pc[w] = "setWaiter"
  /\ waiter' = [waiter EXCEPT ![w] = TRUE]
  /\ Goto(w, "look")
  /\ UNCHANGED <<rights, threads, latch, permit, done, left, at, endsLeft>>

(* Sleep.await: each look, also after a wake. *)
Look(w) ==
  /\ pc[w] = "look"
  /\ Goto(w, IF IsOver(w) THEN "forget" ELSE "beginWait")
  /\ UNCHANGED <<rights, threads, Rest>>

BeginWait(w) ==
  /\ pc[w] = "beginWait"
  /\ latch' = [latch EXCEPT ![w] = "WAITING"]
  /\ Goto(w, IF Bug("NoSecondLook") THEN "park" ELSE "lookAgain")  \* Forks: awaitedOrMissed is isWaitOver() alone
  /\ UNCHANGED <<rights, threads, waiter, permit, done, left, at, endsLeft>>

LookAgain(w) ==
  /\ pc[w] = "lookAgain"
  /\ IF IsOver(w)
       THEN latch' = [latch EXCEPT ![w] = "AWAKE"] /\ Goto(w, "forget")
       ELSE Goto(w, "park") /\ UNCHANGED latch
  /\ UNCHANGED <<rights, threads, waiter, permit, done, left, at, endsLeft>>

Park(w) ==
  /\ pc[w] = "park" /\ permit[w]
  /\ permit' = [permit EXCEPT ![w] = FALSE]
  /\ Goto(w, IF latch[w] = "WAITING" THEN "park" ELSE "look")
  /\ UNCHANGED <<rights, threads, waiter, latch, done, left, at, endsLeft>>

(* Section.endReplaced. *)
Forget(w) ==
  /\ pc[w] = "forget"
  /\ IF Bug("ForgottenAfterReclaim")  \* Section.endReplaced: waiter = null comes last
       THEN UNCHANGED waiter ELSE waiter' = [waiter EXCEPT ![w] = FALSE]
  /\ Goto(w, "reclaim")
  /\ UNCHANGED <<rights, threads, latch, permit, done, left, at, endsLeft>>

Reclaim(w) ==
  /\ pc[w] = "reclaim"
  /\ rights' = rights - 1
  /\ Goto(w, IF waiter[w] THEN "forgetLate" ELSE "goesOn")
  /\ UNCHANGED <<threads, Rest>>

ForgetLate(w) ==
  /\ pc[w] = "forgetLate"
  /\ waiter' = [waiter EXCEPT ![w] = FALSE]
  /\ Goto(w, "goesOn")
  /\ UNCHANGED <<rights, threads, latch, permit, done, left, at, endsLeft>>

Waiter(w) ==
  \/ SetWaiter(w) \/ Look(w) \/ BeginWait(w) \/ LookAgain(w) \/ Park(w)
  \/ Forget(w) \/ Reclaim(w) \/ ForgetLate(w)

(* Branch.complete: done, then the wake, which takes no other step from anybody here. *)
Complete(w) ==
  /\ ~done[w] /\ endsLeft > 0
  /\ endsLeft' = endsLeft - 1
  /\ done' = [done EXCEPT ![w] = TRUE]
  /\ IF latch[w] = "WAITING"
       THEN latch' = [latch EXCEPT ![w] = "AWAKE"] /\ permit' = [permit EXCEPT ![w] = TRUE]
       ELSE UNCHANGED <<latch, permit>>
  /\ UNCHANGED <<rights, threads, waiter, pc, left, at>>

Next ==
  \/ \E p \in Waiters \cup Releasers : HandOut(p)
  \/ \E r \in Releasers : Releaser(r)
  \/ \E w \in Waiters : Waiter(w) \/ Complete(w)
Spec == Init /\ [][Next]_vars

---------------------------------------------------------------------------------------------------

IsParked(w) == pc[w] = "park" /\ ~permit[w]
Quiet ==
  /\ \A r \in Releasers : pc[r] = "over"
  /\ \A w \in Waiters : IsParked(w) \/ pc[w] = "goesOn"

(* G9: nobody parks beside a right that nobody else can have; all threads are there by then. *)
NobodyIsMissed ==
  Quiet /\ rights > 0 => \A w \in Waiters : ~IsParked(w)

(* G9 *)
NoRightLost ==
  Quiet => Cardinality({w \in Waiters : pc[w] = "goesOn"}) + threads + rights = Parallelism
=============================================================================
