---------------------------- MODULE StoreBuffers ----------------------------
(* The core of the protocol with a store buffer per thread, so that the loss of a fence is seen.  *)
(* One worker runs a task that publishes to the injector, then to its own deque, and then hangs;  *)
(* the others search and fall asleep.                                                             *)
(*                                                                                                *)
(* A store goes to the end of the thread's buffer, which reaches memory in order, some time. A    *)
(* load sees the thread's own buffer first. A full fence waits until the buffer is empty. What a  *)
(* CAS or fetch-and-add does is a question of the machine:                                        *)
(*                                                                                                *)
(*   CasDrains      x86 (TSO): it empties the buffer, and writes to memory                        *)
(*   ~CasDrains     only atomic: its write goes through the buffer as well, and until it reaches  *)
(*                  memory no other thread can do one at that place. So loads that follow may be  *)
(*                  done before it is seen, as with an exclusive pair on ARM. This is as little   *)
(*                  as Java promises: the looks at the queues are acquire loads, which may        *)
(*                  overtake a volatile store to another place                                    *)
(*                                                                                                *)
(* Only stores followed by loads are reordered. That others are not needed is argued in README.md. *)
EXTENDS Integers, Sequences, FiniteSets

CONSTANTS
  Sleepers,   \* the workers that search: 2..n; worker 1 publishes
  Injected,   \* tasks in the injector at the start
  ToInjector, \* tasks that worker 1 publishes to the injector before the one to its deque
  InitialJec, \* odd: something was published before, and nobody has announced since
  CasDrains,
  Bugs

Bug(name) == name \in Bugs
Publisher == 1
Threads == {Publisher} \cup Sleepers
Latch(w) == <<"latch", w>>
Deque == <<"deque", Publisher>>  \* its tail: written with release, by the owner
Injector == <<"injector", 0>>    \* taken from with CAS
Word == <<"word", 0>>
Places == {Deque, Injector, Word} \cup {Latch(w) : w \in Sleepers}
JecSize == 4

VARIABLES pc, memory, buffer, announced, at, pushes
vars == <<pc, memory, buffer, announced, at, pushes>>

(* At the start every sleeper is on its way to sleep, counted as inactive.                        *)
Init ==
  /\ pc = [t \in Threads |-> IF t = Publisher THEN "push" ELSE "announce"]
  /\ memory = [x \in Places |->
       CASE x = Deque -> 0
         [] x = Injector -> Injected
         [] x = Word -> [jec |-> InitialJec, inactive |-> Cardinality(Sleepers), sleeping |-> 0]
         [] OTHER -> "AWAKE"]
  /\ buffer = [t \in Threads |-> <<>>]
  /\ announced = [t \in Threads |-> 0]
  /\ at = [t \in Threads |-> 0]
  /\ pushes = ToInjector + 1

---------------------------------------------------------------------------------------------------
(* Memory.                                                                                        *)

Pending(t, x) == {i \in 1..Len(buffer[t]) : buffer[t][i].place = x}
Last(S) == CHOOSE i \in S : \A j \in S : j <= i

Load(t, x) == IF Pending(t, x) = {} THEN memory[x] ELSE buffer[t][Last(Pending(t, x))].value

Store(t, x, v) ==
  /\ buffer' = [buffer EXCEPT ![t] = Append(@, [place |-> x, value |-> v])]
  /\ UNCHANGED memory

(* The place is read and written by one atomic instruction, which can take place now.             *)
CanCas(t, x) ==
  IF CasDrains THEN buffer[t] = <<>> ELSE \A other \in Threads \ {t} : Pending(other, x) = {}

Write(t, x, v) ==
  IF CasDrains THEN memory' = [memory EXCEPT ![x] = v] /\ UNCHANGED buffer ELSE Store(t, x, v)

NoWrite == UNCHANGED <<memory, buffer>>

Drain(t) ==
  /\ buffer[t] # <<>>
  /\ memory' = [memory EXCEPT ![Head(buffer[t]).place] = Head(buffer[t]).value]
  /\ buffer' = [buffer EXCEPT ![t] = Tail(@)]
  /\ UNCHANGED <<pc, announced, at, pushes>>

Fenced(t, bug) == buffer[t] = <<>> \/ Bug(bug)

Goto(t, label) == pc' = [pc EXCEPT ![t] = label]
Rest == UNCHANGED <<announced, at, pushes>>

IsSleepy(w) == w.jec % 2 = 0
NextJec(w) == [w EXCEPT !.jec = (@ + 1) % JecSize]
NobodySearches(w) == w.inactive - w.sleeping <= 0

---------------------------------------------------------------------------------------------------
(* Publish.                                                                                       *)

(* Injector.push: a CAS. WorkerDeque.push: tail.setRelease. *)
Push ==
  /\ pc[Publisher] = "push" /\ pushes > 0
  /\ IF pushes > 1
       THEN CanCas(Publisher, Injector) /\ Write(Publisher, Injector, Load(Publisher, Injector) + 1)
       ELSE Store(Publisher, Deque, 1)
  /\ pushes' = pushes - 1
  /\ Goto(Publisher, "pushFence")
  /\ UNCHANGED <<announced, at>>

PushFence ==
  /\ pc[Publisher] = "pushFence"
  /\ Fenced(Publisher, "NoPushFence")  \* Sleep.publish: no VarHandle.fullFence()
  /\ Goto(Publisher, "readSleepers")
  /\ NoWrite /\ Rest

(* After a publish: the publisher goes on with the next, all others run their task.               *)
Done(t) == Goto(t, IF t = Publisher THEN "push" ELSE "run")

WakeFor(w) == w.sleeping > 0 /\ NobodySearches(w)

(* An odd JEC is only loaded; an even one is made odd by a CAS. *)
ReadSleepers ==
  /\ pc[Publisher] = "readSleepers"
  /\ LET w == Load(Publisher, Word) IN
     IF ~IsSleepy(w)
       THEN /\ (IF WakeFor(w) THEN Goto(Publisher, "wakeOne") ELSE Done(Publisher))
            /\ NoWrite
       ELSE /\ CanCas(Publisher, Word)
            /\ Write(Publisher, Word, NextJec(w))
            /\ (IF WakeFor(w) THEN Goto(Publisher, "wakeOne") ELSE Done(Publisher))
  /\ Rest

(* WakeOne: any sleeper. *)
FindSleeper(t) ==
  /\ pc[t] = "wakeOne"
  /\ \/ \E s \in Sleepers :
          /\ Load(t, Latch(s)) = "SLEEPING"
          /\ at' = [at EXCEPT ![t] = s]
          /\ Goto(t, "readAgain")
     \/ /\ \A s \in Sleepers : Load(t, Latch(s)) # "SLEEPING"
        /\ Done(t)
        /\ UNCHANGED at
  /\ NoWrite
  /\ UNCHANGED <<announced, pushes>>

(* No fence of its own: it comes after that of the push, or of FoundWork.                         *)
ReadAgain(t) ==
  /\ pc[t] = "readAgain"
  /\ IF WakeFor(Load(t, Word))
       THEN Goto(t, "claim") /\ UNCHANGED at
       ELSE Done(t) /\ at' = [at EXCEPT ![t] = 0]
  /\ NoWrite
  /\ UNCHANGED <<announced, pushes>>

Claim(t) ==
  /\ pc[t] = "claim"
  /\ LET s == at[t] IN
     IF Load(t, Latch(s)) = "SLEEPING"
       THEN /\ CanCas(t, Latch(s))
            /\ Write(t, Latch(s), "AWAKE")
            /\ Goto(t, "deregister")
            /\ UNCHANGED at
       ELSE /\ Goto(t, "wakeOne")
            /\ at' = [at EXCEPT ![t] = 0]
            /\ NoWrite
  /\ UNCHANGED <<announced, pushes>>

Add(t, field, n) ==
  /\ CanCas(t, Word)
  /\ Write(t, Word, [Load(t, Word) EXCEPT ![field] = @ + n])

Deregister(t) ==
  /\ pc[t] = "deregister"
  /\ Add(t, "sleeping", -1)
  /\ at' = [at EXCEPT ![t] = 0]
  /\ Done(t)
  /\ UNCHANGED <<announced, pushes>>

---------------------------------------------------------------------------------------------------
(* The way to sleep.                                                                              *)

Announce(s) ==
  /\ pc[s] = "announce"
  /\ LET w == Load(s, Word)
         even == IF IsSleepy(w) THEN w ELSE NextJec(w)
     IN /\ announced' = [announced EXCEPT ![s] = even.jec]
        /\ IF IsSleepy(w) THEN NoWrite
           ELSE CanCas(s, Word) /\ Write(s, Word, even)
  /\ Goto(s, "lastSearch")
  /\ UNCHANGED <<at, pushes>>

(* LastSearch looks at the injector, then at the deque. *)
LastSearch(s) ==
  /\ pc[s] \in {"lastSearch", "lastSearchDeque"}
  /\ LET x == IF pc[s] = "lastSearch" THEN Injector ELSE Deque
         n == Load(s, x)
     IN IF n > 0
          THEN CanCas(s, x) /\ Write(s, x, n - 1) /\ Goto(s, "foundWork")
          ELSE NoWrite /\ Goto(s, IF x = Injector THEN "lastSearchDeque" ELSE "register")
  /\ Rest

Register(s) ==
  /\ pc[s] = "register"
  /\ LET w == Load(s, Word) IN
     IF w.jec = announced[s]
       THEN CanCas(s, Word) /\ Write(s, Word, [w EXCEPT !.sleeping = @ + 1]) /\ Goto(s, "commit")
       ELSE NoWrite /\ Goto(s, "announce")
  /\ Rest

Commit(s) ==
  /\ pc[s] = "commit"
  /\ IF Bug("CommitByRelease")  \* WorkerLatch.commit: state.setRelease(SLEEPING) instead of the CAS
       THEN Store(s, Latch(s), "SLEEPING")
       ELSE CanCas(s, Latch(s)) /\ Write(s, Latch(s), "SLEEPING")
  /\ Goto(s, "sleepFence")
  /\ Rest

SleepFence(s) ==
  /\ pc[s] = "sleepFence"
  /\ Fenced(s, "NoSleepFence")  \* Sleep.sleep: no VarHandle.fullFence()
  /\ Goto(s, "finalCheck")
  /\ NoWrite /\ Rest

FinalCheck(s) ==
  /\ pc[s] \in {"finalCheck", "finalCheckDeque"}
  /\ LET x == IF pc[s] = "finalCheck" THEN Injector ELSE Deque IN
     Goto(s, IF Load(s, x) > 0 THEN "withdraw"
             ELSE IF x = Injector THEN "finalCheckDeque" ELSE "parked")
  /\ NoWrite /\ Rest

Withdraw(s) ==
  /\ pc[s] = "withdraw"
  /\ IF Load(s, Latch(s)) = "SLEEPING"
       THEN CanCas(s, Latch(s)) /\ Write(s, Latch(s), "AWAKE") /\ Goto(s, "deregisterSelf")
       ELSE NoWrite /\ Goto(s, "announce")
  /\ Rest

DeregisterSelf(s) ==
  /\ pc[s] = "deregisterSelf"
  /\ Add(s, "sleeping", -1)
  /\ Goto(s, "announce")
  /\ Rest

Wake(s) ==
  /\ pc[s] = "parked" /\ Load(s, Latch(s)) = "AWAKE"
  /\ Goto(s, "announce")
  /\ NoWrite /\ Rest

---------------------------------------------------------------------------------------------------
(* FoundWork; the task that was found hangs.                                                      *)

FoundWork(s) ==
  /\ pc[s] = "foundWork"
  /\ LET after == [Load(s, Word) EXCEPT !.inactive = @ - 1] IN
     /\ CanCas(s, Word)
     /\ Write(s, Word, after)
     /\ Goto(s, IF WakeFor(after) THEN "foundFence" ELSE "run")
  /\ Rest

FoundFence(s) ==
  /\ pc[s] = "foundFence"
  /\ Fenced(s, "NoFoundFence")  \* Sleep.endSearch: no VarHandle.fullFence()
  /\ Goto(s, "handOn")
  /\ NoWrite /\ Rest

HandOn(s) ==
  /\ pc[s] \in {"handOn", "handOnDeque"}
  /\ LET x == IF pc[s] = "handOn" THEN Injector ELSE Deque IN
     Goto(s, IF Load(s, x) > 0 THEN "wakeOne"
             ELSE IF x = Injector THEN "handOnDeque" ELSE "run")
  /\ NoWrite /\ Rest

---------------------------------------------------------------------------------------------------

Next ==
  \/ Push \/ PushFence \/ ReadSleepers
  \/ \E t \in Threads :
       Drain(t) \/ FindSleeper(t) \/ ReadAgain(t) \/ Claim(t) \/ Deregister(t)
  \/ \E s \in Sleepers :
       \/ Announce(s) \/ LastSearch(s) \/ Register(s) \/ Commit(s) \/ SleepFence(s) \/ FinalCheck(s)
       \/ Withdraw(s) \/ DeregisterSelf(s) \/ Wake(s) \/ FoundWork(s) \/ FoundFence(s) \/ HandOn(s)

Spec == Init /\ [][Next]_vars

(* Nobody does anything any more, and all stores have reached memory. *)
Quiet ==
  /\ \A t \in Threads : buffer[t] = <<>> /\ pc[t] \in {"parked", "run", "push"}
  /\ \A s \in Sleepers : pc[s] = "parked" => memory[Latch(s)] = "SLEEPING"

NoStrandedWork ==
  Quiet /\ memory[Deque] + memory[Injector] > 0 => \A s \in Sleepers : pc[s] # "parked"

CountersExact ==
  Quiet => LET n == Cardinality({s \in Sleepers : pc[s] = "parked"})
           IN memory[Word].sleeping = n /\ memory[Word].inactive = n
=============================================================================
