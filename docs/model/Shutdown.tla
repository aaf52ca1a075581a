------------------------------ MODULE Shutdown ------------------------------
(* The end of a pool: Lifecycle.java, Shutdown.java and what Search.search adds for them. One     *)
(* thread closes the pool while others submit, a delayed task is still to fire, and workers run,  *)
(* search and sleep as in Protocol.tla. What is addressed to a worker here is the phase.          *)
(* shutdownNow, which takes tasks back, is not modelled.                                          *)
EXTENDS Protocol

CONSTANTS
  Closer,       \* the outsider that closes the pool
  Timer,        \* the outsider that is the timer thread
  TimersArmed   \* delayed tasks at the start

RUNNING == 0
SHUTDOWN == 1
DRAINING == 2
STOPPED == 4

VARIABLES
  phase,        \* Lifecycle.phase
  working,      \* Lifecycle.working
  resting,      \* has this worker called rest() and not yet work() ?
  draining,     \* the local variable of Search.search
  closed,       \* is the injector closed?
  timers        \* TimerQueue: armed, firing, closing, drainedReported

life == <<phase, working, resting, draining, closed, timers>>
allVars == <<vars, life>>
Submitters == Outsiders \ {Closer, Timer}
ThePool == SomePool

(* One worker runs a task already, to have the most at the fewest states.                         *)
InitShutdown ==
  /\ pc = [p \in Processes |-> CASE p = 1 -> "run"
                                [] p \in Asleep -> "parked"
                                [] p \in Workers \ (Asleep \cup {1}) -> "next"
                                [] OTHER -> "idle"]
  /\ left = TaskLimit - 1
  /\ InitButTasks
  /\ phase = RUNNING
  /\ working = WorkerCount
  /\ resting = [w \in Workers |-> FALSE]
  /\ draining = [w \in Workers |-> FALSE]
  /\ closed = FALSE
  /\ timers = [armed |-> TimersArmed, firing |-> FALSE, closing |-> FALSE, reported |-> FALSE]

Only(p, label) == Goto(p, label) /\ UNCHANGED <<reg, sleepers, queue, counts, letters>>

---------------------------------------------------------------------------------------------------
(* Pool.publish by an outsider: reads the phase, then pushes unless the injector is closed.       *)

Submit(p) ==
  /\ pc[p] = "idle" /\ left > 0 /\ phase = RUNNING
  /\ Only(p, "submit")
  /\ UNCHANGED life

SubmitPush(p) ==
  /\ pc[p] = "submit"
  /\ IF closed
       THEN Only(p, "idle")
       ELSE /\ queue' = [queue EXCEPT ![Injector(ThePool)] = @ + 1]
            /\ left' = left - 1
            /\ CallPublish(p, ThePool, "idle")
            /\ UNCHANGED <<sleepers, finished, letters>>
  /\ UNCHANGED life

