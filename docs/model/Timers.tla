------------------------------- MODULE Timers -------------------------------
(* TimerQueue.java: threads that arm and cancel timers; workers, which fire what is due before    *)
(* they sleep; and the timer thread, which fires the rest and parks until the next deadline. What *)
(* they fire they publish: that is in Protocol.tla, and their part in a shutdown in Shutdown.tla. *)
(* A critical section is one step, save where it reads what others write without the lock.        *)
EXTENDS Integers, FiniteSets

CONSTANTS
  Armers,   \* threads that arm and cancel
  Workers,
  Timers,   \* 1..n
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
  work,     \* of each worker: "runs", "searches", "looked", "counted", "asleep", "found"
  thread,   \* what the timer thread does next
  runner,   \* has the timer thread said who it is?
  awake,    \* will it look at the timers before it parks?
  left,     \* are those that are due left to workers?
  permit,   \* its permit
  until     \* when it wants to return from its park

vars == <<now, deadline, state, arming, work, thread, runner, awake, left, permit, until>>

Init ==
  /\ now = 0
  /\ deadline = [t \in Timers |-> NEVER]
  /\ state = [t \in Timers |-> "new"]
  /\ arming = [a \in Armers |-> "idle"]
  /\ work = [w \in Workers |-> "runs"]
  /\ thread = "none"
  /\ runner = FALSE
  /\ awake = TRUE
  /\ left = FALSE
  /\ permit = FALSE
  /\ until = NEVER

Armed == {t \in Timers : state[t] = "armed"}
NextDeadline ==
  IF Armed = {} THEN NEVER
  ELSE CHOOSE d \in {deadline[t] : t \in Armed} : \A t \in Armed : d <= deadline[t]
FireFirst == \E t \in Armed : deadline[t] = NextDeadline /\ state' = [state EXCEPT ![t] = "fired"]
Searching(w) == work[w] \in {"searches", "looked"}
Sleeping(w) == work[w] \in {"counted", "asleep"}
WorkersWillLook == (\E w \in Workers : Searching(w)) \/ ~\E w \in Workers : Sleeping(w)

Tick == now < LastTime /\ now' = now + 1
        /\ UNCHANGED <<deadline, state, arming, work, thread, runner, awake, left, permit, until>>

(* TimerQueue.ensureStarted. *)
StartThread(a) ==
  /\ arming[a] = "idle" /\ thread = "none"
  /\ thread' = IF Bug("ClaimAfterLook") THEN "firstLook" ELSE "claim"
  /\ UNCHANGED <<now, deadline, state, arming, work, runner, awake, left, permit, until>>

