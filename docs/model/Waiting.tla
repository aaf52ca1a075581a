------------------------------ MODULE Waiting ------------------------------
(* A worker waits in the middle of a task: Forks.await, Sleep.await, Sleep.sleep, Sleep.wakeWaiter. *)
(* With a right to run it searches and sleeps, counted, and looks at what it waits for in its     *)
(* FinalCheck. Without one it parks uncounted, WAITING. Which of the two may differ from one turn *)
(* of a wait to the next. Others may wake it for work, or notify it, at any moment.               *)
(* Nobody but who completes a wait ends it: the other workers and the counts are left out, they   *)
(* are in Protocol.                                                                               *)
EXTENDS Naturals

CONSTANTS
  Waits,        \* one after the other, each completed by a thread of its own
  TurnLimit,    \* how often others wake or notify the worker
  Bugs

VARIABLES
  latch,
  permit,       \* of LockSupport, for the thread of the worker
  pc,           \* of the worker, of who completes each wait, of who wakes or notifies
  current,      \* the wait that the worker is in
  done,         \* Awaited.isDone, of each wait
  turns

vars == <<latch, permit, pc, current, done, turns>>
Bug(b) == b \in Bugs
W == 0
O == Waits + 1
Completers == 1..Waits
Goto(p, where) == pc' = [pc EXCEPT ![p] = where]

Init ==
  /\ latch = "AWAKE" /\ permit = FALSE
  /\ pc = [p \in Completers \cup {W, O} |->
       IF p = W THEN "look" ELSE IF p = O THEN "over" ELSE "complete"]
  /\ current = 1
  /\ done = [w \in Completers |-> FALSE]
  /\ turns = TurnLimit

IsDone == done[current]

---------------------------------------------------------------------------------------------------
(* The worker.                                                                                    *)

(* Forks.await, Search.search; a worker that goes on leaves the latch as it is. *)
Look ==
  /\ pc[W] = "look"
  /\ IF IsDone
       THEN IF current = Waits
              THEN Goto(W, "finished") /\ UNCHANGED current
              ELSE current' = current + 1 /\ UNCHANGED pc
       ELSE (Goto(W, "commit") \/ Goto(W, "beginWait")) /\ UNCHANGED current
  /\ UNCHANGED <<latch, permit, done, turns>>

(* NOTIFIED: acknowledge, and look again. *)
Commit ==
  /\ pc[W] = "commit"
  /\ IF latch = "AWAKE"
       THEN latch' = "SLEEPING" /\ Goto(W, "finalCheck")
       ELSE latch' = "AWAKE" /\ Goto(W, "look")
  /\ UNCHANGED <<permit, current, done, turns>>

FinalCheck ==
  /\ pc[W] = "finalCheck"
  /\ Goto(W, IF IsDone /\ ~Bug("NoFinalCheck") THEN "withdraw" ELSE "park")  \* sleep: no hasAddressedWork()
  /\ UNCHANGED <<latch, permit, current, done, turns>>

Withdraw ==
  /\ pc[W] = "withdraw"
  /\ latch' = IF latch = "SLEEPING" THEN "AWAKE" ELSE latch
  /\ Goto(W, "look")
  /\ UNCHANGED <<permit, current, done, turns>>

Park ==
  /\ pc[W] = "park"
  /\ IF latch # "SLEEPING"
       THEN Goto(W, "acknowledge") /\ UNCHANGED permit
       ELSE permit /\ permit' = FALSE /\ UNCHANGED pc
  /\ UNCHANGED <<latch, current, done, turns>>

Acknowledge ==
  /\ pc[W] = "acknowledge"
  /\ latch' = IF latch = "NOTIFIED" THEN "AWAKE" ELSE latch
  /\ Goto(W, "look")
  /\ UNCHANGED <<permit, current, done, turns>>

(* Sleep.await *)
BeginWait ==
  /\ pc[W] = "beginWait"
  /\ IF latch = "AWAKE"
       THEN latch' = "WAITING" /\ Goto(W, IF Bug("NoSecondLook") THEN "parkWaiting" ELSE "lookAgain")  \* await: no second isDone()
       ELSE latch' = "AWAKE" /\ Goto(W, "look")
  /\ UNCHANGED <<permit, current, done, turns>>

LookAgain ==
  /\ pc[W] = "lookAgain"
  /\ Goto(W, IF IsDone THEN "endWait" ELSE "parkWaiting")
  /\ UNCHANGED <<latch, permit, current, done, turns>>

