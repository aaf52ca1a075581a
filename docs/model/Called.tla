------------------------------- MODULE Called -------------------------------
(* Declared tasks that a spare is called for: Crew.handToSpare, Handover.java, Spare.java.        *)
(* One worker that is a spare, runs what it was called for, is handed a right to run, is too many *)
(* again, or retires. Beside it one that has the only right, enters blocking sections and comes   *)
(* back; callers, each with one task; and one who addresses a task to the spare. How they sleep   *)
(* while they hold a right is left out: that is in Protocol and Addressed. Any start may fail.    *)
EXTENDS Integers, FiniteSets

CONSTANTS
  Callers,
  SectionLimit, \* how often the other worker blocks
  LetterLimit,  \* tasks addressed to the spare
  Bugs

VARIABLES
  latch,
  permit,       \* of LockSupport, for the thread of the worker
  pc,
  rights,       \* RunRights.unclaimed
  held,         \* WorkerRight of the worker: HELD
  offer,        \* Handover.task
  first,        \* Worker.beginsWith
  inbox,
  ran,          \* how often each task was begun by the worker
  newThread,    \* somebody has started a thread for the worker
  sections, letters

vars == <<latch, permit, pc, rights, held, offer, first, inbox, ran, newThread, sections, letters>>
Bug(b) == b \in Bugs
Nothing == "nothing"
W == "worker"
O == "other"
A == "addresser"
Goto(p, where) == pc' = [pc EXCEPT ![p] = where]

(* The other worker holds the only right. *)
Init ==
  /\ latch = "RETIRED" /\ permit = FALSE
  /\ pc = [p \in Callers \cup {W, O, A} |->
             IF p = W THEN "gone" ELSE IF p = O THEN "runs" ELSE IF p = A THEN "idle" ELSE "call"]
  /\ rights = 0 /\ held = FALSE
  /\ offer = Nothing /\ first = Nothing /\ inbox = 0
  /\ ran = [c \in Callers |-> 0]
  /\ newThread = FALSE
  /\ sections = SectionLimit /\ letters = LetterLimit

---------------------------------------------------------------------------------------------------
(* Worker.run, nextTask.                                                                          *)

(* The old thread may still be on its way out; it touches nothing any more. *)
NewThread ==
  /\ pc[W] = "gone" /\ newThread
  /\ newThread' = FALSE /\ permit' = FALSE
  /\ latch' = "AWAKE"
  /\ first' = Nothing
  /\ IF first = Nothing THEN held' = TRUE /\ Goto(W, "next") /\ UNCHANGED ran
     ELSE /\ held' = Bug("BeginsWithARight")  \* Worker.run: right.receive() whatever it begins with
          /\ ran' = [ran EXCEPT ![first] = @ + 1] /\ Goto(W, "called")
  /\ UNCHANGED <<rights, offer, inbox, sections, letters>>

(* The called task is over, its section too. Whoever goes on takes a right, whether it is there or *)
(* not: comeBack.                                                                                 *)
ComeBack ==
  /\ pc[W] = "called"
  /\ rights' = IF held THEN rights ELSE rights - 1
  /\ held' = TRUE
  /\ Goto(W, "next")
  /\ UNCHANGED <<latch, permit, offer, first, inbox, ran, newThread, sections, letters>>

Next_ ==
  /\ pc[W] = "next"
  /\ IF inbox > 0 THEN inbox' = inbox - 1 /\ UNCHANGED <<pc, rights>>
     ELSE rights < 0 /\ rights' = rights + 1 /\ Goto(W, "giveUp") /\ UNCHANGED inbox
  /\ UNCHANGED <<latch, permit, held, offer, first, ran, newThread, sections, letters>>

---------------------------------------------------------------------------------------------------
(* Spare.standBy, awaitCall.                                                                      *)

GiveUp ==
  /\ pc[W] = "giveUp"
  /\ held' = FALSE
  /\ Goto(W, "becomeSpare")
  /\ UNCHANGED <<latch, permit, rights, offer, first, inbox, ran, newThread, sections, letters>>

(* The latch is AWAKE: without a close nobody notifies one that is no spare. *)
BecomeSpare ==
  /\ pc[W] = "becomeSpare"
  /\ latch' = "SPARE"
  /\ Goto(W, "takeRight")
  /\ UNCHANGED <<permit, rights, held, offer, first, inbox, ran, newThread, sections, letters>>