---------------------------------------------------------------------------------------------------
(* TimerQueue: a timer comes due, is published, and then the thread looks whether it was the last. *)
(* Each step is under the queue's lock, except the publish.                                       *)

TimerDue ==
  /\ pc[Timer] = "idle" /\ timers.armed > 0 /\ left > 0
  /\ timers' = [timers EXCEPT !.armed = @ - 1, !.firing = TRUE]
  /\ Only(Timer, "fire")
  /\ UNCHANGED <<phase, working, resting, draining, closed>>

(* Pool.publishContinuation, whatever the phase. That it is never refused is TimerIsNotRefused.   *)
TimerFire ==
  /\ pc[Timer] = "fire" /\ ~closed
  /\ queue' = [queue EXCEPT ![Injector(ThePool)] = @ + 1]
  /\ left' = left - 1
  /\ CallPublish(Timer, ThePool, "fired")
  /\ UNCHANGED <<sleepers, finished, letters, life>>

Drained(t) == t.closing /\ t.armed = 0 /\ ~t.firing /\ ~t.reported

TimerFired ==
  /\ pc[Timer] = "fired"
  /\ LET t == [timers EXCEPT !.firing = FALSE]
     IN /\ timers' = [t EXCEPT !.reported = @ \/ Drained(t)]
        /\ Only(Timer, IF Drained(t) THEN "closeInjector" ELSE "idle")
  /\ UNCHANGED <<phase, working, resting, draining, closed>>

---------------------------------------------------------------------------------------------------
(* Shutdown.begin, and noTimersLeft by the closer or by the timer thread.                         *)

BeginShutdown ==
  /\ pc[Closer] = "idle" /\ phase = RUNNING
  /\ phase' = SHUTDOWN
  /\ Only(Closer, "closeTimers")
  /\ UNCHANGED <<working, resting, draining, closed, timers>>

CloseTimers ==
  /\ pc[Closer] = "closeTimers"
  /\ LET t == [timers EXCEPT !.closing = TRUE]
     IN /\ timers' = [t EXCEPT !.reported = @ \/ Drained(t)]
        /\ Only(Closer, IF Drained(t) THEN "closeInjector" ELSE "over")
  /\ UNCHANGED <<phase, working, resting, draining, closed>>

(* Step 3; DrainBeforeClose: Shutdown.noTimersLeft, the first two lines swapped.                  *)
CloseInjector(p) ==
  /\ \/ pc[p] = "closeInjector" /\ ~Bug("DrainBeforeClose")
     \/ pc[p] = "drain" /\ Bug("DrainBeforeClose")
  /\ closed' = TRUE
  /\ Only(p, IF Bug("DrainBeforeClose") THEN "nobodyWorks" ELSE "drain")
  /\ UNCHANGED <<phase, working, resting, draining, timers>>

(* Step 4. *)
Drain(p) ==
  /\ \/ pc[p] = "drain" /\ ~Bug("DrainBeforeClose")
     \/ pc[p] = "closeInjector" /\ Bug("DrainBeforeClose")
  /\ phase' = DRAINING
  /\ Only(p, IF Bug("DrainBeforeClose") THEN "drain" ELSE "nobodyWorks")
  /\ UNCHANGED <<working, resting, draining, closed, timers>>

CallNotifyAll(p, back) ==
  /\ Goto(p, "notify")
  /\ Keep(p, [NoRegisters EXCEPT !.at = 1, !.back = back])

(* endDrainingIfNobodyWorks, then step 5.                                                         *)
NobodyWorks(p) ==
  /\ pc[p] = "nobodyWorks"
  /\ IF working = 0 THEN Goto(p, "endDraining") /\ UNCHANGED reg
     ELSE IF Bug("NoNotificationAtDrain")  \* Shutdown.noTimersLeft: no crew.notifyAllWorkers()
       THEN Goto(p, "over") /\ UNCHANGED reg
       ELSE CallNotifyAll(p, "over")
  /\ UNCHANGED <<sleepers, queue, counts, letters, life>>

(* Lifecycle.endDraining: a CAS. A worker that made it goes on with step 6, in its rest.          *)
EndDraining(p) ==
  /\ pc[p] = "endDraining"
  /\ phase' = IF phase = DRAINING THEN STOPPED ELSE phase
  /\ IF p \notin Workers THEN CallNotifyAll(p, "over")
     ELSE IF phase = DRAINING
               /\ ~Bug("NoNotificationAtStop")  \* Shutdown.drained: empty
       THEN CallNotifyAll(p, reg[p].back)
       ELSE Return(p)
  /\ UNCHANGED <<sleepers, queue, counts, letters, working, resting, draining, closed, timers>>

NextNotification(p) ==
  /\ pc[p] = "notified"
  /\ IF reg[p].at < WorkerCount
       THEN Goto(p, "notify") /\ Keep(p, [reg[p] EXCEPT !.at = @ + 1])
       ELSE Return(p)
  /\ UNCHANGED <<sleepers, queue, counts, letters, life>>

Closing(p) ==
  \/ CloseInjector(p) \/ Drain(p) \/ NobodyWorks(p) \/ EndDraining(p)
  \/ (Notifying(p) /\ UNCHANGED life) \/ NextNotification(p)

---------------------------------------------------------------------------------------------------
(* What the worker's loop adds.                                                                   *)

LateReader == Bug("PhaseAfterLook")  \* Search.search: pool.phase() after findElsewhere

(* After Announce, before LastSearch. *)
ReadPhase(w) ==
  /\ pc[w] = "readLetters"
  /\ draining' = [draining EXCEPT ![w] = phase = DRAINING /\ ~LateReader]
  /\ IF phase = STOPPED
       THEN Goto(w, "foundWork") /\ Keep(w, [NoRegisters EXCEPT !.back = "next"])
       ELSE StartLastSearch(w)
  /\ UNCHANGED <<sleepers, queue, counts, letters, phase, working, resting, closed, timers>>

ReadPhaseLate(w) ==
  /\ LateReader /\ pc[w] = "commit" /\ ~draining[w] /\ phase = DRAINING
  /\ draining' = [draining EXCEPT ![w] = TRUE]
  /\ UNCHANGED <<vars, phase, working, resting, closed, timers>>

(* Between Register and Commit. *)
Rest(w) ==
  /\ pc[w] = "commit" /\ draining[w] /\ ~resting[w] /\ ~Bug("EndsByItself")
  /\ resting' = [resting EXCEPT ![w] = TRUE]
  /\ working' = working - 1
  /\ IF working' = 0
       THEN Goto(w, "endDraining") /\ Keep(w, [NoRegisters EXCEPT !.back = "commit"])
       ELSE UNCHANGED <<pc, reg>>
  /\ UNCHANGED <<sleepers, queue, counts, letters, phase, draining, closed, timers>>

CommitAfterRest(w) ==
  /\ draining[w] => resting[w]
  /\ LateReader => (phase = DRAINING => draining[w])
  /\ Commit(w)
  /\ UNCHANGED life

(* Only with EndsByItself. Search.search: if (draining) { endSearch(); return null; }             *)
EndByItself(w) ==
  /\ Bug("EndsByItself") /\ pc[w] = "register" /\ draining[w]
  /\ Goto(w, "foundWork")
  /\ Keep(w, [NoRegisters EXCEPT !.back = "end"])
  /\ UNCHANGED <<sleepers, queue, counts, letters, life>>

(* After Sleep.sleep, before acknowledge. *)
Work(w) ==
  /\ pc[w] = "acknowledge" /\ resting[w]
  /\ resting' = [resting EXCEPT ![w] = FALSE]
  /\ working' = IF Bug("NoWork") THEN working ELSE working + 1  \* Search.search: no pool.work()
  /\ UNCHANGED <<vars, phase, draining, closed, timers>>

AcknowledgeAfterWork(w) == ~resting[w] /\ Acknowledge(w) /\ UNCHANGED life

(* Worker.nextTask: the phase says stop, and nothing is left of the worker's own. *)
EndWorker(w) ==
  /\ \/ pc[w] = "next" /\ phase = STOPPED /\ ~Owns(w)
     \/ pc[w] = "end"
  /\ latch' = [latch EXCEPT ![w] = "RETIRED"]
  /\ Goto(w, "over")
  /\ working' = working - 1
  /\ UNCHANGED <<reg, word, permit, queue, counts, letters, phase, resting, draining, closed, timers>>

InnerStepHere(w) ==
  /\ InnerStep(w)
  /\ ~(Bug("EndsByItself") /\ pc[w] = "register" /\ draining[w])
  /\ UNCHANGED life

ClosingWorkerStep(w) ==
  \/ InnerStepHere(w)
  \/ phase # STOPPED /\ (PollInjector(w) \/ StartSearch(w)) /\ UNCHANGED life
  \/ ReadPhase(w) \/ ReadPhaseLate(w) \/ Rest(w) \/ CommitAfterRest(w) \/ EndByItself(w)
  \/ Work(w) \/ AcknowledgeAfterWork(w) \/ EndWorker(w)
  \/ EndDraining(w) \/ (Notifying(w) /\ UNCHANGED life) \/ NextNotification(w)

(* A closed injector takes nothing from a worker either: the task goes to the deque instead.      *)
ClosingTaskEvent(w) ==
  /\ PushDeque(w) \/ PushSlot(w) \/ Finish(w) \/ (~closed /\ PushInjector(w, ThePool))
  /\ UNCHANGED life

ClosingOutsiderStep(p) ==
  \/ SubmitPush(p)
  \/ Publishing(p) /\ UNCHANGED life
  \/ p = Timer /\ (TimerDue \/ TimerFire \/ TimerFired)
  \/ p = Closer /\ CloseTimers
  \/ Closing(p)

NextShutdown ==
  \/ \E w \in Workers : ClosingWorkerStep(w) \/ ClosingTaskEvent(w) \/ (Wake(w) /\ UNCHANGED life)
  \/ \E p \in Outsiders : ClosingOutsiderStep(p)
  \/ \E p \in Submitters : Submit(p)
  \/ BeginShutdown

SpecShutdown == InitShutdown /\ [][NextShutdown]_allVars

FairSpecShutdown ==
  /\ SpecShutdown
  /\ \A w \in Workers : WF_allVars(ClosingWorkerStep(w)) /\ WF_allVars(Finish(w) /\ UNCHANGED life)
  /\ \A p \in Outsiders : WF_allVars(ClosingOutsiderStep(p))
  /\ WF_allVars(BeginShutdown)

---------------------------------------------------------------------------------------------------
(* What must hold, beside ExactlyOnce and CountersAccounted of Protocol.tla. *)

QuietShutdown ==
  /\ \A w \in Workers : Parked(w) \/ pc[w] \in {"run", "over"}
  /\ \A p \in Outsiders : pc[p] \in {"idle", "over"}
  /\ timers.armed = 0

(* G1, also while the pool closes; a worker that has ended would have been able to run the task.  *)
NoStrandedWorkShutdown ==
  QuietShutdown /\ Visible(ThePool) => \A w \in Workers : pc[w] = "run"

(* The claim of Lifecycle.rest. *)
StoppedMeansEmpty ==
  phase = STOPPED => ~Visible(ThePool) /\ \A w \in Workers : Held(w) = 0

NobodyEndsWhileATaskRuns ==
  (\E w \in Workers : pc[w] = "over") => \A w \in Workers : pc[w] # "run"

TimerIsNotRefused == pc[Timer] = "fire" => ~closed

(* G6: nobody sleeps through it. *)
CloseGoesOn ==
  QuietShutdown /\ timers.reported /\ (\A w \in Workers : pc[w] # "run")
    => \A w \in Workers : pc[w] = "over"

CloseTerminates == <>(\A w \in Workers : pc[w] = "over")
=============================================================================