EndWait ==
  /\ pc[W] = "endWait"
  /\ latch' = IF latch = "WAITING" THEN "AWAKE" ELSE latch
  /\ Goto(W, "look")
  /\ UNCHANGED <<permit, current, done, turns>>

ParkWaiting ==
  /\ pc[W] = "parkWaiting"
  /\ IF latch # "WAITING"
       THEN Goto(W, "look") /\ UNCHANGED permit
       ELSE permit /\ permit' = FALSE /\ UNCHANGED pc
  /\ UNCHANGED <<latch, current, done, turns>>

Worker ==
  \/ Look \/ Commit \/ FinalCheck \/ Withdraw \/ Park \/ Acknowledge
  \/ BeginWait \/ LookAgain \/ EndWait \/ ParkWaiting

---------------------------------------------------------------------------------------------------
(* Who completes what the worker waits for: Branch.complete, Sleep.wakeWaiter. It may be about an *)
(* earlier wait, when the worker is in the next.                                                  *)

Complete(c) ==
  /\ pc[c] = "complete"
  /\ IF Bug("WakeBeforeDone")  \* Branch.complete: wake() before done
       THEN UNCHANGED done
       ELSE done' = [done EXCEPT ![c] = TRUE]
  /\ Goto(c, IF Bug("NoWake") THEN "over" ELSE "claim")  \* Branch.complete: no wake()
  /\ UNCHANGED <<latch, permit, current, turns>>

Claim(c) ==
  /\ pc[c] = "claim"
  /\ IF latch = "SLEEPING"
       THEN latch' = "AWAKE" /\ Goto(c, "unpark")
       ELSE Goto(c, IF Bug("OnlySleepers") THEN "done" ELSE "end") /\ UNCHANGED latch  \* wakeWaiter: no endWait()
  /\ UNCHANGED <<permit, current, done, turns>>

End(c) ==
  /\ pc[c] = "end"
  /\ IF latch = "WAITING"
       THEN latch' = "AWAKE" /\ Goto(c, "unpark")
       ELSE Goto(c, "done") /\ UNCHANGED latch
  /\ UNCHANGED <<permit, current, done, turns>>

Unpark(c) ==
  /\ pc[c] = "unpark"
  /\ permit' = TRUE
  /\ Goto(c, "done")
  /\ UNCHANGED <<latch, current, done, turns>>

Done(c) ==
  /\ pc[c] = "done"
  /\ done' = [done EXCEPT ![c] = TRUE]
  /\ Goto(c, "over")
  /\ UNCHANGED <<latch, permit, current, turns>>

Completer(c) == Complete(c) \/ Claim(c) \/ End(c) \/ Unpark(c) \/ Done(c)

---------------------------------------------------------------------------------------------------
(* Others: a wake for work that anybody may do, and a notification.                               *)

WakeForWork ==
  /\ pc[O] = "over" /\ turns > 0 /\ turns' = turns - 1
  /\ latch = "SLEEPING"
  /\ latch' = "AWAKE"
  /\ Goto(O, "unpark")
  /\ UNCHANGED <<permit, current, done>>

SendNotification ==
  /\ pc[O] = "over" /\ turns > 0 /\ turns' = turns - 1
  /\ LET parked == IF Bug("NoWaiterNotified") THEN {"SLEEPING"} ELSE {"SLEEPING", "WAITING"}  \* sendNotification: WAITING owes nothing
     IN Goto(O, IF latch \in parked THEN "unpark" ELSE "over")
  /\ latch' = "NOTIFIED"
  /\ UNCHANGED <<permit, current, done>>

UnparkAsOther ==
  /\ pc[O] = "unpark"
  /\ permit' = TRUE
  /\ Goto(O, "over")
  /\ UNCHANGED <<latch, current, done, turns>>

Next ==
  \/ Worker \/ WakeForWork \/ SendNotification \/ UnparkAsOther
  \/ \E c \in Completers : Completer(c)
Spec == Init /\ [][Next]_vars

---------------------------------------------------------------------------------------------------

(* It stands in LockSupport.park, whatever its latch says: who changes that owes an unpark.       *)
IsParked == pc[W] \in {"park", "parkWaiting"} /\ ~permit

(* Everybody has done what he had to, and the worker sleeps on. *)
NoStrandedWaiter ==
  IsDone /\ (\A p \in Completers \cup {O} : pc[p] = "over") => ~IsParked
=============================================================================