TakeRight ==
  /\ pc[W] = "takeRight"
  /\ IF rights > 0 THEN rights' = rights - 1 /\ Goto(W, "unclaim")
     ELSE UNCHANGED rights /\ Goto(W, "look")
  /\ UNCHANGED <<latch, permit, held, offer, first, inbox, ran, newThread, sections, letters>>

(* goOnWithRight: to itself; or claimed with another right; or notified. *)
Unclaim ==
  /\ pc[W] = "unclaim"
  /\ latch' = "AWAKE"
  /\ CASE latch = "SPARE" -> held' = TRUE /\ Goto(W, "next")
       [] latch = "AWAKE" -> held' = TRUE /\ Goto(W, "releaseSecond")
       [] latch = "NOTIFIED" ->
            IF Bug("NotifiedIsClaimed")  \* goOnWithRight: no acknowledge()
              THEN held' = TRUE /\ Goto(W, "releaseSecond")
              ELSE UNCHANGED held /\ Goto(W, "takeBesideRight")
  /\ UNCHANGED <<permit, rights, offer, first, inbox, ran, newThread, sections, letters>>

(* Nobody else can have it, and whoever becomes a spare looks for it. *)
ReleaseSecond ==
  /\ pc[W] = "releaseSecond"
  /\ rights' = rights + 1
  /\ Goto(W, "next")
  /\ UNCHANGED <<latch, permit, held, offer, first, inbox, ran, newThread, sections, letters>>

Begin(c) ==
  /\ offer' = Nothing
  /\ ran' = [ran EXCEPT ![c] = @ + 1]

TakeBesideRight ==
  /\ pc[W] = "takeBesideRight"
  /\ IF offer = Nothing
       THEN held' = TRUE /\ Goto(W, "next") /\ UNCHANGED <<offer, ran>>
       ELSE /\ Begin(offer) /\ UNCHANGED held
            /\ Goto(W, IF Bug("KeepsRightBesideCall") THEN "called" ELSE "releaseUnneeded")  \* goOnWithRight: no release()
  /\ UNCHANGED <<latch, permit, rights, first, inbox, newThread, sections, letters>>

ReleaseUnneeded ==
  /\ pc[W] = "releaseUnneeded"
  /\ rights' = rights + 1
  /\ Goto(W, "called")
  /\ UNCHANGED <<latch, permit, held, offer, first, inbox, ran, newThread, sections, letters>>

(* hasAddressedWork, claimSpare. *)
Look ==
  /\ pc[W] = "look"
  /\ IF inbox > 0 /\ latch = "SPARE"
       THEN latch' = "AWAKE" /\ Goto(W, "reclaim")
       ELSE UNCHANGED latch /\ Goto(W, "park")
  /\ UNCHANGED <<permit, rights, held, offer, first, inbox, ran, newThread, sections, letters>>

Reclaim ==
  /\ pc[W] = "reclaim"
  /\ rights' = rights - 1 /\ held' = TRUE
  /\ Goto(W, "next")
  /\ UNCHANGED <<latch, permit, offer, first, inbox, ran, newThread, sections, letters>>

(* Sleep.parkSpare, acknowledge. *)
Park ==
  /\ pc[W] = "park"
  /\ \/ latch = "AWAKE" /\ held' = TRUE /\ Goto(W, "next") /\ UNCHANGED <<latch, permit>>
     \/ latch = "NOTIFIED" /\ latch' = "AWAKE" /\ Goto(W, "takeCalled") /\ UNCHANGED <<permit, held>>
     \/ latch = "SPARE" /\ permit /\ permit' = FALSE /\ UNCHANGED <<latch, pc, held>>
  /\ UNCHANGED <<rights, offer, first, inbox, ran, newThread, sections, letters>>

TakeCalled ==
  /\ pc[W] = "takeCalled"
  /\ IF offer # Nothing /\ ~Bug("NoLookAtCall")  \* awaitCall: no handover.take()
       THEN Begin(offer) /\ Goto(W, "called")
       ELSE /\ Goto(W, IF inbox > 0 THEN "reclaim" ELSE "becomeSpare")
            /\ UNCHANGED <<offer, ran>>
  /\ UNCHANGED <<latch, permit, rights, held, first, inbox, newThread, sections, letters>>

