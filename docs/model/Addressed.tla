----------------------------- MODULE Addressed -----------------------------
(* What only one worker can take: Addressing.java, Inbox.java, Sleep.publishTo, and the ways in   *)
(* which that worker stops running: it sleeps, it is a spare, it retires.                         *)
(* Nobody else can help, so the other workers and the word with its counts are left out: they are *)
(* in Protocol and Spares. That the worker is one too many, and that somebody hands it a right    *)
(* again, happens at any moment here; also that somebody who looks for a spare starts a thread    *)
(* for it. Any start may fail.                                                                    *)
EXTENDS Naturals, FiniteSets

CONSTANTS
  Publishers,
  TurnLimit,    \* how often the worker is made one too many, and how often it is handed a right
  Bugs

VARIABLES
  latch,
  permit,       \* of LockSupport, for the thread of the worker
  pc,           \* of the worker and of the publishers
  surplus,      \* RunRights: this worker must make room
  timed,        \* it parked with its keep-alive: nothing had been addressed to it
  opened,       \* Inbox: not unopened
  inbox,        \* tasks
  ran,
  newThread,    \* somebody has revived the worker, and started a thread
  turns

vars == <<latch, permit, pc, surplus, timed, opened, inbox, ran, newThread, turns>>
Bug(b) == b \in Bugs
W == "worker"
X == "starter"  \* Starter.startSpare
Goto(p, where) == pc' = [pc EXCEPT ![p] = where]

Init ==
  /\ latch = "AWAKE" /\ permit = FALSE
  /\ pc = [p \in Publishers \cup {W, X} |-> IF p = W THEN "next" ELSE IF p = X THEN "idle" ELSE "open"]
  /\ surplus = FALSE /\ timed = FALSE /\ opened = FALSE
  /\ inbox = 0 /\ ran = 0 /\ newThread = FALSE
  /\ turns = TurnLimit

---------------------------------------------------------------------------------------------------
(* Worker.nextTask, search, Sleep.sleep.                                                          *)

(* An addressed task comes before making room. *)
Next_ ==
  /\ pc[W] = "next"
  /\ IF inbox > 0
       THEN inbox' = inbox - 1 /\ ran' = ran + 1 /\ UNCHANGED <<pc, surplus>>
       ELSE /\ Goto(W, IF surplus THEN "becomeSpare" ELSE "commit")
            /\ surplus' = FALSE
            /\ UNCHANGED <<inbox, ran>>
  /\ UNCHANGED <<latch, permit, timed, opened, newThread, turns>>

(* NOTIFIED: acknowledge, and look again. *)
Commit ==
  /\ pc[W] = "commit"
  /\ IF latch = "AWAKE"
       THEN latch' = "SLEEPING" /\ Goto(W, "finalCheck")
       ELSE latch' = "AWAKE" /\ Goto(W, "next")
  /\ UNCHANGED <<permit, surplus, timed, opened, inbox, ran, newThread, turns>>

FinalCheck ==
  /\ pc[W] = "finalCheck"
  /\ Goto(W, IF (inbox > 0 /\ ~Bug("NoFinalCheck")) \/ surplus  \* Sleep.sleep: no hasAddressedWork()
             THEN "withdraw" ELSE "park")
  /\ UNCHANGED <<latch, permit, surplus, timed, opened, inbox, ran, newThread, turns>>

Withdraw ==
  /\ pc[W] = "withdraw"
  /\ latch' = IF latch = "SLEEPING" THEN "AWAKE" ELSE latch
  /\ Goto(W, "next")
  /\ UNCHANGED <<permit, surplus, timed, opened, inbox, ran, newThread, turns>>

Park ==
  /\ pc[W] = "park"
  /\ IF latch # "SLEEPING"
       THEN Goto(W, "next") /\ UNCHANGED permit
       ELSE permit /\ permit' = FALSE /\ UNCHANGED pc
  /\ UNCHANGED <<latch, surplus, timed, opened, inbox, ran, newThread, turns>>

---------------------------------------------------------------------------------------------------
(* Spare.standBy.                                                                                *)

BecomeSpare ==
  /\ pc[W] = "becomeSpare"
  /\ latch' = "SPARE"
  /\ Goto(W, IF Bug("NoLookAsSpare") THEN "keepAlive" ELSE "spareLook")  \* standBy: no hasAddressedWork()
  /\ UNCHANGED <<permit, surplus, timed, opened, inbox, ran, newThread, turns>>

