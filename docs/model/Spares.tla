------------------------------- MODULE Spares -------------------------------
(* Blocking sections and spares: RunRights.java, Crew.blocked to startSpare, Spare.standBy.      *)
(* Of the workers of the pool, Parallelism have a thread at the start; the others are retired,    *)
(* which stands for "not made yet" too. They run, search and sleep as in Protocol.tla.            *)
(* Threads that cannot be started are not modelled, nor is a close meanwhile.                     *)
EXTENDS Protocol

CONSTANTS
  Parallelism,
  BlockLimit    \* blocking sections in one behaviour

VARIABLES
  rights,       \* RunRights.unclaimed
  awaitsDemand, \* RunRights.awaitsDemand
  blocksLeft

crew == <<rights, awaitsDemand, blocksLeft>>
allVars == <<vars, crew>>
ThePool == SomePool
NoWord == UNCHANGED <<word, queue, counts, letters>>

InitSpares ==
  /\ pc = [p \in Processes |-> IF p \notin Workers THEN "idle"
                               ELSE IF p \in Asleep THEN "parked"
                               ELSE IF p <= Parallelism THEN "next" ELSE "retired"]
  /\ left = TaskLimit
  /\ InitButTasks
  /\ rights = 0
  /\ awaitsDemand = FALSE
  /\ blocksLeft = BlockLimit

---------------------------------------------------------------------------------------------------
(* Worker.beginBlocking, Crew.blocked, RunRights.releaseOnDemand.                                 *)

NobodyIsInactive == word[ThePool].inactive = 0

ToRelease(w) ==
  Goto(w, IF Bug("LookBeforeRelease")  \* RunRights.releaseOnDemand: crew.needsMore() comes first
               /\ ~(NobodyIsInactive /\ Visible(ThePool))
             THEN "releaseUnseen" ELSE "releaseOnDemand")

Block(w) ==
  /\ pc[w] = "run" /\ blocksLeft > 0
  /\ blocksLeft' = blocksLeft - 1
  /\ IF queue[Slot(w)] > 0 THEN Goto(w, "emptySlot") ELSE ToRelease(w)
  /\ Keep(w, [NoRegisters EXCEPT !.back = "blocked"])
  /\ UNCHANGED <<latch, permit, rights, awaitsDemand>> /\ NoWord

(* Publisher.emptySlot: what is next goes to the queue, unless a thief was faster, and is        *)
(* published; in between nobody sees it. The demand for rights is looked at after the release.    *)
EmptySlot(w) ==
  /\ pc[w] = "emptySlot"
  /\ IF queue[Slot(w)] > 0
       THEN Take(w, Slot(w), 1) /\ Goto(w, "slotToQueue") /\ Keep(w, [reg[w] EXCEPT !.hand = 1])
       ELSE UNCHANGED <<queue, reg>> /\ ToRelease(w)
  /\ UNCHANGED <<sleepers, counts, letters, crew>>

SlotToQueue(w) ==
  /\ pc[w] = "slotToQueue"
  /\ queue' = [queue EXCEPT ![Deque(w)] = @ + 1]
  /\ IF Bug("MovedInSilence")  \* Publisher.emptySlot: no sleep.publish()
       THEN Goto(w, "published") /\ Forget(w)
       ELSE CallPublish(w, ThePool, "published")
  /\ UNCHANGED <<sleepers, counts, letters, crew>>

Published(w) ==
  /\ pc[w] = "published"
  /\ ToRelease(w)
  /\ Keep(w, [NoRegisters EXCEPT !.back = "blocked"])
  /\ UNCHANGED <<latch, permit, crew>> /\ NoWord

ReleaseUnseen(w) ==
  /\ pc[w] = "releaseUnseen"
  /\ rights' = rights + 1
  /\ awaitsDemand' = TRUE
  /\ Return(w)
  /\ UNCHANGED <<latch, permit, blocksLeft>> /\ NoWord

ReleaseOnDemand(w) ==
  /\ pc[w] = "releaseOnDemand"
  /\ rights' = rights + 1
  /\ Goto(w, "readAwaits")
  /\ UNCHANGED <<reg, latch, permit, awaitsDemand, blocksLeft>> /\ NoWord

ReadAwaits(w) ==
  /\ pc[w] = "readAwaits"
  /\ Goto(w, IF awaitsDemand THEN "needsMore" ELSE "setAwaits")
  /\ UNCHANGED <<reg, latch, permit, crew>> /\ NoWord