(* The keep-alive is over: an event. *)
KeepAliveOver ==
  /\ pc[W] = "park" /\ latch = "SPARE"
  /\ IF inbox > 0 THEN latch' = "NOTIFIED" /\ UNCHANGED pc ELSE latch' = "RETIRED" /\ Goto(W, "gone")
  /\ UNCHANGED <<permit, rights, held, offer, first, inbox, ran, newThread, sections, letters>>

Worker ==
  \/ NewThread \/ ComeBack \/ Next_ \/ GiveUp \/ BecomeSpare \/ TakeRight \/ Unclaim \/ ReleaseSecond
  \/ TakeBesideRight \/ ReleaseUnneeded \/ Look \/ Reclaim \/ Park \/ TakeCalled

---------------------------------------------------------------------------------------------------
(* The worker that has a right: it blocks at once, as if work waited (RunRights.release, handOut). *)

Release ==
  /\ pc[O] = "runs" /\ sections > 0
  /\ sections' = sections - 1
  /\ rights' = rights + 1
  /\ Goto(O, "tryTake")
  /\ UNCHANGED <<latch, permit, held, offer, first, inbox, ran, newThread, letters>>

TryTake ==
  /\ pc[O] = "tryTake"
  /\ IF rights > 0 THEN rights' = rights - 1 /\ Goto(O, "activate")
     ELSE UNCHANGED rights /\ Goto(O, "blocks")
  /\ UNCHANGED <<latch, permit, held, offer, first, inbox, ran, newThread, sections, letters>>

Activate ==
  /\ pc[O] = "activate"
  /\ CASE latch = "SPARE" -> latch' = "AWAKE" /\ Goto(O, "unpark")
       [] latch = "RETIRED" -> latch' = "STARTING" /\ Goto(O, "start")
       [] OTHER -> UNCHANGED latch /\ Goto(O, "giveBack")
  /\ UNCHANGED <<permit, rights, held, offer, first, inbox, ran, newThread, sections, letters>>

GiveBack ==
  /\ pc[O] = "giveBack"
  /\ rights' = rights + 1
  /\ Goto(O, "hasSpare")
  /\ UNCHANGED <<latch, permit, held, offer, first, inbox, ran, newThread, sections, letters>>

HasSpare ==
  /\ pc[O] = "hasSpare"
  /\ Goto(O, IF latch = "SPARE" THEN "tryTake" ELSE "blocks")
  /\ UNCHANGED <<latch, permit, rights, held, offer, first, inbox, ran, newThread, sections, letters>>

Unblock ==
  /\ pc[O] = "blocks"
  /\ rights' = rights - 1
  /\ Goto(O, "runs")
  /\ UNCHANGED <<latch, permit, held, offer, first, inbox, ran, newThread, sections, letters>>

(* Starter.startThread, for a right or for a task. *)
Unpark(p, next) ==
  /\ pc[p] = "unpark"
  /\ permit' = TRUE
  /\ Goto(p, next)
  /\ UNCHANGED <<latch, rights, held, offer, first, inbox, ran, newThread, sections, letters>>

Start(p, task, next) ==
  /\ pc[p] = "start"
  /\ newThread' = TRUE /\ first' = task
  /\ Goto(p, next)
  /\ UNCHANGED <<latch, permit, rights, held, offer, inbox, ran, sections, letters>>

NotStarted(p, next) ==
  /\ pc[p] = "start"
  /\ latch' = "RETIRED"
  /\ Goto(p, next)
  /\ UNCHANGED <<permit, rights, held, offer, first, inbox, ran, newThread, sections, letters>>

Other ==
  \/ Release \/ TryTake \/ Activate \/ GiveBack \/ HasSpare
  \/ Unpark(O, "blocks") \/ Start(O, Nothing, "blocks") \/ NotStarted(O, "giveBack")

---------------------------------------------------------------------------------------------------
(* Spare.call, Handover.call. Who looks and finds no spare starts a thread, or publishes.         *)

Call(c) ==
  /\ pc[c] = "call"
  /\ Goto(c, IF latch = "SPARE" THEN IF Bug("NotifiesFirst") THEN "notify" ELSE "offer"  \* call: notifySpare, then task
             ELSE "revive")
  /\ UNCHANGED <<latch, permit, rights, held, offer, first, inbox, ran, newThread, sections, letters>>

Offer(c) ==
  /\ pc[c] = "offer"
  /\ IF offer = Nothing \/ Bug("Overwrites")  \* call: setVolatile
       THEN offer' = c /\ Goto(c, IF Bug("NotifiesFirst") THEN "unpark" ELSE "notify")
       ELSE UNCHANGED offer /\ Goto(c, "revive")
  /\ UNCHANGED <<latch, permit, rights, held, first, inbox, ran, newThread, sections, letters>>

