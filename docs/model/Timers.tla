------------------------------- MODULE Timers -------------------------------
(* internal/timer: threads that arm and cancel timers; workers, which fire what is due before     *)
(* they sleep; and the timer thread, which fires the rest and parks until the next deadline. What *)
(* they fire they publish: that is in Protocol.tla, and their part in a shutdown in Shutdown.tla. *)
(* Timers are in shards. A critical section of one is one step, save where it reads what others   *)
(* write without the lock; it publishes the first deadline of the shard.                          *)
EXTENDS Integers, FiniteSets

CONSTANTS
  Armers,   \* threads that arm and cancel
  Workers,
  Timers,   \* 1..n
  Shards,   \* so many; each timer has its own one of these
  Standby,  \* so many workers are not woken: there are no processors for them
  LastTime, \* the clock runs from 0 to this
  Bugs

Bug(name) == name \in Bugs
NEVER == LastTime + 1
GRACE == 1

VARIABLES
  now,
  deadline, \* of each timer that is armed
  state,    \* of each timer: "new", "armed", "cancelled", "fired"
  arming,   \* what each armer does next
  told,     \* by each armer: the first deadline of the shard in which it has armed
  work,     \* of each worker: "runs", "searches", "looked", "counted", "asleep", "found", "blocks",
            \* "blocked"
  thread,   \* what the timer thread does next
  shard,    \* at which it is
  pass,     \* has it, since it last began with the first shard, "fired" some, else "left" some?
  wait,     \* until when it may park, as far as it has seen
  runner,   \* has the timer thread said who it is?
  awake,    \* will it look at the timers before it parks?
  left,     \* are those that are due left to workers?
  permit,   \* its permit
  until     \* when it wants to return from its park; unless it is awake, others see that

armers == <<arming, told>>
looking == <<shard, pass, wait>>
vars == <<now, deadline, state, armers, work, thread, looking, runner, awake, left, permit, until>>

Init ==
  /\ now = 0
  /\ deadline = [t \in Timers |-> NEVER]
  /\ state = [t \in Timers |-> "new"]
  /\ arming = [a \in Armers |-> "idle"]
  /\ told = [a \in Armers |-> NEVER]
  /\ work = [w \in Workers |-> "runs"]
  /\ thread = "none"
  /\ shard = 1
  /\ pass = "none"
  /\ wait = NEVER
  /\ runner = FALSE
  /\ awake = TRUE
  /\ left = FALSE
  /\ permit = FALSE
  /\ until = NEVER

ShardOf(t) == 1 + (t % Shards)
Min(a, b) == IF a < b THEN a ELSE b
First(in, of) ==
  LET armed == {in[t] : t \in {t \in Timers : ShardOf(t) = of}} \cup {NEVER}
  IN CHOOSE d \in armed : \A e \in armed : d <= e
FirstOf(s) == First(deadline, s)
NextDeadline == CHOOSE d \in {FirstOf(s) : s \in 1..Shards} : \A s \in 1..Shards : d <= FirstOf(s)
FireFirstOf(s) ==
  \E t \in Timers :
    /\ ShardOf(t) = s /\ state[t] = "armed" /\ deadline[t] = FirstOf(s)
    /\ state' = [state EXCEPT ![t] = "fired"]
    /\ deadline' = [deadline EXCEPT ![t] = NEVER]
Searching(w) == work[w] \in {"searches", "looked"}
Sleeping(w) == work[w] \in {"counted", "asleep"}
Blocked(w) == work[w] \in {"blocks", "blocked"}
(* Crew.standby is less by those that are blocked. *)
AllRun ==
  \/ \A w \in Workers : ~Sleeping(w)
  \/ Cardinality({w \in Workers : Sleeping(w) \/ Blocked(w)}) <= Standby
WorkersWillLook == (\E w \in Workers : Searching(w)) \/ AllRun

Tick == now < LastTime /\ now' = now + 1
        /\ UNCHANGED <<deadline, state, armers, work, thread, looking, runner, awake, left, permit, until>>

(* TimerKeeper.ensureStarted. *)
StartThread(a) ==
  /\ arming[a] = "idle" /\ thread = "none"
  /\ thread' = IF Bug("ClaimAfterLook") THEN "look" ELSE "claim"
  /\ UNCHANGED <<now, deadline, state, armers, work, looking, runner, awake, left, permit, until>>