SetAwaits(w) ==
  /\ pc[w] = "setAwaits"
  /\ awaitsDemand' = TRUE
  /\ Goto(w, "needsMore")
  /\ UNCHANGED <<reg, latch, permit, rights, blocksLeft>> /\ NoWord

(* Crew.needsMore: the word, then place after place. *)
NeedsMore(w) ==
  /\ pc[w] = "needsMore"
  /\ IF NobodyIsInactive /\ ~Bug("NoLookAtRelease")  \* releaseOnDemand: no crew.needsMore()
       THEN Goto(w, "isVisible") /\ Keep(w, [reg[w] EXCEPT !.todo = PlacesOf(ThePool)])
       ELSE Return(w)
  /\ UNCHANGED <<latch, permit, crew>> /\ NoWord

IsVisible(w) ==
  /\ pc[w] = "isVisible"
  /\ IF reg[w].todo = {} THEN Return(w)
       ELSE \E x \in NextLook(w) :
              IF queue[x] > 0 THEN Goto(w, "demand") /\ Keep(w, [reg[w] EXCEPT !.todo = {}])
              ELSE Keep(w, [reg[w] EXCEPT !.todo = @ \ {x}]) /\ UNCHANGED pc
  /\ UNCHANGED <<latch, permit, crew>> /\ NoWord

Blocking(w) ==
  EmptySlot(w) \/ SlotToQueue(w) \/ Published(w) \/
  ReleaseUnseen(w) \/ ReleaseOnDemand(w) \/ ReadAwaits(w) \/ SetAwaits(w) \/ NeedsMore(w) \/ IsVisible(w)

---------------------------------------------------------------------------------------------------
(* Crew.wokeNobody and foundWork, in place of AfterPublish and the others of State.tla.           *)

DemandAfterFoundWork == "foundDemand"

DemandAfterPublish(p) ==
  IF reg[p].back \in {"foundDemand", "published"} \/ Bug("NoDemandAtPublish")  \* Crew.wokeNobody: no handOutOnDemand()
    THEN Return(p)
    ELSE Goto(p, "readDemand") /\ Keep(p, [NoRegisters EXCEPT !.back = reg[p].back])

NoDemandAfterWake(p) ==
  Goto(p, IF reg[p].back = "foundDemand" THEN "run" ELSE reg[p].back) /\ Forget(p)

ReadDemand(p) ==
  /\ pc[p] = "readDemand"
  /\ IF awaitsDemand THEN Goto(p, "readInactive") /\ UNCHANGED reg ELSE Return(p)
  /\ UNCHANGED <<latch, permit, crew>> /\ NoWord

ReadInactive(p) ==
  /\ pc[p] = "readInactive"
  /\ IF NobodyIsInactive THEN Goto(p, "demand") /\ UNCHANGED reg ELSE Return(p)
  /\ UNCHANGED <<latch, permit, crew>> /\ NoWord

FoundDemand(w) ==
  /\ pc[w] = "foundDemand"
  /\ IF awaitsDemand /\ ~Bug("NoDemandAtFound")  \* Crew.foundWork: empty
       THEN Goto(w, "needsMore") /\ Keep(w, [NoRegisters EXCEPT !.back = "run"])
       ELSE Goto(w, "run") /\ UNCHANGED reg
  /\ UNCHANGED <<latch, permit, crew>> /\ NoWord

---------------------------------------------------------------------------------------------------
(* RunRights.handOutOnDemand.                                                                     *)

TakeOne(p) ==
  /\ pc[p] = "demand"
  /\ IF rights > 0
       THEN rights' = rights - 1 /\ Goto(p, "activate") /\ Keep(p, [reg[p] EXCEPT !.at = 1, !.one = TRUE])
       ELSE UNCHANGED <<rights, reg>> /\ Goto(p, "endDemand")
  /\ UNCHANGED <<latch, permit, awaitsDemand, blocksLeft>> /\ NoWord

EndDemand(p) ==
  /\ pc[p] = "endDemand"
  /\ awaitsDemand' = FALSE
  /\ IF Bug("NoLookAfterDemand")  \* handOutOnDemand: returns without unclaimed.getVolatile()
       THEN Return(p) ELSE Goto(p, "lookAgain") /\ UNCHANGED reg
  /\ UNCHANGED <<latch, permit, rights, blocksLeft>> /\ NoWord

