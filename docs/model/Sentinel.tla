------------------------------ MODULE Sentinel ------------------------------
(* internal/sentinel: when a push into a slot may stay silent, when a queue needs to be watched, and  *)
(* how the sentinel goes on and off duty. One worker, the owner, pushes and may at any moment not    *)
(* come back; the other goes to sleep or does not come back either. Who is woken by an ordinary       *)
(* publish, and the counters, are in Protocol.tla; what a spare does with a right is in Spares.tla.   *)
EXTENDS Integers

CONSTANTS
  Pushes,  \* of the owner, at most
  Bugs

Bug(name) == name \in Bugs

VARIABLES
  duty,      \* is the sentinel on duty?
  slot,      \* is there a task in the owner's slot?
  queue,     \* how many are in its queue
  exposed,   \* may others look into the slot?
  begun,     \* tasks that the owner has begun, modulo 3
  pushes,    \* left
  owner,     \* what it does next
  other,     \* what the other worker does next
  asleep,    \* can the other worker be claimed?
  guarded,   \* what the other worker read at the beginning of its FinalCheck
  sentinel,  \* what it does next
  seenBegun, \* what it saw in its last round
  seenFull

vars == <<duty, slot, queue, exposed, begun, pushes, owner, other, asleep, guarded, sentinel,
          seenBegun, seenFull>>

Init ==
  /\ duty \in BOOLEAN
  /\ slot = FALSE /\ queue = 0 /\ exposed = FALSE
  /\ begun = 0 /\ pushes = Pushes
  /\ owner = "runs" /\ other = "searches" /\ asleep = FALSE /\ guarded = FALSE
  /\ sentinel = "parked" /\ seenBegun = 0 /\ seenFull = FALSE

(* An ordinary publish, made in one step: wakes the other worker if that can be claimed. *)
Wake == /\ asleep' = FALSE
        /\ other' = IF asleep /\ other = "parked" THEN "searches" ELSE other

EverybodyRuns == other \in {"found", "runs", "gone"}
Visible(on) == queue > 0 \/ (slot /\ (~on \/ exposed))

---------------------------------------------------------------------------------------------------
(* The owner. *)

PushSlot ==
  /\ owner = "runs" /\ pushes > 0 /\ ~slot
  /\ slot' = TRUE /\ pushes' = pushes - 1
  /\ owner' = IF Bug("SilentSlot") THEN "runs" ELSE "guardsSlot"
  /\ UNCHANGED <<duty, queue, exposed, begun, other, asleep, guarded, sentinel, seenBegun, seenFull>>

(* Sentinel.guardSlot; the fence is between the two steps. *)
GuardSlot ==
  /\ owner = "guardsSlot"
  /\ duty' = TRUE
  /\ owner' = "runs"
  /\ UNCHANGED <<slot, queue, exposed, begun, pushes, other, asleep, guarded, sentinel, seenBegun, seenFull>>

PushQueue ==
  /\ owner = "runs" /\ pushes > 0
  /\ queue' = queue + 1 /\ pushes' = pushes - 1
  /\ owner' = "publishes"
  /\ UNCHANGED <<duty, slot, exposed, begun, other, asleep, guarded, sentinel, seenBegun, seenFull>>

Publish ==
  /\ owner = "publishes" /\ Wake
  /\ owner' = IF Bug("NoGuardOfQueues") THEN "runs" ELSE "guardsQueue"
  /\ UNCHANGED <<duty, slot, queue, exposed, begun, pushes, guarded, sentinel, seenBegun, seenFull>>

(* Sentinel.guardQueues. *)
GuardQueue ==
  /\ owner = "guardsQueue"
  /\ duty' = (duty \/ EverybodyRuns)
  /\ owner' = "runs"
  /\ UNCHANGED <<slot, queue, exposed, begun, pushes, other, asleep, guarded, sentinel, seenBegun, seenFull>>

NextTask ==
  /\ owner = "runs" /\ (slot \/ queue > 0)
  /\ IF slot THEN slot' = FALSE /\ queue' = queue ELSE queue' = queue - 1 /\ slot' = slot
  /\ begun' = (begun + 1) % 3
  /\ UNCHANGED <<duty, exposed, pushes, owner, other, asleep, guarded, sentinel, seenBegun, seenFull>>

(* It blocks, or hogs its core: for good. *)
OwnerGone ==
  /\ owner = "runs" /\ owner' = "gone"
  /\ UNCHANGED <<duty, slot, queue, exposed, begun, pushes, other, asleep, guarded, sentinel, seenBegun, seenFull>>

---------------------------------------------------------------------------------------------------
(* The other worker: it is counted inactive from "searches" to "parked". *)

TakeQueue == queue > 0 /\ queue' = queue - 1 /\ slot' = slot
TakeSlot == slot /\ (~duty \/ exposed) /\ slot' = FALSE /\ queue' = queue

Find ==
  /\ other = "searches" /\ (TakeQueue \/ TakeSlot)
  /\ other' = "found"
  /\ UNCHANGED <<duty, exposed, begun, pushes, owner, asleep, guarded, sentinel, seenBegun, seenFull>>

(* FoundWork has just made it active: Sentinel.guardQueuesIfWorkIsVisible. *)
GuardFound ==
  /\ other = "found"
  /\ duty' = (duty \/ (~Bug("NoGuardAtFound") /\ Visible(FALSE)))
  /\ other' = "runs"
  /\ UNCHANGED <<slot, queue, exposed, begun, pushes, owner, asleep, guarded, sentinel, seenBegun, seenFull>>