(* TimerShard.add; a task does so while its worker's pool falls asleep, or anybody. *)
Arm(a, t, d) ==
  /\ arming[a] = "idle" /\ thread # "none" /\ state[t] = "new"
  /\ deadline' = [deadline EXCEPT ![t] = d]
  /\ state' = [state EXCEPT ![t] = "armed"]
  /\ told' = [told EXCEPT ![a] = First(deadline', ShardOf(t))]
  /\ arming' = [arming EXCEPT ![a] = "tell"]
  /\ UNCHANGED <<now, work, thread, looking, runner, awake, left, permit, until>>

(* TimerKeeper.tell. *)
Tell(a) ==
  /\ arming[a] = "tell"
  /\ IF ~awake /\ told[a] < until
       THEN awake' = TRUE /\ arming' = [arming EXCEPT ![a] = "unpark"]
       ELSE awake' = awake /\ arming' = [arming EXCEPT ![a] = "idle"]
  /\ told' = [told EXCEPT ![a] = NEVER]
  /\ UNCHANGED <<now, deadline, state, work, thread, looking, runner, left, permit, until>>

Unpark(a) ==
  /\ arming[a] = "unpark"
  /\ permit' = (permit \/ (runner /\ ~Bug("NoUnpark")))  \* TimerKeeper.tell: no unpark
  /\ arming' = [arming EXCEPT ![a] = "idle"]
  /\ UNCHANGED <<now, deadline, state, told, work, thread, looking, runner, awake, left, until>>

Cancel(a, t) ==
  /\ arming[a] = "idle" /\ state[t] = "armed"
  /\ state' = [state EXCEPT ![t] = "cancelled"]
  /\ deadline' = [deadline EXCEPT ![t] = NEVER]
  /\ UNCHANGED <<now, armers, work, thread, looking, runner, awake, left, permit, until>>

---------------------------------------------------------------------------------------------------
(* A worker: TimerQueue.fireDue, between two tasks or while it searches; then Sleep.register,      *)
(* TimerQueue.hurry, and the park; or, if it found something else, Worker.endSearch.              *)

WorkerSearches(w) ==
  /\ work[w] = "runs"
  /\ work' = [work EXCEPT ![w] = "searches"]
  /\ UNCHANGED <<now, deadline, state, armers, thread, looking, runner, awake, left, permit, until>>

WorkerFires(w) ==
  /\ work[w] \in {"runs", "searches"}
  /\ \E s \in 1..Shards : FirstOf(s) <= now /\ FireFirstOf(s)
  /\ work' = [work EXCEPT ![w] = IF work[w] = "runs" THEN "runs" ELSE "found"]
  /\ UNCHANGED <<now, armers, thread, looking, runner, awake, left, permit, until>>

WorkerFindsNoneDue(w) ==
  /\ work[w] = "searches" /\ NextDeadline > now
  /\ work' = [work EXCEPT ![w] = "looked"]
  /\ UNCHANGED <<now, deadline, state, armers, thread, looking, runner, awake, left, permit, until>>

WorkerFindsSomethingElse(w) ==
  /\ Searching(w)
  /\ work' = [work EXCEPT ![w] = "found"]
  /\ UNCHANGED <<now, deadline, state, armers, thread, looking, runner, awake, left, permit, until>>

WorkerRuns(w) ==
  /\ work[w] = "found"
  /\ work' = [work EXCEPT ![w] = "runs"]
  /\ IF left /\ ~AllRun /\ ~Bug("NoHurryAtFound")  \* Worker.endSearch: no hurry
       THEN left' = FALSE /\ permit' = TRUE
       ELSE UNCHANGED <<left, permit>>
  /\ UNCHANGED <<now, deadline, state, armers, thread, looking, runner, awake, until>>

(* Crew.blocked: it needs no processor, so one more of those on standby is to be woken. *)
WorkerBlocks(w) ==
  /\ Standby > 0 /\ work[w] = "runs"
  /\ work' = [work EXCEPT ![w] = "blocks"]
  /\ UNCHANGED <<now, deadline, state, armers, thread, looking, runner, awake, left, permit, until>>