LookAgain(p) ==
  /\ pc[p] = "lookAgain"
  /\ IF rights > 0 THEN Goto(p, "demandAgain") /\ UNCHANGED reg ELSE Return(p)
  /\ UNCHANGED <<latch, permit, crew>> /\ NoWord

DemandAgain(p) ==
  /\ pc[p] = "demandAgain"
  /\ awaitsDemand' = TRUE
  /\ Goto(p, "demand")
  /\ UNCHANGED <<reg, latch, permit, rights, blocksLeft>> /\ NoWord

OnDemand(p) ==
  \/ ReadDemand(p) \/ ReadInactive(p)
  \/ TakeOne(p) \/ EndDemand(p) \/ LookAgain(p) \/ DemandAgain(p)

---------------------------------------------------------------------------------------------------
(* RunRights.release and handOut.                                                                 *)

Release(w) ==
  /\ pc[w] = "release"
  /\ rights' = rights + 1
  /\ Goto(w, "tryTake")
  /\ UNCHANGED <<reg, latch, permit, awaitsDemand, blocksLeft>> /\ NoWord

TryTake(w) ==
  /\ pc[w] = "tryTake"
  /\ IF rights > 0
       THEN rights' = rights - 1 /\ Goto(w, "activate") /\ Keep(w, [reg[w] EXCEPT !.at = 1])
       ELSE UNCHANGED rights /\ Return(w)
  /\ UNCHANGED <<latch, permit, awaitsDemand, blocksLeft>> /\ NoWord

Advance(w) == Keep(w, [reg[w] EXCEPT !.at = @ + 1]) /\ UNCHANGED pc

(* Crew.activate: a spare, one after the other. *)
Activate(w) ==
  /\ pc[w] = "activate"
  /\ LET s == reg[w].at IN
     IF s > WorkerCount
       THEN Goto(w, "revive") /\ Keep(w, [reg[w] EXCEPT !.at = 1]) /\ UNCHANGED latch
       ELSE IF latch[s] = "SPARE"
         THEN latch' = [latch EXCEPT ![s] = "AWAKE"] /\ Goto(w, "unparkSpare") /\ UNCHANGED reg
         ELSE Advance(w) /\ UNCHANGED latch
  /\ UNCHANGED <<permit, crew>> /\ NoWord

UnparkSpare(w) ==
  /\ pc[w] = "unparkSpare"
  /\ permit' = Permitted(reg[w].at)
  /\ IF reg[w].one THEN Return(w) ELSE Goto(w, "tryTake") /\ UNCHANGED reg
  /\ UNCHANGED <<latch, crew>> /\ NoWord

(* Starter.startSpare: a new thread for a retired worker. *)
Revive(w) ==
  /\ pc[w] = "revive"
  /\ LET s == reg[w].at IN
     IF s > WorkerCount
       THEN Goto(w, "giveBack") /\ UNCHANGED <<reg, latch>>
       ELSE IF latch[s] = "RETIRED"
         THEN /\ latch' = [latch EXCEPT ![s] = "AWAKE"]
              /\ pc' = [pc EXCEPT ![w] = IF reg[w].one THEN reg[w].back ELSE "tryTake", ![s] = "next"]
              /\ IF reg[w].one THEN Forget(w) ELSE UNCHANGED reg
         ELSE Advance(w) /\ UNCHANGED latch
  /\ UNCHANGED <<permit, crew>> /\ NoWord

(* No thread can be had: the right stays to be claimed. *)
GiveBack(w) ==
  /\ pc[w] = "giveBack"
  /\ rights' = rights + 1
  /\ IF Bug("NoLookAfterGivingBack")  \* RunRights.handOut: returns without crew.hasSpare()
       THEN Return(w)
       ELSE Goto(w, IF reg[w].one THEN "nobodyToDemandFrom" ELSE "hasSpare") /\ Keep(w, [reg[w] EXCEPT !.at = 1])
  /\ UNCHANGED <<latch, permit, awaitsDemand, blocksLeft>> /\ NoWord

NobodyToDemandFrom(p) ==
  /\ pc[p] = "nobodyToDemandFrom"
  /\ awaitsDemand' = FALSE
  /\ Goto(p, "hasSpare")
  /\ UNCHANGED <<reg, latch, permit, rights, blocksLeft>> /\ NoWord