OtherEnds ==
  /\ other = "runs" /\ other' \in {"searches", "gone"}
  /\ UNCHANGED <<duty, slot, queue, exposed, begun, pushes, owner, asleep, guarded, sentinel, seenBegun, seenFull>>

(* Register and Commit: it found nothing that it may take. *)
Register ==
  /\ other = "searches" /\ ~Visible(duty)
  /\ asleep' = TRUE /\ other' = "readsDuty"
  /\ UNCHANGED <<duty, slot, queue, exposed, begun, pushes, owner, guarded, sentinel, seenBegun, seenFull>>

(* Pool.isWorkVisible: the duty first, then the slots. *)
ReadDuty ==
  /\ other = "readsDuty" /\ guarded' = duty /\ other' = "looks"
  /\ UNCHANGED <<duty, slot, queue, exposed, begun, pushes, owner, asleep, sentinel, seenBegun, seenFull>>

FinalCheck ==
  /\ other = "looks"
  /\ IF ~asleep \/ Visible(guarded)
       THEN other' = "searches" /\ asleep' = FALSE
       ELSE other' = "parked" /\ asleep' = asleep
  /\ UNCHANGED <<duty, slot, queue, exposed, begun, pushes, owner, guarded, sentinel, seenBegun, seenFull>>

---------------------------------------------------------------------------------------------------
(* The sentinel. *)

Needed == slot \/ (EverybodyRuns /\ Visible(duty))

Arrive ==
  /\ sentinel = "parked" /\ duty
  /\ sentinel' = "rounds" /\ seenFull' = FALSE  \* what it saw before it went off duty counts no more
  /\ UNCHANGED <<duty, slot, queue, exposed, begun, pushes, owner, other, asleep, guarded, seenBegun>>

Round ==
  /\ sentinel = "rounds"
  /\ exposed' = (slot /\ seenFull /\ seenBegun = begun)
  /\ seenFull' = slot /\ seenBegun' = begun
  /\ sentinel' = CASE exposed' -> "publishes"
                   [] ~exposed' /\ Needed -> "relieves"
                   [] OTHER -> IF Bug("LookBeforeOff") THEN "looksAgain" ELSE "leaves"
  /\ UNCHANGED <<duty, slot, queue, begun, pushes, owner, other, asleep, guarded>>

PublishExposed ==
  /\ sentinel = "publishes"
  /\ IF Bug("NoPublishOfExposed") THEN UNCHANGED <<asleep, other>> ELSE Wake
  /\ sentinel' = "relieves"
  /\ UNCHANGED <<duty, slot, queue, exposed, begun, pushes, owner, guarded, seenBegun, seenFull>>

(* Both are gone, and the right of one goes to a spare, which takes what is visible. *)
Relieve ==
  /\ sentinel = "relieves"
  /\ IF owner = "gone" /\ other = "gone" /\ Visible(duty)
       THEN IF queue > 0 THEN queue' = queue - 1 /\ slot' = slot ELSE slot' = FALSE /\ queue' = queue
       ELSE UNCHANGED <<slot, queue>>
  /\ sentinel' = "rounds"
  /\ UNCHANGED <<duty, exposed, begun, pushes, owner, other, asleep, guarded, seenBegun, seenFull>>

Leave ==
  /\ sentinel = "leaves"
  /\ duty' = FALSE
  /\ sentinel' = IF Bug("NoLastLook") \/ Bug("LookBeforeOff") THEN "parked" ELSE "looksAgain"
  /\ UNCHANGED <<slot, queue, exposed, begun, pushes, owner, other, asleep, guarded, seenBegun, seenFull>>

(* Off duty, and yet needed: on duty again. *)
LookAgain ==
  /\ sentinel = "looksAgain"
  /\ IF Bug("LookBeforeOff")
       THEN sentinel' = (IF Needed THEN "rounds" ELSE "leaves") /\ duty' = duty
       ELSE sentinel' = "parked" /\ duty' = (duty \/ Needed)
  /\ UNCHANGED <<slot, queue, exposed, begun, pushes, owner, other, asleep, guarded, seenBegun, seenFull>>

---------------------------------------------------------------------------------------------------
OwnerSteps == GuardSlot \/ Publish \/ GuardQueue
OtherSteps == Find \/ GuardFound \/ Register \/ ReadDuty \/ FinalCheck
SentinelSteps == Arrive \/ Round \/ PublishExposed \/ Relieve \/ Leave \/ LookAgain

Next == PushSlot \/ PushQueue \/ NextTask \/ OwnerGone \/ OtherEnds
        \/ OwnerSteps \/ OtherSteps \/ SentinelSteps

Spec == Init /\ [][Next]_vars

FairSpec == Spec /\ WF_vars(OwnerSteps) /\ WF_vars(OtherSteps) /\ WF_vars(OtherEnds) /\ WF_vars(SentinelSteps)

(* G1, G9: nothing waits behind workers that do not come back while nobody is on duty or awake. *)
NothingStrands ==
  (slot \/ queue > 0) /\ owner = "gone" /\ ((other = "parked" /\ asleep) \/ other = "gone")
    => duty \/ sentinel # "parked"

(* The same, as what must happen: the task is taken. *)
WhatWaitsIsTaken == (slot /\ owner = "gone") ~> ~slot
WhatIsQueuedIsTaken == (queue > 0 /\ owner = "gone") ~> queue = 0

(* G4: when nothing comes any more, the sentinel goes to rest. *)
RestsInTheEnd == <>[](~slot /\ queue = 0 /\ pushes = 0) => <>[](~duty /\ sentinel = "parked")
=============================================================================