WorkerIsBlocked(w) ==
  /\ work[w] = "blocks"
  /\ work' = [work EXCEPT ![w] = "blocked"]
  /\ IF left /\ ~Bug("NoHurryAtBlock")                     \* Crew.replaceFromStandby: no hurry
       THEN left' = FALSE /\ permit' = TRUE
       ELSE UNCHANGED <<left, permit>>
  /\ UNCHANGED <<now, deadline, state, armers, thread, looking, runner, awake, until>>

WorkerGoesOn(w) ==
  /\ work[w] = "blocked"
  /\ work' = [work EXCEPT ![w] = "runs"]
  /\ UNCHANGED <<now, deadline, state, armers, thread, looking, runner, awake, left, permit, until>>

WorkerRegisters(w) ==
  /\ work[w] = "looked"
  /\ work' = [work EXCEPT ![w] = "counted"]
  /\ UNCHANGED <<now, deadline, state, armers, thread, looking, runner, awake, left, permit, until>>

WorkerHurries(w) ==
  /\ work[w] = "counted"
  /\ work' = [work EXCEPT ![w] = "asleep"]
  /\ IF left /\ ~Bug("NoHurry")                            \* Search.search: no hurry
       THEN left' = FALSE /\ permit' = TRUE
       ELSE UNCHANGED <<left, permit>>
  /\ UNCHANGED <<now, deadline, state, armers, thread, looking, runner, awake, until>>

WorkerWakes(w) ==
  /\ work[w] = "asleep"
  /\ work' = [work EXCEPT ![w] = "searches"]
  /\ UNCHANGED <<now, deadline, state, armers, thread, looking, runner, awake, left, permit, until>>

---------------------------------------------------------------------------------------------------
(* TimerKeeper.run. *)

Claim ==
  /\ thread = "claim"
  /\ runner' = TRUE
  /\ thread' = IF Bug("ClaimAfterLook") THEN "park" ELSE "look"
  /\ UNCHANGED <<now, deadline, state, armers, work, looking, awake, left, permit, until>>

(* TimerKeeper.look. *)
BeginLook ==
  /\ thread = "look"
  /\ awake' = TRUE
  /\ left' = FALSE
  /\ shard' = 1
  /\ pass' = "none"
  /\ wait' = NEVER
  /\ thread' = "take"
  /\ UNCHANGED <<now, deadline, state, armers, work, runner, permit, until>>

(* TimerShard.takeOrLeave: is one due, and have workers still time for it? *)
Take ==
  /\ thread = "take" /\ shard <= Shards
  /\ IF FirstOf(shard) <= now
       THEN /\ wait' = Min(wait, now + GRACE)
            /\ shard' = shard
            /\ IF FirstOf(shard) = now /\ now < LastTime
                 THEN IF Bug("LeavesAfterLook")              \* TimerKeeper.leaveToWorkers
                        THEN left' = FALSE /\ thread' = IF WorkersWillLook THEN "leave" ELSE "fire"
                        ELSE left' = TRUE /\ thread' = "leave"
                 ELSE thread' = "fire" /\ left' = left
       ELSE /\ wait' = Min(wait, FirstOf(shard))
            /\ shard' = shard + 1
            /\ UNCHANGED <<thread, left>>
  /\ UNCHANGED <<now, deadline, state, armers, work, pass, runner, awake, permit, until>>

Leave ==
  /\ thread = "leave"
  /\ IF WorkersWillLook \/ Bug("LeavesAfterLook")
       THEN /\ left' = TRUE
            /\ pass' = IF pass = "fired" THEN "fired" ELSE "left"
            /\ shard' = shard + 1
            /\ thread' = "take"
            /\ wait' = wait
       ELSE /\ left' = FALSE
            /\ thread' = "fire"
            /\ UNCHANGED looking
  /\ UNCHANGED <<now, deadline, state, armers, work, runner, awake, permit, until>>

(* Still under the lock; in the model a worker or a cancellation may have come first. *)
Fire ==
  /\ thread = "fire"
  /\ IF FirstOf(shard) <= now THEN FireFirstOf(shard) ELSE UNCHANGED <<state, deadline>>
  /\ pass' = "fired"
  /\ shard' = shard + 1
  /\ thread' = "take"
  /\ UNCHANGED <<now, armers, work, wait, runner, awake, left, permit, until>>

