------------------------------- MODULE Timers -------------------------------
(* TimerQueue.java: threads that arm and cancel timers, and the timer thread, which fires them    *)
(* and parks until the next deadline. What it fires it publishes like any outsider: that is in    *)
(* Protocol.tla, and its part in a shutdown in Shutdown.tla. A critical section is one step.      *)
EXTENDS Integers, FiniteSets

CONSTANTS
  Armers,   \* threads that arm and cancel
  Timers,   \* 1..n
  LastTime, \* the clock runs from 0 to this
  Bugs

Bug(name) == name \in Bugs
NEVER == LastTime + 1

VARIABLES
  now,
  deadline, \* of each timer that is armed
  state,    \* of each timer: "new", "armed", "cancelled", "fired"
  arming,   \* what each armer does next
  thread,   \* what the timer thread does next
  runner,   \* has the timer thread said who it is?
  permit,   \* its permit
  until     \* when it wants to return from its park

vars == <<now, deadline, state, arming, thread, runner, permit, until>>

Init ==
  /\ now = 0
  /\ deadline = [t \in Timers |-> NEVER]
  /\ state = [t \in Timers |-> "new"]
  /\ arming = [a \in Armers |-> "idle"]
  /\ thread = "none"
  /\ runner = FALSE
  /\ permit = FALSE
  /\ until = NEVER

Armed == {t \in Timers : state[t] = "armed"}
NextDeadline ==
  IF Armed = {} THEN NEVER
  ELSE CHOOSE d \in {deadline[t] : t \in Armed} : \A t \in Armed : d <= deadline[t]

Tick == now < LastTime /\ now' = now + 1
        /\ UNCHANGED <<deadline, state, arming, thread, runner, permit, until>>

(* TimerQueue.ensureStarted. *)
StartThread(a) ==
  /\ arming[a] = "idle" /\ thread = "none"
  /\ thread' = IF Bug("ClaimAfterLook") THEN "firstLook" ELSE "claim"
  /\ UNCHANGED <<now, deadline, state, arming, runner, permit, until>>

(* TimerQueue.arm under its lock; a task does so while its worker's pool falls asleep, or anybody. *)
Arm(a, t, d) ==
  /\ arming[a] = "idle" /\ thread # "none" /\ state[t] = "new"
  /\ deadline' = [deadline EXCEPT ![t] = d]
  /\ state' = [state EXCEPT ![t] = "armed"]
  \* equal deadlines: either may be on top of the heap
  /\ \/ d <= NextDeadline /\ arming' = [arming EXCEPT ![a] = "unpark"]
     \/ d >= NextDeadline /\ Armed # {} /\ arming' = arming
  /\ UNCHANGED <<now, thread, runner, permit, until>>

Unpark(a) ==
  /\ arming[a] = "unpark"
  /\ permit' = (permit \/ (runner /\ ~Bug("NoUnpark")))  \* TimerQueue.arm: no unpark
  /\ arming' = [arming EXCEPT ![a] = "idle"]
  /\ UNCHANGED <<now, deadline, state, thread, runner, until>>

Cancel(a, t) ==
  /\ arming[a] = "idle" /\ state[t] = "armed"
  /\ state' = [state EXCEPT ![t] = "cancelled"]
  /\ deadline' = [deadline EXCEPT ![t] = NEVER]
  /\ UNCHANGED <<now, arming, thread, runner, permit, until>>

---------------------------------------------------------------------------------------------------
(* TimerQueue.run. *)

Claim ==
  /\ thread = "claim"
  /\ runner' = TRUE
  /\ thread' = IF Bug("ClaimAfterLook") THEN "park" ELSE "look"
  /\ UNCHANGED <<now, deadline, state, arming, permit, until>>

(* Under the lock: the first timer is fired, or it is computed how long to park. *)
Look ==
  /\ thread \in {"look", "firstLook"}
  /\ IF NextDeadline <= now
       THEN /\ \E t \in Armed : deadline[t] = NextDeadline /\ state' = [state EXCEPT ![t] = "fired"]
            /\ UNCHANGED <<thread, until>>
       ELSE /\ until' = NextDeadline
            /\ thread' = IF thread = "firstLook" THEN "claim" ELSE "park"
            /\ UNCHANGED state
  /\ UNCHANGED <<now, deadline, arming, runner, permit>>

(* Outside of the lock. A permit that came since the look makes it return at once. *)
Park ==
  /\ thread = "park" /\ (permit \/ (until # NEVER /\ now >= until))
  /\ permit' = FALSE
  /\ thread' = "look"
  /\ UNCHANGED <<now, deadline, state, arming, runner, until>>

SpuriousReturn ==
  /\ thread = "park"
  /\ thread' = "look"
  /\ UNCHANGED <<now, deadline, state, arming, runner, permit, until>>

Steps == Claim \/ Look \/ Park

Next ==
  \/ Tick \/ Steps \/ SpuriousReturn
  \/ \E a \in Armers :
       StartThread(a) \/ Unpark(a) \/ \E t \in Timers : Cancel(a, t) \/ \E d \in 0..LastTime : Arm(a, t, d)

Spec == Init /\ [][Next]_vars

FairSpec == Spec /\ WF_vars(Steps) /\ WF_vars(Tick) /\ \A a \in Armers : WF_vars(Unpark(a))

---------------------------------------------------------------------------------------------------
(* G11: the thread sleeps past no deadline, unless somebody is about to wake it. *)
NoTimerOverslept ==
  thread = "park" /\ ~permit /\ (\A a \in Armers : arming[a] # "unpark") => until <= NextDeadline

NotBeforeItsDeadline == \A t \in Timers : state[t] = "fired" => deadline[t] <= now

EveryTimerEnds == \A t \in Timers : state[t] = "armed" ~> state[t] # "armed"
=============================================================================
