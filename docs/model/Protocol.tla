------------------------------ MODULE Protocol ------------------------------
(* The sleep/wake protocol of Catnap, as core/src/main/java/dev/catnap/internal/sleep and         *)
(* internal/worker/Search.java do it: workers that run, search and sleep, and publishers inside    *)
(* and outside of tasks. Each action has the name of the step in the README of that package and   *)
(* is one access to shared memory; README.md beside this file maps actions to methods.            *)
(*                                                                                                *)
(* In three modules: State.tla, Publish.tla, and here the workers and what must hold.             *)
(* Shutdown.tla, Spares.tla and PerInsert.tla extend this one. Memory is sequentially consistent: fences are no  *)
(* steps. StoreBuffers.tla is about the fences.                                                   *)
EXTENDS Publish

---------------------------------------------------------------------------------------------------
(* A worker between two tasks: Intake.localOrInjected.                                            *)

Owns(w) == queue[Deque(w)] + queue[Slot(w)] > 0

(* n tasks leave place x: one is to be run, the others are in w's hand.                           *)
Take(w, x, n) == queue' = [queue EXCEPT ![x] = @ - n]

TakeOwn(w) ==
  /\ pc[w] = "next"
  /\ \E x \in {Deque(w), Slot(w)} : queue[x] > 0 /\ Take(w, x, 1)
  /\ Goto(w, "run")
  /\ UNCHANGED <<reg, sleepers, counts, letters>>

(* Injector.poll with a share: the others are in nobody's sight until KeepBatch.                  *)
PollInjector(w) ==
  /\ pc[w] = "next" /\ ~Owns(w)
  /\ LET x == Injector(PoolOf(w)) IN \E n \in 1..queue[x] :
       /\ Take(w, x, n)
       /\ IF n = 1 THEN Goto(w, "run") /\ UNCHANGED reg
          ELSE Goto(w, "keepBatch") /\ Keep(w, [NoRegisters EXCEPT !.hand = n - 1])
  /\ UNCHANGED <<sleepers, counts, letters>>

(* The batch becomes visible again, by a worker that runs: a publish like any other.              *)
KeepBatch(w) ==
  /\ pc[w] = "keepBatch"
  /\ queue' = [queue EXCEPT ![Deque(w)] = @ + reg[w].hand]
  /\ IF Bug("NoPublishAfterBatch")  \* Intake.localOrInjected: no handOn()
       THEN Goto(w, "run") /\ Forget(w)
       ELSE CallPublishOf(w, PoolOf(w), "run", reg[w].hand)
  /\ UNCHANGED <<sleepers, counts, letters>>

(* User code: it may publish, end, or hang, so no fairness is assumed of it where G1 is checked.  *)
Finish(w) ==
  /\ pc[w] = "run"
  /\ finished' = finished + 1
  /\ Goto(w, "next")
  /\ UNCHANGED <<reg, sleepers, queue, left, letters>>

---------------------------------------------------------------------------------------------------
(* A worker without work: Search.search and Sleep.                                                *)

StartSearch(w) ==
  /\ pc[w] = "next" /\ ~Owns(w)
  /\ word' = [word EXCEPT ![PoolOf(w)].inactive = @ + 1]
  /\ Goto(w, "search")
  /\ UNCHANGED <<reg, latch, permit, queue, counts, letters>>

(* n tasks were taken from x: steal or poll. The search ends with them in the own deque.          *)
Found(w, x) ==
  /\ \E n \in 1..queue[x] :
       /\ Take(w, x, n)
       /\ Keep(w, [NoRegisters EXCEPT !.hand = n - 1, !.back = AfterFoundWork])
       /\ Goto(w, IF n = 1 THEN "foundWork" ELSE "keepFound")

(* A find in the rounds. A worker may announce instead at any moment, even if tasks are there: so  *)
(* what is checked holds for any number of rounds, none included, and for any limit of searchers. *)
Rounds(w) ==
  /\ pc[w] = "search"
  /\ \E x \in {Injector(PoolOf(w))} \cup (Deques(PoolOf(w)) \ {Deque(w)}) : Found(w, x)
  /\ UNCHANGED <<sleepers, counts, letters>>

VictimPlaces(w) ==
  ({Injector(PoolOf(w))} \cup (Deques(PoolOf(w)) \ {Deque(w)}))
    \cup (IF Bug("SlotNotLookedAt") THEN {}  \* findElsewhere(false) in Search.search, no slot in isWorkVisible
          ELSE Slots(PoolOf(w)) \ {Slot(w)})

StartLastSearch(w) ==
  /\ Goto(w, "lastSearch")
  /\ Keep(w, [reg[w] EXCEPT !.todo = VictimPlaces(w)])

Announce(w) ==
  /\ pc[w] = "search"
  /\ LET before == word[PoolOf(w)]
         after == Announced(before)
         \* CounterWord.announce: returns jec(w), of before the CAS
         jec == IF Bug("OldJec") THEN before.jec ELSE after.jec
         looks == IF LetterLimit = 0 THEN VictimPlaces(w) ELSE {}
     IN /\ word' = [word EXCEPT ![PoolOf(w)] = after]
        /\ Keep(w, [NoRegisters EXCEPT !.announced = jec, !.todo = looks])
  /\ Goto(w, IF LetterLimit = 0 THEN "lastSearch" ELSE "readLetters")
  /\ UNCHANGED <<latch, permit, queue, counts, letters>>

(* The worker looks at what is addressed to it; in the code: the phase of the pool.               *)
ReadLetters(w) ==
  /\ pc[w] = "readLetters"
  /\ letter' = [letter EXCEPT ![w] = FALSE]
  /\ IF Bug("LateAcknowledge")  \* Search.search: sleep.acknowledge(this) after pool.phase()
       THEN Goto(w, "lateAcknowledge") /\ UNCHANGED reg
       ELSE StartLastSearch(w)
  /\ UNCHANGED <<sleepers, queue, counts, lettersLeft>>

Unnotified(w) == [latch EXCEPT ![w] = IF @ = "NOTIFIED" THEN "AWAKE" ELSE @]

LateAcknowledge(w) ==
  /\ pc[w] = "lateAcknowledge"
  /\ latch' = Unnotified(w)
  /\ StartLastSearch(w)
  /\ UNCHANGED <<word, permit, queue, counts, letters>>

LastSearch(w) ==
  /\ pc[w] = "lastSearch"
  /\ IF reg[w].todo = {}
       THEN Goto(w, IF Bug("CommitBeforeRegister") THEN "commit" ELSE "register") /\ UNCHANGED <<reg, queue>>
       ELSE \E x \in NextLook(w) :
              IF queue[x] > 0 THEN Found(w, x)
              ELSE Keep(w, [reg[w] EXCEPT !.todo = @ \ {x}]) /\ UNCHANGED <<pc, queue>>
  /\ UNCHANGED <<sleepers, counts, letters>>

(* The own queues are left out where they are empty for sure: only their owner puts tasks there.  *)
FinalPlaces(w, own) ==
  LET q == PoolOf(w)
      all == PlacesOf(q) \ (IF own THEN {} ELSE {Deque(w), Slot(w)})
  IN
  CASE Bug("NoFinalCheck") -> {}                           \* Sleep.sleep: no isWorkVisible()
    [] Bug("InjectorOnlyFinalCheck") -> {Injector(q)}      \* Pool.isWorkVisible: only the injector
    [] Bug("SlotNotLookedAt") -> all \ Slots(q)    \* Pool.isWorkVisible: no slot
    [] OTHER -> all

StartFinalCheck(w) ==
  /\ Goto(w, "finalCheck")
  /\ Keep(w, [NoRegisters EXCEPT !.todo = FinalPlaces(w, FALSE)])

Register(w) ==
  /\ pc[w] = "register"
  /\ LET c == word[PoolOf(w)]
         ok == c.jec = reg[w].announced
                 \/ Bug("NoJecComparison")  \* CounterWord.tryRegister: does not compare jec(w)
     IN IF ok
          THEN /\ word' = [word EXCEPT ![PoolOf(w)].sleeping = @ + 1]
               /\ IF Bug("CommitBeforeRegister") THEN StartFinalCheck(w)
                  ELSE /\ Goto(w, "commit")
                       /\ Keep(w, [NoRegisters EXCEPT !.announced =
                                    IF OnePerInsert THEN reg[w].announced ELSE 0])
          ELSE /\ Goto(w, IF Bug("CommitBeforeRegister") THEN "uncommit" ELSE "search")
               /\ Forget(w)
               /\ UNCHANGED word
  /\ UNCHANGED <<latch, permit, queue, counts, letters>>

(* Nothing is there to acknowledge if nothing can be addressed to anybody.                        *)
AfterSleep == IF LetterLimit = 0 THEN "search" ELSE "acknowledge"

Commit(w) ==
  /\ pc[w] = "commit"
  /\ IF latch[w] = "AWAKE" \/ Bug("CommitWithoutCas")  \* WorkerLatch.commit: setVolatile(SLEEPING)
       THEN /\ latch' = [latch EXCEPT ![w] = "SLEEPING"]
            /\ IF Bug("CommitBeforeRegister")  \* Search.search: the commit of Sleep.sleep before register
                 THEN Goto(w, "register") /\ UNCHANGED reg
                 ELSE IF OnePerInsert /\ ~Bug("NoSecondLook")  \* Sleep.sleep: no hasMoved()
                   THEN Goto(w, "secondLook") /\ UNCHANGED reg
                   ELSE StartFinalCheck(w)
       ELSE /\ Goto(w, IF Bug("CommitBeforeRegister") THEN "acknowledge" ELSE "deregisterSelf")
            /\ Forget(w)
            /\ UNCHANGED latch
  /\ UNCHANGED <<word, permit, queue, counts, letters>>

(* Only with OnePerInsert: was there a publish since Announce, which perhaps could claim nobody?  *)
SecondLook(w) ==
  /\ pc[w] = "secondLook"
  /\ IF word[PoolOf(w)].jec = reg[w].announced THEN StartFinalCheck(w)
       ELSE Goto(w, "withdraw") /\ Forget(w)
  /\ UNCHANGED <<sleepers, queue, counts, letters>>

(* Only with CommitBeforeRegister: the registration failed, the latch is taken back.              *)
Uncommit(w) ==
  /\ pc[w] = "uncommit"
  /\ latch' = [latch EXCEPT ![w] = IF @ = "SLEEPING" THEN "AWAKE" ELSE @]
  /\ Goto(w, "search")
  /\ UNCHANGED <<reg, word, permit, queue, counts, letters>>

FinalCheck(w) ==
  /\ pc[w] = "finalCheck"
  /\ IF reg[w].todo = {}
       \* the loop around park looks at the latch before it parks
       THEN Goto(w, IF latch[w] = "SLEEPING" THEN "parked" ELSE AfterSleep) /\ Forget(w)
       ELSE \E x \in NextLook(w) :
              IF queue[x] > 0 THEN Goto(w, "withdraw") /\ Forget(w)
              ELSE Keep(w, [reg[w] EXCEPT !.todo = @ \ {x}]) /\ UNCHANGED pc
  /\ UNCHANGED <<sleepers, queue, counts, letters>>

Withdraw(w) ==
  /\ pc[w] = "withdraw"
  /\ latch' = [latch EXCEPT ![w] = IF @ = "SLEEPING" THEN "AWAKE" ELSE @]
  /\ Goto(w, IF latch[w] = "SLEEPING"
               \/ Bug("WithdrawWithoutClaim")  \* Sleep.withdraw: deregister whatever claim() said
             THEN "deregisterSelf" ELSE AfterSleep)
  /\ UNCHANGED <<reg, word, permit, queue, counts, letters>>

DeregisterSelf(w) ==
  /\ pc[w] = "deregisterSelf"
  /\ word' = Decremented(w)
  /\ Goto(w, AfterSleep)
  /\ UNCHANGED <<reg, latch, permit, queue, counts, letters>>

(* Park returns, with a permit; or spuriously, which need not come: see InnerStep.                 *)
Wake(w) ==
  /\ pc[w] = "parked" /\ latch[w] # "SLEEPING"
  /\ permit' = [permit EXCEPT ![w] = FALSE]
  /\ Goto(w, IF Bug("DoubleDecrement")  \* Sleep.sleep: counters.deregister() after the loop, too
             THEN "deregisterSelf" ELSE AfterSleep)
  /\ UNCHANGED <<reg, word, latch, queue, counts, letters>>

(* Only with TimedPark: the worker parks for a time, "to be safe", and then looks.                *)
Timeout(w) ==
  /\ Bug("TimedPark")  \* Sleep.sleep: parker.parkNanos, and withdraw when it returns
  /\ pc[w] = "parked" /\ latch[w] = "SLEEPING"
  /\ Goto(w, "withdraw")
  /\ UNCHANGED <<reg, sleepers, queue, counts, letters>>

Acknowledge(w) ==
  /\ pc[w] = "acknowledge"
  /\ latch' = IF Bug("LateAcknowledge") THEN latch ELSE Unnotified(w)
  /\ Goto(w, "search")
  /\ UNCHANGED <<reg, word, permit, queue, counts, letters>>

---------------------------------------------------------------------------------------------------
(* FoundWork: Sleep.endSearch.                                                                    *)

KeepFound(w) ==
  /\ pc[w] = "keepFound"
  /\ queue' = [queue EXCEPT ![Deque(w)] = @ + reg[w].hand]
  /\ Keep(w, [reg[w] EXCEPT !.hand = 0,
                             !.more = IF OnePerInsert /\ ~Bug("SilentMove")  \* Sleep.endSearch: return 0
                                      THEN reg[w].hand ELSE 0])
  /\ Goto(w, "foundWork")
  /\ UNCHANGED <<sleepers, counts, letters>>

FoundWork(w) ==
  /\ pc[w] = "foundWork"
  /\ IF Bug("LookBeforeDecrement")  \* Sleep.endSearch: isWorkVisible() before counters.endSearch()
       THEN /\ Goto(w, "lookFirst")
            /\ Keep(w, [reg[w] EXCEPT !.todo = PlacesOf(PoolOf(w))])
            /\ UNCHANGED word
       ELSE LET after == [word[PoolOf(w)] EXCEPT !.inactive = @ - 1] IN
            /\ word' = [word EXCEPT ![PoolOf(w)] = after]
            /\ IF OnePerInsert
                 THEN IF reg[w].more = 0 THEN Return(w)
                      ELSE CallPublishOf(w, PoolOf(w), reg[w].back, reg[w].more)
                 ELSE IF NobodySearches(after) /\ after.sleeping > 0
                    /\ ~Bug("NoHandOn")  \* Sleep.endSearch: only counters.endSearch()
                 THEN Goto(w, "handOn") /\ Keep(w, [reg[w] EXCEPT !.todo = FinalPlaces(w, TRUE)])
                 ELSE Return(w)
  /\ UNCHANGED <<latch, permit, queue, counts, letters>>

HandOn(w) ==
  /\ pc[w] = "handOn"
  /\ IF reg[w].todo = {}
       THEN Return(w)
       ELSE \E x \in NextLook(w) :
              IF queue[x] > 0 THEN CallWakeOne(w, PoolOf(w), reg[w].back)
              ELSE Keep(w, [reg[w] EXCEPT !.todo = @ \ {x}]) /\ UNCHANGED pc
  /\ UNCHANGED <<sleepers, queue, counts, letters>>

(* Only with LookBeforeDecrement.                                                                 *)
LookFirst(w) ==
  /\ pc[w] = "lookFirst"
  /\ IF reg[w].todo = {}
       THEN Goto(w, "decrementOnly") /\ UNCHANGED reg
       ELSE \E x \in NextLook(w) :
              IF queue[x] > 0 THEN Goto(w, "decrementAndWake") /\ UNCHANGED reg
              ELSE Keep(w, [reg[w] EXCEPT !.todo = @ \ {x}]) /\ UNCHANGED pc
  /\ UNCHANGED <<sleepers, queue, counts, letters>>

DecrementAfterLook(w) ==
  /\ pc[w] \in {"decrementOnly", "decrementAndWake"}
  /\ LET after == [word[PoolOf(w)] EXCEPT !.inactive = @ - 1] IN
     /\ word' = [word EXCEPT ![PoolOf(w)] = after]
     /\ IF NobodySearches(after) /\ after.sleeping > 0 /\ pc[w] = "decrementAndWake"
          THEN CallWakeOne(w, PoolOf(w), reg[w].back)
          ELSE Return(w)
  /\ UNCHANGED <<latch, permit, queue, counts, letters>>

---------------------------------------------------------------------------------------------------
(* Everything together. Events come from outside of the protocol and may never come; steps are    *)
(* what a thread does that is not stopped.                                                        *)

(* The steps of a worker that Shutdown.tla guards or replaces are not in here.                    *)
InnerStep(w) ==
  \/ Publishing(w) \/ PushDisplaced(w)
  \/ TakeOwn(w) \/ KeepBatch(w)
  \/ Rounds(w) \/ Announce(w) \/ LateAcknowledge(w) \/ LastSearch(w) \/ Register(w)
  \/ Uncommit(w) \/ SecondLook(w) \/ FinalCheck(w) \/ Withdraw(w) \/ DeregisterSelf(w)
  \/ (permit[w] /\ Wake(w)) \/ Timeout(w)
  \/ KeepFound(w) \/ FoundWork(w) \/ HandOn(w) \/ LookFirst(w) \/ DecrementAfterLook(w)

WorkerStep(w) ==
  \/ InnerStep(w)
  \/ PollInjector(w) \/ StartSearch(w) \/ ReadLetters(w) \/ Commit(w) \/ Acknowledge(w)

OutsiderStep(p) == Publishing(p) \/ Notifying(p) \/ Notified(p)

TaskEvent(w) ==
  \/ PushDeque(w) \/ PushSlot(w) \/ Finish(w)
  \/ \E q \in Pools : PushInjector(w, q)

Event ==
  \/ \E w \in Workers : TaskEvent(w) \/ Wake(w)
  \/ \E p \in Outsiders, q \in Pools : PushOutside(p, q)
  \/ \E p \in Outsiders, w \in Workers : Address(p, w)

Next ==
  \/ Event
  \/ \E w \in Workers : WorkerStep(w)
  \/ \E p \in Outsiders : OutsiderStep(p)

Spec == Init /\ [][Next]_vars

(* Every thread goes on, and every task ends; nobody has to publish.                              *)
FairSpec ==
  /\ Spec
  /\ \A w \in Workers : WF_vars(WorkerStep(w)) /\ WF_vars(Finish(w))
  /\ \A p \in Outsiders : WF_vars(OutsiderStep(p))

---------------------------------------------------------------------------------------------------
(* What must hold.                                                                                *)

Parked(w) == pc[w] = "parked" /\ ~permit[w]

(* Nobody does anything any more unless an event comes: no wake is under way, no publish, no      *)
(* search. A task that runs may run for ever.                                                     *)
Quiet ==
  /\ \A w \in Workers : Parked(w) \/ pc[w] = "run"
  /\ \A p \in Outsiders : pc[p] = "idle"

RECURSIVE SumOver(_, _)
SumOver(f, S) == IF S = {} THEN 0 ELSE LET x == CHOOSE x \in S : TRUE IN f[x] + SumOver(f, S \ {x})

Visible(q) == \E x \in PlacesOf(q) : queue[x] > 0

(* G1 *)
NoStrandedWork == Quiet => \A q \in Pools : Visible(q) => \A w \in Crew(q) : ~Parked(w)

NoLostLetter == Quiet => \A w \in Workers : Parked(w) => ~letter[w]

(* G2: every task is in one place, in one hand, runs, or has run. *)
Held(w) ==
  reg[w].hand + (IF pc[w] \in {"run", "keepBatch", "displaced"} \/ reg[w].back = "run" THEN 1 ELSE 0)

ExactlyOnce ==
  /\ \A x \in Places : queue[x] >= 0
  /\ TaskLimit - left =
       SumOver(queue, Places) + SumOver([w \in Workers |-> Held(w)], Workers) + finished

(* Pool.isWorkVisible and Search.findElsewhere do not read the queues of workers that are not     *)
(* awake: to look at the latch is the same as to look at the queues, at that moment.              *)
OnlyTheAwakeHold ==
  \A w \in Workers :
    latch[w] \in {"SLEEPING", "SPARE", "RETIRING", "RETIRED"} => queue[Deque(w)] + queue[Slot(w)] = 0

(* G3 *)
AtMostOneWake == \A p \in Processes : reg[p].wakes <= 1

(* As of each read of the word, in Publish, FoundWork and ReadAgain: a worker that starts to       *)
(* search after the last one, before the claim, is not seen.                                      *)
NoWakeWhileSearched ==
  [][\A p \in Processes :
       LET decided == \/ pc[p] = "readSleepers" /\ pc'[p] = "wakeOne"
                      \/ pc[p] = "readAgain" /\ pc'[p] = "claim"
                      \/ pc[p] = "foundWork" /\ pc'[p] = "handOn"
           q == IF pc[p] = "foundWork" THEN PoolOf(p) ELSE reg[p].pool
       IN decided => \/ Searching(word'[q]) <= 0
                     \/ pc[p] # "foundWork" /\ Backlogged(p)]_vars

(* G4 *)
CountersExact ==
  Quiet => \A q \in Pools :
    LET n == Cardinality({w \in Crew(q) : Parked(w)})
    IN word[q].sleeping = n /\ word[q].inactive = n

CountersNeverNegative == \A q \in Pools : word[q].sleeping >= 0 /\ word[q].inactive >= 0

(* At any moment. Sleeping may be above the number of workers for as long as a waker stands        *)
(* between its claim and its decrement, since the claimed worker may register again meanwhile.    *)
(* InRest is of Shutdown.tla: between Register and Commit.                                        *)
InRest(w) == pc[w] \in {"endDraining", "notify", "notifyDeregister", "notifyUnpark", "notified"}

Inactive(w) ==
  InRest(w) \/ pc[w] \in {"search", "readLetters", "lateAcknowledge", "lastSearch", "register", "commit",
             "secondLook", "finalCheck", "withdraw", "deregisterSelf", "parked", "acknowledge", "keepFound",
             "foundWork"}

CountersAccounted ==
  \A q \in Pools :
    /\ word[q].inactive = Cardinality({w \in Crew(q) : Inactive(w)})
    /\ word[q].sleeping =
         Cardinality({w \in Crew(q) : latch[w] = "SLEEPING" \/ pc[w] \in {"commit", "deregisterSelf"}
                                     \/ InRest(w)})
         + Cardinality({p \in Processes : pc[p] \in {"deregister", "notifyDeregister"}
                                          /\ PoolOf(reg[p].at) = q})

AllParked == <>[](\A w \in Workers : pc[w] = "parked")

(* G8: who is unparked for a publish is of the pool that was published to. *)
PoolIsolation ==
  \A p \in Processes :
    pc[p] \in {"setAwake", "deregister"} => PoolOf(reg[p].at) = reg[p].pool
=============================================================================
