------------------------------- MODULE State --------------------------------
(* What the modules of the sleep/wake protocol share: constants, variables, and words for what    *)
(* all actions do. Protocol.tla says what it is about.                                            *)
EXTENDS Integers, FiniteSets

CONSTANTS
  WorkerCount,  \* workers are 1..WorkerCount, and WakeOne tries the lowest number first
  Outsiders,    \* publishers that are no workers
  PoolOf(_),    \* the pool of a worker: OnePool, or TwoPools
  Asleep,       \* workers that sleep at the start, to come sooner to what is looked for
  TaskLimit,    \* publishes in one behaviour
  LetterLimit,  \* things addressed to one worker (a notification each) in one behaviour
  JecSize,      \* the JEC counts modulo this: 2 is the smallest, and what it was is soon again
  Bugs          \* known wrong versions that are switched on: a set of names

OnePool(w) == 1
TwoPools(w) == IF w = 1 THEN 1 ELSE 2

Bug(name) == name \in Bugs

(* No wrong version: the other rule of wakes, see PerInsert.tla.                                  *)
OnePerInsert == Bug("OnePerInsert")

Workers == 1..WorkerCount
Pools == {PoolOf(w) : w \in Workers}
SomePool == CHOOSE q \in Pools : TRUE
Crew(q) == {w \in Workers : PoolOf(w) = q}
Processes == Workers \cup Outsiders

(* Where a task can lie. Tasks are alike, so a queue is the number of tasks in it, and one that   *)
(* is lost or run twice shows in the sum. Order is not modelled: no step depends on it. Queues    *)
(* are taken to be linearizable, which is what the Lincheck suites check.                         *)
Injector(q) == <<"injector", q>>
Deque(w) == <<"deque", w>>
Slot(w) == <<"slot", w>>
Deques(q) == {Deque(w) : w \in Crew(q)}
Slots(q) == {Slot(w) : w \in Crew(q)}
Places == UNION {{Injector(q)} \cup Deques(q) \cup Slots(q) : q \in Pools}
PlacesOf(q) == {Injector(q)} \cup Deques(q) \cup Slots(q)

VARIABLES
  pc,           \* what each process does next
  reg,          \* what each process remembers between steps
  word,         \* CounterWord of each pool
  latch,        \* WorkerLatch of each worker
  permit,       \* the permit of LockSupport.park of each worker's thread
  queue,        \* tasks in each place
  left,         \* publishes that may still come
  finished,     \* tasks that ran to their end
  letter,       \* is something addressed to this worker that it has not seen?
  lettersLeft

vars == <<pc, reg, word, latch, permit, queue, left, finished, letter, lettersLeft>>
counts == <<left, finished>>
letters == <<letter, lettersLeft>>
sleepers == <<word, latch, permit>>

NoRegisters ==
  [todo |-> {},          \* places that this look has not come to yet
   at |-> 0,             \* the sleeper that is tried, or was claimed
   back |-> "",          \* what to do after the call
   pool |-> SomePool,    \* the pool that is published to
   announced |-> 0,      \* Sleeper.announcedJec
   hand |-> 0,           \* tasks that are moved from queue to queue, in nobody's sight
   wakes |-> 0,          \* unparks of this call
   more |-> 0,           \* wakes that it still owes beside the first: only with OnePerInsert
   one |-> FALSE]        \* it hands out one right, not all: only in Spares.tla

InitButTasks ==
  /\ reg = [p \in Processes |-> NoRegisters]
  /\ word = [q \in Pools |-> LET n == Cardinality(Asleep \cap Crew(q))
                             IN [jec |-> 0, inactive |-> n, sleeping |-> n]]
  /\ latch = [w \in Workers |-> IF w \in Asleep THEN "SLEEPING"
                                ELSE IF pc[w] = "retired" THEN "RETIRED"  \* of Spares.tla
                                ELSE "AWAKE"]
  /\ permit = [w \in Workers |-> FALSE]
  /\ queue = [x \in Places |-> 0]
  /\ finished = 0
  /\ letter = [w \in Workers |-> FALSE]
  /\ lettersLeft = LetterLimit

Init ==
  /\ pc = [p \in Processes |-> IF p \in Asleep THEN "parked"
                               ELSE IF p \in Workers THEN "next" ELSE "idle"]
  /\ left = TaskLimit
  /\ InitButTasks

---------------------------------------------------------------------------------------------------
(* CounterWord. A loop of read and CAS is one step here: it takes effect at one instant.          *)

Searching(w) == w.inactive - w.sleeping
NobodySearches(w) ==
  IF Bug("SearchingEqualsZero") THEN Searching(w) = 0  \* CounterWord.nobodySearches: == instead of <=
  ELSE Searching(w) <= 0

IsSleepy(w) == w.jec % 2 = 0
NextJec(w) == [w EXCEPT !.jec = (@ + 1) % JecSize]

Announced(w) ==
  CASE Bug("NeverAnnounces") -> w          \* CounterWord.announce: returns jec(w) at once
    [] Bug("BothIncrementIfSleepy") ->     \* CounterWord.announce: if (!isSleepy(w)), as in markActive
         IF IsSleepy(w) THEN NextJec(w) ELSE w
    [] OTHER -> IF IsSleepy(w) THEN w ELSE NextJec(w)

MarkedActive(w) == IF IsSleepy(w) THEN NextJec(w) ELSE w

---------------------------------------------------------------------------------------------------
(* Small words for what all actions do.                                                           *)

Goto(p, label) == pc' = [pc EXCEPT ![p] = label]
Keep(p, r) == reg' = [reg EXCEPT ![p] = r]
Forget(p) == Keep(p, NoRegisters)
Nothing(p) == UNCHANGED reg

(* A call of Sleep.publish by p, to pool q, for n tasks; afterwards it goes on at `back`.         *)
CallPublishOf(p, q, back, n) ==
  /\ Goto(p, "readSleepers")
  /\ Keep(p, [NoRegisters EXCEPT !.back = back, !.pool = q,
                                 !.more = IF OnePerInsert THEN n - 1 ELSE 0])

CallPublish(p, q, back) == CallPublishOf(p, q, back, 1)

CallWakeOne(p, q, back) ==
  /\ Goto(p, "wakeOne")
  /\ Keep(p, [NoRegisters EXCEPT !.back = back, !.pool = q, !.at = 1, !.more = reg[p].more])

Return(p) == Goto(p, reg[p].back) /\ Forget(p)

(* After a publish that woke nobody, after a wake, and after FoundWork. Spares.tla puts others in *)
(* their place.                                                                                   *)
AfterPublish(p) == Return(p)
AfterWake(p) == Return(p)
AfterFoundWork == "run"

(* The places that a look comes to next: the injector first; then the order is left open.         *)
NextLook(p) ==
  LET todo == reg[p].todo
      injectors == {x \in todo : x[1] = "injector"}
      deques == {x \in todo : x[1] = "deque"}
  IN IF injectors # {} THEN injectors ELSE IF deques # {} THEN deques ELSE todo
=============================================================================