(* TimerQueue.arm under its lock; a task does so while its worker's pool falls asleep, or anybody. *)
Arm(a, t, d) ==
  /\ arming[a] = "idle" /\ thread # "none" /\ state[t] = "new"
  /\ deadline' = [deadline EXCEPT ![t] = d]
  /\ state' = [state EXCEPT ![t] = "armed"]
  /\ IF ~awake /\ d < until
       THEN awake' = TRUE /\ arming' = [arming EXCEPT ![a] = "unpark"]
       ELSE UNCHANGED <<awake, arming>>
  /\ UNCHANGED <<now, work, thread, runner, left, permit, until>>

Unpark(a) ==
  /\ arming[a] = "unpark"
  /\ permit' = (permit \/ (runner /\ ~Bug("NoUnpark")))  \* TimerQueue.arm: no unpark
  /\ arming' = [arming EXCEPT ![a] = "idle"]
  /\ UNCHANGED <<now, deadline, state, work, thread, runner, awake, left, until>>

Cancel(a, t) ==
  /\ arming[a] = "idle" /\ state[t] = "armed"
  /\ state' = [state EXCEPT ![t] = "cancelled"]
  /\ deadline' = [deadline EXCEPT ![t] = NEVER]
  /\ UNCHANGED <<now, arming, work, thread, runner, awake, left, permit, until>>

---------------------------------------------------------------------------------------------------
(* A worker: TimerQueue.fireDue, between two tasks or while it searches; then Sleep.register,      *)
(* TimerQueue.hurry, and the park; or, if it found something else, Worker.endSearch.              *)

WorkerSearches(w) ==
  /\ work[w] = "runs"
  /\ work' = [work EXCEPT ![w] = "searches"]
  /\ UNCHANGED <<now, deadline, state, arming, thread, runner, awake, left, permit, until>>

WorkerFires(w) ==
  /\ work[w] \in {"runs", "searches"} /\ NextDeadline <= now
  /\ FireFirst
  /\ work' = [work EXCEPT ![w] = IF work[w] = "runs" THEN "runs" ELSE "found"]
  /\ UNCHANGED <<now, deadline, arming, thread, runner, awake, left, permit, until>>

WorkerFindsNoneDue(w) ==
  /\ work[w] = "searches" /\ NextDeadline > now
  /\ work' = [work EXCEPT ![w] = "looked"]
  /\ UNCHANGED <<now, deadline, state, arming, thread, runner, awake, left, permit, until>>

WorkerFindsSomethingElse(w) ==
  /\ Searching(w)
  /\ work' = [work EXCEPT ![w] = "found"]
  /\ UNCHANGED <<now, deadline, state, arming, thread, runner, awake, left, permit, until>>

WorkerRuns(w) ==
  /\ work[w] = "found"
  /\ work' = [work EXCEPT ![w] = "runs"]
  /\ IF left /\ (\E o \in Workers : Sleeping(o)) /\ ~Bug("NoHurryAtFound")  \* Worker.endSearch: no hurry
       THEN left' = FALSE /\ permit' = TRUE
       ELSE UNCHANGED <<left, permit>>
  /\ UNCHANGED <<now, deadline, state, arming, thread, runner, awake, until>>

WorkerRegisters(w) ==
  /\ work[w] = "looked"
  /\ work' = [work EXCEPT ![w] = "counted"]
  /\ UNCHANGED <<now, deadline, state, arming, thread, runner, awake, left, permit, until>>

WorkerHurries(w) ==
  /\ work[w] = "counted"
  /\ work' = [work EXCEPT ![w] = "asleep"]
  /\ IF left /\ ~Bug("NoHurry")                            \* Search.search: no hurry
       THEN left' = FALSE /\ permit' = TRUE
       ELSE UNCHANGED <<left, permit>>
  /\ UNCHANGED <<now, deadline, state, arming, thread, runner, awake, until>>

WorkerWakes(w) ==
  /\ work[w] = "asleep"
  /\ work' = [work EXCEPT ![w] = "searches"]
  /\ UNCHANGED <<now, deadline, state, arming, thread, runner, awake, left, permit, until>>

---------------------------------------------------------------------------------------------------
(* TimerQueue.run. *)

Claim ==
  /\ thread = "claim"
  /\ runner' = TRUE
  /\ thread' = IF Bug("ClaimAfterLook") THEN "park" ELSE "look"
  /\ UNCHANGED <<now, deadline, state, arming, work, awake, left, permit, until>>

(* Under the lock: is one due, and have workers still time for it? *)
Look ==
  /\ thread \in {"look", "firstLook"}
  /\ IF NextDeadline <= now
       THEN /\ awake' = TRUE
            /\ until' = now + GRACE
            /\ IF NextDeadline = now /\ now < LastTime
                 THEN IF Bug("LeavesAfterLook")              \* TimerQueue.graceLeft: leftToWorkers
                        THEN left' = FALSE /\ thread' = IF WorkersWillLook THEN "leave" ELSE "fire"
                        ELSE left' = TRUE /\ thread' = "leave"
                 ELSE left' = FALSE /\ thread' = "fire"
       ELSE /\ until' = NextDeadline
            /\ awake' = FALSE
            /\ left' = FALSE
            /\ thread' = IF thread = "firstLook" THEN "claim" ELSE "park"
  /\ UNCHANGED <<now, deadline, state, arming, work, runner, permit>>

Leave ==
  /\ thread = "leave"
  /\ IF WorkersWillLook \/ Bug("LeavesAfterLook")
       THEN left' = TRUE /\ thread' = "park"
       ELSE left' = FALSE /\ thread' = "fire"
  /\ UNCHANGED <<now, deadline, state, arming, work, runner, awake, permit, until>>

(* Still under the lock; in the model a worker or a cancellation may have come first. *)
Fire ==
  /\ thread = "fire"
  /\ IF NextDeadline <= now THEN FireFirst ELSE UNCHANGED state
  /\ thread' = "look"
  /\ UNCHANGED <<now, deadline, arming, work, runner, awake, left, permit, until>>

(* Outside of the lock. A permit that came since the look makes it return at once. *)
Park ==
  /\ thread = "park" /\ (permit \/ (until # NEVER /\ now >= until))
  /\ permit' = FALSE
  /\ thread' = "look"
  /\ UNCHANGED <<now, deadline, state, arming, work, runner, awake, left, until>>

SpuriousReturn ==
  /\ thread = "park"
  /\ thread' = "look"
  /\ UNCHANGED <<now, deadline, state, arming, work, runner, awake, left, permit, until>>

Steps == Claim \/ Look \/ Leave \/ Fire \/ Park

Next ==
  \/ Tick \/ Steps \/ SpuriousReturn
  \/ \E w \in Workers :
       \/ WorkerSearches(w) \/ WorkerFires(w) \/ WorkerFindsNoneDue(w) \/ WorkerFindsSomethingElse(w)
       \/ WorkerRuns(w) \/ WorkerRegisters(w) \/ WorkerHurries(w) \/ WorkerWakes(w)
  \/ \E a \in Armers :
       StartThread(a) \/ Unpark(a) \/ \E t \in Timers : Cancel(a, t) \/ \E d \in 0..LastTime : Arm(a, t, d)

Spec == Init /\ [][Next]_vars

(* Tasks may be long, and so may be a search as long as there is something to find. *)
FairSpec ==
  /\ Spec /\ WF_vars(Steps) /\ WF_vars(Tick)
  /\ \A a \in Armers : WF_vars(Unpark(a))
  /\ \A w \in Workers : WF_vars(WorkerHurries(w)) /\ WF_vars(WorkerRuns(w))

---------------------------------------------------------------------------------------------------
(* G11: the thread sleeps past no deadline, unless somebody is about to wake it; or, for a moment, *)
(* if there is nobody to wake for it, or one that is no longer in its task.                       *)
NoTimerOverslept ==
  thread = "park" /\ ~permit /\ (\A a \in Armers : arming[a] # "unpark")
    => \/ until <= NextDeadline
       \/ /\ left /\ until <= now + GRACE
          /\ \/ \A w \in Workers : ~Sleeping(w)
             \/ \E w \in Workers : work[w] \in {"searches", "looked", "counted", "found"}

NotBeforeItsDeadline == \A t \in Timers : state[t] = "fired" => deadline[t] <= now

EveryTimerEnds == \A t \in Timers : state[t] = "armed" ~> state[t] # "armed"
=============================================================================