(* Some are left to workers: nobody wakes it for others. *)
EndLook ==
  /\ thread = "take" /\ shard > Shards
  /\ thread' =
       CASE pass = "fired" -> "look"
         [] pass = "left" -> IF runner THEN "park" ELSE "claim"
         [] OTHER -> "sum"
  /\ until' = IF pass = "left" THEN wait ELSE until
  /\ UNCHANGED <<now, deadline, state, armers, work, looking, runner, awake, left, permit>>

(* TimerKeeper.untilNext: the first deadline; then it says until when it sleeps; then once more. *)
Sum ==
  /\ thread = "sum"
  /\ wait' = NextDeadline
  /\ thread' = "say"
  /\ UNCHANGED <<now, deadline, state, armers, work, shard, pass, runner, awake, left, permit, until>>

Say ==
  /\ thread = "say"
  /\ until' = wait
  /\ awake' = FALSE
  /\ shard' = 1
  /\ thread' = "again"
  /\ UNCHANGED <<now, deadline, state, armers, work, pass, wait, runner, left, permit>>

Again ==
  /\ thread = "again"
  /\ thread' =
       CASE shard > Shards \/ Bug("NoSecondLook") ->  \* TimerKeeper.untilNext
              IF wait <= now THEN "look" ELSE IF runner THEN "park" ELSE "claim"
         [] shard <= Shards /\ FirstOf(shard) < wait -> "sum"
         [] OTHER -> "again"
  /\ shard' = IF shard <= Shards THEN shard + 1 ELSE shard
  /\ UNCHANGED <<now, deadline, state, armers, work, pass, wait, runner, awake, left, permit, until>>

(* A permit that came since the look makes it return at once. *)
Park ==
  /\ thread = "park" /\ (permit \/ (until # NEVER /\ now >= until))
  /\ permit' = FALSE
  /\ thread' = "look"
  /\ UNCHANGED <<now, deadline, state, armers, work, looking, runner, awake, left, until>>

SpuriousReturn ==
  /\ thread = "park"
  /\ thread' = "look"
  /\ UNCHANGED <<now, deadline, state, armers, work, looking, runner, awake, left, permit, until>>

Steps == Claim \/ BeginLook \/ Take \/ Leave \/ Fire \/ EndLook \/ Sum \/ Say \/ Again \/ Park

Next ==
  \/ Tick \/ Steps \/ SpuriousReturn
  \/ \E w \in Workers :
       \/ WorkerSearches(w) \/ WorkerFires(w) \/ WorkerFindsNoneDue(w) \/ WorkerFindsSomethingElse(w)
       \/ WorkerRuns(w) \/ WorkerRegisters(w) \/ WorkerHurries(w) \/ WorkerWakes(w)
       \/ WorkerBlocks(w) \/ WorkerIsBlocked(w) \/ WorkerGoesOn(w)
  \/ \E a \in Armers :
       StartThread(a) \/ Tell(a) \/ Unpark(a) \/ \E t \in Timers : Cancel(a, t) \/ \E d \in 0..LastTime : Arm(a, t, d)

Spec == Init /\ [][Next]_vars

(* Tasks may be long, and so may be a search as long as there is something to find. *)
FairSpec ==
  /\ Spec /\ WF_vars(Steps) /\ WF_vars(Tick)
  /\ \A a \in Armers : WF_vars(Tell(a)) /\ WF_vars(Unpark(a))
  /\ \A w \in Workers : WF_vars(WorkerHurries(w) \/ WorkerRuns(w) \/ WorkerIsBlocked(w))

---------------------------------------------------------------------------------------------------
(* G11: the thread sleeps past no deadline, unless somebody is about to wake it; or, for a moment, *)
(* if there is nobody to wake for it, or one that is no longer in its task.                       *)
NoTimerOverslept ==
  thread = "park" /\ ~permit /\ (\A a \in Armers : arming[a] = "idle")
    => \/ until <= NextDeadline
       \/ /\ left /\ until <= now + GRACE
          /\ \/ AllRun
             \/ \E w \in Workers : work[w] \in {"searches", "looked", "counted", "found", "blocks"}

NotBeforeItsDeadline ==
  [][\A t \in Timers : state[t] # "fired" /\ state'[t] = "fired" => deadline[t] <= now]_vars

EveryTimerEnds == \A t \in Timers : state[t] = "armed" ~> state[t] # "armed"
=============================================================================