SpareLook ==
  /\ pc[W] = "spareLook"
  /\ IF inbox > 0 /\ latch = "SPARE"
       THEN latch' = "AWAKE" /\ Goto(W, "next")
       ELSE Goto(W, "keepAlive") /\ UNCHANGED latch
  /\ UNCHANGED <<permit, surplus, timed, opened, inbox, ran, newThread, turns>>

KeepAlive ==
  /\ pc[W] = "keepAlive"
  /\ timed' = ~opened
  /\ Goto(W, "parkSpare")
  /\ UNCHANGED <<latch, permit, surplus, opened, inbox, ran, newThread, turns>>

ParkSpare ==
  /\ pc[W] = "parkSpare"
  /\ \/ latch = "AWAKE" /\ Goto(W, "next") /\ UNCHANGED <<latch, permit>>
     \/ /\ latch = "NOTIFIED"  \* acknowledge, then look: goesOnWithoutRight
        /\ latch' = "AWAKE" /\ Goto(W, "notified") /\ UNCHANGED permit
     \/ latch = "SPARE" /\ permit /\ permit' = FALSE /\ UNCHANGED <<latch, pc>>
     \/ latch = "SPARE" /\ timed /\ Goto(W, "retire") /\ UNCHANGED <<latch, permit>>
  /\ UNCHANGED <<surplus, timed, opened, inbox, ran, newThread, turns>>

Notified ==
  /\ pc[W] = "notified"
  /\ Goto(W, IF inbox > 0 THEN "next" ELSE "becomeSpare")
  /\ UNCHANGED <<latch, permit, surplus, timed, opened, inbox, ran, newThread, turns>>

PrepareToRetire ==
  /\ pc[W] = "retire"
  /\ IF latch = "SPARE"
       THEN /\ latch' = IF Bug("RetiresAtOnce") THEN "RETIRED" ELSE "RETIRING"  \* Sleep.retire: retire, then mayRetire()
            /\ Goto(W, "retiring")
       ELSE UNCHANGED latch /\ Goto(W, "parkSpare")
  /\ UNCHANGED <<permit, surplus, timed, opened, inbox, ran, newThread, turns>>

(* Something is addressed to it: it notifies itself. If it has retired already: as long as nobody *)
(* has revived it.                                                                                *)
Retire ==
  /\ pc[W] = "retiring"
  /\ IF opened /\ ~Bug("NoLookAfterRetiring") /\ latch \in {"RETIRING", "RETIRED"}  \* Sleep.retire: no mayRetire()
       THEN latch' = "NOTIFIED" /\ Goto(W, "parkSpare")
       ELSE latch' = (IF latch = "RETIRING" THEN "RETIRED" ELSE latch) /\ Goto(W, "gone")
  /\ UNCHANGED <<permit, surplus, timed, opened, inbox, ran, newThread, turns>>

(* The old thread may still be on its way out; it touches nothing any more. *)
NewThread ==
  /\ pc[W] = "gone" /\ newThread
  /\ newThread' = FALSE /\ permit' = FALSE
  /\ latch' = "AWAKE"
  /\ Goto(W, "next")
  /\ UNCHANGED <<surplus, timed, opened, inbox, ran, turns>>

Worker ==
  \/ Next_ \/ Commit \/ FinalCheck \/ Withdraw \/ Park
  \/ BecomeSpare \/ SpareLook \/ KeepAlive \/ ParkSpare \/ Notified \/ PrepareToRetire \/ Retire
  \/ NewThread

---------------------------------------------------------------------------------------------------
(* The rest of the pool.                                                                          *)

OneTooMany ==
  /\ turns > 0 /\ turns' = turns - 1
  /\ surplus' = TRUE
  /\ UNCHANGED <<latch, permit, pc, timed, opened, inbox, ran, newThread>>

(* Crew.activate: claimSpare, unpark. *)
HandARight ==
  /\ turns > 0 /\ turns' = turns - 1
  /\ latch = "SPARE"
  /\ latch' = "AWAKE" /\ permit' = TRUE
  /\ UNCHANGED <<pc, surplus, timed, opened, inbox, ran, newThread>>

(* Starter.startSpare, Starter.restart: whoever has revived the worker starts its thread, or cannot. *)
Revive(p) ==
  /\ latch' = "STARTING" /\ Goto(p, "start")
  /\ UNCHANGED newThread