(* A spare, or one that has retired since it was looked for, or is about to. *)
HasSpare(w) ==
  /\ pc[w] = "hasSpare"
  /\ LET s == reg[w].at
         found == {"SPARE"} \cup (IF Bug("RetiredOverlooked")  \* Crew.hasSpare: isSpare(w) alone
                                  THEN {} ELSE {"RETIRED"} \cup
                                    (IF Bug("RetiringOverlooked")  \* Crew.hasSpare: isSpare(w), isRetired(w)
                                     THEN {} ELSE {"RETIRING"}))
     IN
     IF s > WorkerCount THEN Return(w)
     ELSE IF latch[s] \in found
       THEN Goto(w, IF reg[w].one THEN "demandAll" ELSE "tryTake") /\ Keep(w, [reg[w] EXCEPT !.one = FALSE])
     ELSE Advance(w)
  /\ UNCHANGED <<latch, permit, crew>> /\ NoWord

DemandAll(w) ==
  /\ pc[w] = "demandAll"
  /\ awaitsDemand' = TRUE
  /\ Goto(w, "tryTake")
  /\ UNCHANGED <<reg, latch, permit, rights, blocksLeft>> /\ NoWord

HandOut(w) ==
  Release(w) \/ TryTake(w) \/ Activate(w) \/ UnparkSpare(w) \/ Revive(w) \/ GiveBack(w) \/ HasSpare(w)
  \/ NobodyToDemandFrom(w) \/ DemandAll(w)

(* Worker.endBlocking, Crew.unblocked: it goes on, whether a right is there or not. *)
Unblock(w) ==
  /\ pc[w] = "blocked"
  /\ rights' = rights - 1
  /\ Goto(w, "run")
  /\ UNCHANGED <<reg, latch, permit, awaitsDemand, blocksLeft>> /\ NoWord

---------------------------------------------------------------------------------------------------
(* Spare.standBy.                                                                                 *)

TryGiveUp(w) ==
  /\ pc[w] = "next" /\ rights < 0
  /\ rights' = rights + 1
  /\ Goto(w, "handOver")
  /\ UNCHANGED <<reg, latch, permit, awaitsDemand, blocksLeft>> /\ NoWord

(* What it owns goes to the injector, one by one; each is a publish. *)
HandOver(w) ==
  /\ pc[w] = "handOver"
  /\ IF Owns(w) /\ ~Bug("KeepsItsQueues")  \* Spare.standBy: no handOverQueues()
       THEN /\ \E x \in {Deque(w), Slot(w)} : queue[x] > 0 /\ Take(w, x, 1)
            /\ Goto(w, "handOverPush")
            /\ Keep(w, [NoRegisters EXCEPT !.hand = 1])
       ELSE Goto(w, "becomeSpare") /\ UNCHANGED <<reg, queue>>
  /\ UNCHANGED <<sleepers, counts, letters, crew>>

HandOverPush(w) ==
  /\ pc[w] = "handOverPush"
  /\ queue' = [queue EXCEPT ![Injector(ThePool)] = @ + 1]
  /\ IF Bug("NoPublishAtHandOver")  \* Spare.handOverQueues: no handOn()
       THEN Goto(w, "handOver") /\ Forget(w)
       ELSE CallPublish(w, ThePool, "handOver")
  /\ UNCHANGED <<sleepers, counts, letters, crew>>

(* Without a close nobody notifies, so the latch is AWAKE. *)
BecomeSpare(w) ==
  /\ pc[w] = "becomeSpare"
  /\ latch' = [latch EXCEPT ![w] = "SPARE"]
  /\ Goto(w, IF Bug("NoLookAtRights") THEN "spareLook" ELSE "spareTake")  \* Spare.standBy: no tryTake()
  /\ UNCHANGED <<reg, permit, crew>> /\ NoWord

SpareTake(w) ==
  /\ pc[w] = "spareTake"
  /\ IF rights > 0 THEN rights' = rights - 1 /\ Goto(w, "spareUnclaim")
     ELSE UNCHANGED rights /\ Goto(w, "spareLook")
  /\ UNCHANGED <<reg, latch, permit, awaitsDemand, blocksLeft>> /\ NoWord

(* Somebody else handed us another right: the one that was taken is released. *)
SpareUnclaim(w) ==
  /\ pc[w] = "spareUnclaim"
  /\ IF latch[w] = "SPARE"
       THEN latch' = [latch EXCEPT ![w] = "AWAKE"] /\ Goto(w, "next") /\ UNCHANGED reg
       ELSE /\ UNCHANGED latch
            /\ Goto(w, "release") /\ Keep(w, [NoRegisters EXCEPT !.back = "next"])
  /\ UNCHANGED <<permit, crew>> /\ NoWord

