------------------------------- MODULE Spares -------------------------------
(* Blocking sections and spares: RunRights.java, Crew.blocked to startSpare, Worker.standBy.      *)
(* Of the workers of the pool, Parallelism have a thread at the start; the others are retired,    *)
(* which stands for "not made yet" too. They run, search and sleep as in Protocol.tla.            *)
(* Threads that cannot be started are not modelled, nor is a close meanwhile.                     *)
EXTENDS Protocol

CONSTANTS
  Parallelism,
  BlockLimit    \* blocking sections in one behaviour

VARIABLES
  rights,       \* RunRights.unclaimed
  blocksLeft

crew == <<rights, blocksLeft>>
allVars == <<vars, crew>>
ThePool == SomePool
NoWord == UNCHANGED <<word, queue, counts, letters>>

InitSpares ==
  /\ pc = [p \in Processes |-> IF p \notin Workers THEN "idle"
                               ELSE IF p <= Parallelism THEN "next" ELSE "retired"]
  /\ left = TaskLimit
  /\ InitButTasks
  /\ rights = 0
  /\ blocksLeft = BlockLimit

---------------------------------------------------------------------------------------------------
(* RunRights.                                                                                     *)

(* Worker.beginBlocking, Crew.blocked. *)
Block(w) ==
  /\ pc[w] = "run" /\ blocksLeft > 0
  /\ blocksLeft' = blocksLeft - 1
  /\ Goto(w, "release")
  /\ Keep(w, [NoRegisters EXCEPT !.back = "blocked"])
  /\ UNCHANGED <<latch, permit, rights>> /\ NoWord

Release(w) ==
  /\ pc[w] = "release"
  /\ rights' = rights + 1
  \* RunRights.release: handOut() only if the pool's isWorkVisible()
  /\ IF Bug("HandOverIfVisible") /\ ~Visible(ThePool) THEN Return(w) ELSE Goto(w, "tryTake") /\ UNCHANGED reg
  /\ UNCHANGED <<latch, permit, blocksLeft>> /\ NoWord

TryTake(w) ==
  /\ pc[w] = "tryTake"
  /\ IF rights > 0
       THEN rights' = rights - 1 /\ Goto(w, "activate") /\ Keep(w, [reg[w] EXCEPT !.at = 1])
       ELSE UNCHANGED rights /\ Return(w)
  /\ UNCHANGED <<latch, permit, blocksLeft>> /\ NoWord

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
  /\ Goto(w, "tryTake")
  /\ UNCHANGED <<reg, latch, crew>> /\ NoWord

(* Crew.startSpare: a new thread for a retired worker. *)
Revive(w) ==
  /\ pc[w] = "revive"
  /\ LET s == reg[w].at IN
     IF s > WorkerCount
       THEN Goto(w, "giveBack") /\ UNCHANGED <<reg, latch>>
       ELSE IF latch[s] = "RETIRED"
         THEN /\ latch' = [latch EXCEPT ![s] = "AWAKE"]
              /\ pc' = [pc EXCEPT ![w] = "tryTake", ![s] = "next"]
              /\ UNCHANGED reg
         ELSE Advance(w) /\ UNCHANGED latch
  /\ UNCHANGED <<permit, crew>> /\ NoWord

(* No thread can be had: the right stays to be claimed. *)
GiveBack(w) ==
  /\ pc[w] = "giveBack"
  /\ rights' = rights + 1
  /\ IF Bug("NoLookAfterGivingBack")  \* RunRights.handOut: returns without crew.hasSpare()
       THEN Return(w)
       ELSE Goto(w, "hasSpare") /\ Keep(w, [reg[w] EXCEPT !.at = 1])
  /\ UNCHANGED <<latch, permit, blocksLeft>> /\ NoWord

(* A spare, or one that has retired since it was looked for. *)
HasSpare(w) ==
  /\ pc[w] = "hasSpare"
  /\ LET s == reg[w].at
         found == {"SPARE"} \cup (IF Bug("RetiredOverlooked")  \* Crew.hasSpare: isSpare(w) alone
                                  THEN {} ELSE {"RETIRED"})
     IN
     IF s > WorkerCount THEN Return(w)
     ELSE IF latch[s] \in found THEN Goto(w, "tryTake") /\ UNCHANGED reg
     ELSE Advance(w)
  /\ UNCHANGED <<latch, permit, crew>> /\ NoWord

HandOut(w) ==
  Release(w) \/ TryTake(w) \/ Activate(w) \/ UnparkSpare(w) \/ Revive(w) \/ GiveBack(w) \/ HasSpare(w)

(* Worker.endBlocking, Crew.unblocked: it goes on, whether a right is there or not. *)
Unblock(w) ==
  /\ pc[w] = "blocked"
  /\ rights' = rights - 1
  /\ Goto(w, "run")
  /\ UNCHANGED <<reg, latch, permit, blocksLeft>> /\ NoWord