Notify(c) ==
  /\ pc[c] = "notify"
  /\ IF latch = "SPARE"
       THEN latch' = "NOTIFIED" /\ Goto(c, IF Bug("NotifiesFirst") THEN "offer" ELSE "unpark")
       ELSE UNCHANGED latch /\ Goto(c, IF Bug("NotifiesFirst") THEN "revive" ELSE "withdraw")
  /\ UNCHANGED <<permit, rights, held, offer, first, inbox, ran, newThread, sections, letters>>

(* Gone: it is taken. *)
Withdraw(c) ==
  /\ pc[c] = "withdraw"
  /\ IF offer = c
       THEN offer' = Nothing
            /\ Goto(c, IF Bug("WithdrawnIsHandedOver") THEN "over" ELSE "revive")  \* call: compareAndSet without !
       ELSE UNCHANGED offer
            /\ Goto(c, IF Bug("TakenIsPublished") THEN "published" ELSE "over")  \* call: returns false
  /\ UNCHANGED <<latch, permit, rights, held, first, inbox, ran, newThread, sections, letters>>

Revive(c) ==
  /\ pc[c] = "revive"
  /\ IF latch = "RETIRED" THEN latch' = "STARTING" /\ Goto(c, "start")
     ELSE UNCHANGED latch /\ Goto(c, "published")
  /\ UNCHANGED <<permit, rights, held, offer, first, inbox, ran, newThread, sections, letters>>

Caller(c) ==
  \/ Call(c) \/ Offer(c) \/ Notify(c) \/ Withdraw(c) \/ Revive(c)
  \/ Unpark(c, "over") \/ Start(c, c, "over") \/ NotStarted(c, "published")

(* Sleep.publishTo, to one that has a thread. *)
Address ==
  /\ pc[A] = "idle" /\ letters > 0 /\ latch \notin {"RETIRED", "STARTING"}
  /\ letters' = letters - 1
  /\ inbox' = inbox + 1
  /\ Goto(A, "notify")
  /\ UNCHANGED <<latch, permit, rights, held, offer, first, ran, newThread, sections>>

NotifyAddressed ==
  /\ pc[A] = "notify"
  /\ IF latch = "SPARE" THEN latch' = "NOTIFIED" /\ Goto(A, "unpark")
     ELSE UNCHANGED latch /\ Goto(A, "idle")
  /\ UNCHANGED <<permit, rights, held, offer, first, inbox, ran, newThread, sections, letters>>

Addresser == Address \/ NotifyAddressed \/ Unpark(A, "idle")

Next == Worker \/ KeepAliveOver \/ Other \/ Unblock \/ Addresser \/ \E c \in Callers : Caller(c)
Spec == Init /\ [][Next]_vars

---------------------------------------------------------------------------------------------------

(* Without a further event nothing happens any more. The end of a keep-alive is one, and so is the *)
(* end of a section.                                                                              *)
Quiet ==
  /\ \/ pc[W] = "park" /\ latch = "SPARE" /\ ~permit
     \/ pc[W] = "gone" /\ ~newThread
     \/ pc[W] = "next" /\ inbox = 0 /\ rights >= 0
  /\ pc[O] \in {"runs", "blocks"} /\ pc[A] = "idle"
  /\ \A c \in Callers : pc[c] \in {"over", "published"}

(* G2: the task was begun once by who was called, or is its caller's. *)
ExactlyOnce ==
  /\ \A c \in Callers : ran[c] + (IF pc[c] = "published" THEN 1 ELSE 0) <= 1
  /\ Quiet => \A c \in Callers : ran[c] + (IF pc[c] = "published" THEN 1 ELSE 0) = 1

(* G1 *)
NoStrandedCall == Quiet => offer = Nothing /\ inbox = 0

(* G9: the one right is held, or lies where it can be claimed. *)
NoRightLost ==
  Quiet => (IF pc[O] = "runs" THEN 1 ELSE 0) + (IF held THEN 1 ELSE 0) + rights = 1

(* G9: no right lies unclaimed beside a spare. *)
NoIdleRight == Quiet /\ rights > 0 => pc[W] # "park"

(* One thread at a time runs a worker. *)
OneThread == newThread => pc[W] = "gone"
=============================================================================