(* Sleep.parkSpare looks at the latch, and parks. *)
SpareLook(w) ==
  /\ pc[w] = "spareLook"
  /\ Goto(w, IF latch[w] = "SPARE" THEN "spare" ELSE "next")
  /\ UNCHANGED <<reg, latch, permit, crew>> /\ NoWord

WakeSpare(w) ==
  /\ pc[w] = "spare" /\ latch[w] # "SPARE"
  /\ permit' = [permit EXCEPT ![w] = FALSE]
  /\ Goto(w, "next")
  /\ UNCHANGED <<reg, latch, crew>> /\ NoWord

(* The keep-alive is over: an event. Then the CAS of WorkerLatch.prepareToRetire. *)
KeepAliveOver(w) ==
  /\ pc[w] = "spare" /\ latch[w] = "SPARE"
  /\ Goto(w, "retire")
  /\ UNCHANGED <<reg, latch, permit, crew>> /\ NoWord

PrepareToRetire(w) ==
  /\ pc[w] = "retire"
  /\ IF latch[w] = "SPARE" \/ Bug("RetireWithoutCas")  \* WorkerLatch.prepareToRetire: setVolatile(RETIRING)
       THEN latch' = [latch EXCEPT ![w] = "RETIRING"] /\ Goto(w, "retiring")
       ELSE UNCHANGED latch /\ Goto(w, "next")
  /\ UNCHANGED <<reg, permit, crew>> /\ NoWord

(* Nothing is addressed to it here, see Addressed. *)
Retire(w) ==
  /\ pc[w] = "retiring"
  /\ latch' = [latch EXCEPT ![w] = "RETIRED"]
  /\ Goto(w, "retired")
  /\ UNCHANGED <<reg, permit, crew>> /\ NoWord

StandBy(w) ==
  \/ TryGiveUp(w) \/ HandOver(w) \/ HandOverPush(w) \/ BecomeSpare(w) \/ SpareTake(w)
  \/ SpareUnclaim(w) \/ SpareLook(w) \/ (permit[w] /\ WakeSpare(w))
  \/ PrepareToRetire(w) \/ Retire(w)

---------------------------------------------------------------------------------------------------

SpareStep(w) ==
  (WorkerStep(w) /\ UNCHANGED crew) \/ Blocking(w) \/ FoundDemand(w) \/ OnDemand(w) \/ HandOut(w) \/ StandBy(w)

NextSpares ==
  \/ Event /\ UNCHANGED crew
  \/ \E w \in Workers : SpareStep(w) \/ Block(w) \/ Unblock(w) \/ WakeSpare(w) \/ KeepAliveOver(w)
  \/ \E p \in Outsiders : (OutsiderStep(p) /\ UNCHANGED crew) \/ OnDemand(p) \/ HandOut(p)

SpecSpares == InitSpares /\ [][NextSpares]_allVars

---------------------------------------------------------------------------------------------------
(* What must hold, beside CountersAccounted and AtMostOneWake of Protocol.tla. A worker in a      *)
(* blocking section may stay there for ever, as a task may run for ever.                          *)

QuietSpares ==
  /\ \A w \in Workers : Parked(w) \/ pc[w] \in {"run", "blocked", "retired"}
                        \/ (pc[w] = "spare" /\ ~permit[w])
  /\ \A p \in Outsiders : pc[p] = "idle"

Holders == {w \in Workers : pc[w] \in {"run", "parked"}}
Reserve == {w \in Workers : pc[w] \in {"spare", "retired"}}

(* G9: every right is held, or lies where it can be claimed. *)
NoRightLost == QuietSpares => Cardinality(Holders) + rights = Parallelism

(* G9: no right lies unclaimed beside a worker that could have it, unless those who publish know. *)
NoIdleRight == QuietSpares /\ rights > 0 /\ Reserve # {} => awaitsDemand

(* G1 *)
NoStrandedWorkSpares ==
  QuietSpares /\ Visible(ThePool) =>
    /\ \A w \in Workers : pc[w] # "parked"
    /\ Cardinality(Holders) < Parallelism => Reserve = {}

HeldSpares(w) ==
  Held(w) + (IF {pc[w], reg[w].back} \cap {"blocked", "foundDemand", "published"} # {} THEN 1 ELSE 0)

ExactlyOnceSpares ==
  TaskLimit - left =
    SumOver(queue, Places) + SumOver([w \in Workers |-> HeldSpares(w)], Workers) + finished
=============================================================================