Started(p, next) ==
  /\ pc[p] = "start"
  /\ newThread' = TRUE /\ Goto(p, next)
  /\ UNCHANGED <<latch, permit, surplus, timed, opened, inbox, ran, turns>>

NotStarted(p, next) ==
  /\ pc[p] = "start"
  /\ latch' = "RETIRED" /\ Goto(p, next)
  /\ UNCHANGED <<permit, surplus, timed, opened, inbox, ran, newThread, turns>>

StartSpare ==
  /\ turns > 0 /\ turns' = turns - 1
  /\ pc[X] = "idle" /\ latch = "RETIRED"
  /\ Revive(X)
  /\ UNCHANGED <<permit, surplus, timed, opened, inbox, ran>>

Starter == StartSpare \/ Started(X, "idle") \/ NotStarted(X, "idle")

---------------------------------------------------------------------------------------------------
(* Addressing.                                                                                    *)

Open(p) ==
  /\ pc[p] = "open"
  /\ opened' = TRUE
  /\ Goto(p, IF Bug("NoLookForAThread") THEN "push" ELSE "hasThread")  \* addressable: no hasThread()
  /\ UNCHANGED <<latch, permit, surplus, timed, inbox, ran, newThread, turns>>

(* Whether it has one is not decided yet: wait. *)
HasThread(p) ==
  /\ pc[p] = "hasThread"
  /\ latch \notin {"RETIRING", "STARTING"} \/ Bug("StartingIsEnough")  \* WorkerLatch.hasThread: not RETIRED
  /\ IF latch = "RETIRED" THEN Revive(p) ELSE Goto(p, "push") /\ UNCHANGED <<latch, newThread>>
  /\ UNCHANGED <<permit, surplus, timed, opened, inbox, ran, turns>>

Push(p) ==
  /\ pc[p] = "push"
  /\ inbox' = inbox + 1
  /\ Goto(p, IF Bug("NoWake") THEN "over" ELSE "wake")  \* push: no publishTo()
  /\ UNCHANGED <<latch, permit, surplus, timed, opened, ran, newThread, turns>>

WakeIfAsleep(p) ==
  /\ pc[p] = "wake"
  /\ IF latch = "SLEEPING"
       THEN latch' = "AWAKE" /\ Goto(p, "unpark")
       ELSE Goto(p, IF Bug("SpareNotNotified") THEN "over" ELSE "notify") /\ UNCHANGED latch
  /\ UNCHANGED <<permit, surplus, timed, opened, inbox, ran, newThread, turns>>

Notify(p) ==
  /\ pc[p] = "notify"
  /\ IF latch = "SPARE"
       THEN latch' = "NOTIFIED" /\ Goto(p, "unpark")
       ELSE Goto(p, "over") /\ UNCHANGED latch
  /\ UNCHANGED <<permit, surplus, timed, opened, inbox, ran, newThread, turns>>

Unpark(p) ==
  /\ pc[p] = "unpark"
  /\ permit' = TRUE
  /\ Goto(p, "over")
  /\ UNCHANGED <<latch, surplus, timed, opened, inbox, ran, newThread, turns>>

Publisher(p) ==
  \/ Open(p) \/ HasThread(p) \/ Started(p, "push") \/ NotStarted(p, "refused") \/ Push(p)
  \/ WakeIfAsleep(p) \/ Notify(p) \/ Unpark(p)

Next == Worker \/ OneTooMany \/ HandARight \/ Starter \/ \E p \in Publishers : Publisher(p)
Spec == Init /\ [][Next]_vars

---------------------------------------------------------------------------------------------------

(* Without a further event nothing happens any more; the end of a keep-alive is one. *)
IsParked ==
  \/ pc[W] = "park" /\ latch = "SLEEPING" /\ ~permit
  \/ pc[W] = "parkSpare" /\ latch = "SPARE" /\ ~permit
  \/ pc[W] = "gone" /\ ~newThread

NoStrandedWork ==
  (\A p \in Publishers : pc[p] \in {"over", "refused"}) /\ pc[X] = "idle" /\ inbox > 0 => ~IsParked

(* One thread at a time runs a worker. *)
OneThread == newThread => pc[W] \in {"retiring", "gone"}

ExactlyOnce ==
  inbox + ran = Cardinality({p \in Publishers : pc[p] \in {"wake", "notify", "unpark", "over"}})
=============================================================================