---------------------------------------------------------------------------------------------------
(* Worker.standBy.                                                                                *)

TryGiveUp(w) ==
  /\ pc[w] = "next" /\ rights < 0
  /\ rights' = rights + 1
  /\ Goto(w, "handOver")
  /\ UNCHANGED <<reg, latch, permit, blocksLeft>> /\ NoWord

(* What it owns goes to the injector, one by one; each is a publish. *)
HandOver(w) ==
  /\ pc[w] = "handOver"
  /\ IF Owns(w)
       THEN /\ \E x \in {Deque(w), Slot(w)} : queue[x] > 0 /\ Take(w, x, 1)
            /\ Goto(w, "handOverPush")
            /\ Keep(w, [NoRegisters EXCEPT !.hand = 1])
       ELSE Goto(w, "becomeSpare") /\ UNCHANGED <<reg, queue>>
  /\ UNCHANGED <<sleepers, counts, letters, crew>>

HandOverPush(w) ==
  /\ pc[w] = "handOverPush"
  /\ queue' = [queue EXCEPT ![Injector(ThePool)] = @ + 1]
  /\ IF Bug("NoPublishAtHandOver")  \* Worker.handOverQueues: no handOn()
       THEN Goto(w, "handOver") /\ Forget(w)
       ELSE CallPublish(w, ThePool, "handOver")
  /\ UNCHANGED <<sleepers, counts, letters, crew>>

(* Without a close nobody notifies, so the latch is AWAKE. *)
BecomeSpare(w) ==
  /\ pc[w] = "becomeSpare"
  /\ latch' = [latch EXCEPT ![w] = "SPARE"]
  /\ Goto(w, IF Bug("NoLookAtRights") THEN "spareLook" ELSE "spareTake")  \* Worker.standBy: no tryTake()
  /\ UNCHANGED <<reg, permit, crew>> /\ NoWord

SpareTake(w) ==
  /\ pc[w] = "spareTake"
  /\ IF rights > 0 THEN rights' = rights - 1 /\ Goto(w, "spareUnclaim")
     ELSE UNCHANGED rights /\ Goto(w, "spareLook")
  /\ UNCHANGED <<reg, latch, permit, blocksLeft>> /\ NoWord

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

(* The keep-alive is over: an event. Then the CAS of WorkerLatch.retire. *)
KeepAliveOver(w) ==
  /\ pc[w] = "spare" /\ latch[w] = "SPARE"
  /\ Goto(w, "retire")
  /\ UNCHANGED <<reg, latch, permit, crew>> /\ NoWord

Retire(w) ==
  /\ pc[w] = "retire"
  /\ IF latch[w] = "SPARE" \/ Bug("RetireWithoutCas")  \* WorkerLatch.retire: setVolatile(RETIRED)
       THEN latch' = [latch EXCEPT ![w] = "RETIRED"] /\ Goto(w, "retired")
       ELSE UNCHANGED latch /\ Goto(w, "next")
  /\ UNCHANGED <<reg, permit, crew>> /\ NoWord

StandBy(w) ==
  \/ TryGiveUp(w) \/ HandOver(w) \/ HandOverPush(w) \/ BecomeSpare(w) \/ SpareTake(w)
  \/ SpareUnclaim(w) \/ SpareLook(w) \/ (permit[w] /\ WakeSpare(w)) \/ Retire(w)

---------------------------------------------------------------------------------------------------

SpareStep(w) == (WorkerStep(w) /\ UNCHANGED crew) \/ HandOut(w) \/ StandBy(w)

NextSpares ==
  \/ Event /\ UNCHANGED crew
  \/ \E w \in Workers : SpareStep(w) \/ Block(w) \/ Unblock(w) \/ WakeSpare(w) \/ KeepAliveOver(w)
  \/ \E p \in Outsiders : OutsiderStep(p) /\ UNCHANGED crew

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

(* G9: no right lies unclaimed beside a worker that could have it. *)
NoIdleRight == QuietSpares /\ rights > 0 => Reserve = {}

(* G1 *)
NoStrandedWorkSpares ==
  QuietSpares /\ Visible(ThePool) =>
    /\ \A w \in Workers : pc[w] # "parked"
    /\ Cardinality(Holders) < Parallelism => Reserve = {}

HeldSpares(w) == Held(w) + (IF pc[w] = "blocked" \/ reg[w].back = "blocked" THEN 1 ELSE 0)

ExactlyOnceSpares ==
  TaskLimit - left =
    SumOver(queue, Places) + SumOver([w \in Workers |-> HeldSpares(w)], Workers) + finished
=============================================================================
