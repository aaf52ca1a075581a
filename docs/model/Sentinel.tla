------------------------------ MODULE Sentinel ------------------------------
(* internal/sentinel: when a push into a slot may stay silent, when a queue needs to be watched, and  *)
(* how the sentinel goes on and off duty. One worker, the owner, pushes and may at any moment not    *)
(* come back; the other goes to sleep or does not come back either. Who is woken by an ordinary       *)
(* publish, and the counters, are in Protocol.tla; what a spare does with a right is in Spares.tla.   *)
(* The permit of LockSupport is explicit for the sentinel's thread: nobody else's park is modelled.   *)
EXTENDS Integers

CONSTANTS
  Pushes,  \* of the owner, at most
  Standby, \* is there but one processor? Then the other worker, once it sleeps, is on standby
  Bugs

Bug(name) == name \in Bugs

VARIABLES
  duty,      \* the state of Duty: on, and called are on duty; lingers and off are not
  permit,    \* was the sentinel's thread unparked?
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
  seenPushes,
  seenFull

vars == <<duty, permit, slot, queue, exposed, begun, pushes, owner, other, asleep, guarded, sentinel,
          seenBegun, seenPushes, seenFull>>

Init ==
  /\ duty \in {"off", "on"} /\ permit = FALSE
  /\ slot = FALSE /\ queue = 0 /\ exposed = FALSE
  /\ begun = 0 /\ pushes = Pushes
  /\ owner = "runs" /\ other = "searches" /\ asleep = FALSE /\ guarded = FALSE
  /\ sentinel = "readsDuty" /\ seenBegun = 0 /\ seenPushes = Pushes /\ seenFull = FALSE

(* An ordinary publish, made in one step: wakes the other worker if that can be claimed. *)
Wake == /\ asleep' = FALSE
        /\ other' = IF asleep /\ other = "parked" THEN "searches" ELSE other

EverybodyRuns == other \in {"found", "runs", "gone"}
OnDuty == duty \in {"called", "on"}
Visible(on) == queue > 0 \/ (slot /\ (~on \/ exposed))

(* Duty.call and Duty.callSoon: who makes it on wakes the thread. *)
Call == /\ duty' = "on"
        /\ permit' = (permit \/ duty # "on")
CallSoon == /\ duty' = CASE duty = "off" -> "on" [] duty = "lingers" -> "called" [] OTHER -> duty
            /\ permit' = (permit \/ (duty = "off" /\ ~Bug("NoWakeFromOff")))

---------------------------------------------------------------------------------------------------
(* The owner. *)

PushSlot ==
  /\ owner = "runs" /\ pushes > 0 /\ ~slot
  /\ slot' = TRUE /\ pushes' = pushes - 1
  /\ owner' = IF Bug("SilentSlot") THEN "runs" ELSE "guardsSlot"
  /\ UNCHANGED <<duty, permit, queue, exposed, begun, other, asleep, guarded, sentinel, seenBegun, seenPushes, seenFull>>

(* Sentinel.guardSlot; the fence is between the two steps. *)
GuardSlot ==
  /\ owner = "guardsSlot" /\ Call
  /\ owner' = "runs"
  /\ UNCHANGED <<slot, queue, exposed, begun, pushes, other, asleep, guarded, sentinel, seenBegun, seenPushes, seenFull>>

(* Publisher.putNext, of a coarse task: before the push nobody was on duty, so it is published like   *)
(* any, whatever has become of the duty since.                                                        *)
PublishSlot ==
  /\ owner = "guardsSlot"
  /\ owner' = IF Bug("SilentLongPush") THEN "runs" ELSE "publishes"
  /\ UNCHANGED <<duty, permit, slot, queue, exposed, begun, pushes, other, asleep, guarded, sentinel, seenBegun, seenPushes, seenFull>>

PushQueue ==
  /\ owner = "runs" /\ pushes > 0
  /\ queue' = queue + 1 /\ pushes' = pushes - 1
  /\ owner' = "publishes"
  /\ UNCHANGED <<duty, permit, slot, exposed, begun, other, asleep, guarded, sentinel, seenBegun, seenPushes, seenFull>>

Publish ==
  /\ owner = "publishes"
  /\ IF Standby /\ asleep
       THEN owner' = "leavesAsleep" /\ UNCHANGED <<asleep, other>>
       ELSE /\ Wake
            /\ owner' = IF Bug("NoGuardOfQueues") THEN "runs" ELSE "guardsQueue"
  /\ UNCHANGED <<duty, permit, slot, queue, exposed, begun, pushes, guarded, sentinel, seenBegun, seenPushes, seenFull>>

(* Sentinel.guardStandby: who leaves a sleeper asleep has read that it sleeps before. *)
LeaveAsleep ==
  /\ owner = "leavesAsleep"
  /\ IF Bug("StandbyUnguarded") THEN UNCHANGED <<duty, permit>> ELSE CallSoon
  /\ owner' = "guardsQueue"
  /\ UNCHANGED <<slot, queue, exposed, begun, pushes, other, asleep, guarded, sentinel, seenBegun, seenPushes, seenFull>>

(* Sentinel.guardQueues. *)
GuardQueue ==
  /\ owner = "guardsQueue"
  /\ IF EverybodyRuns THEN CallSoon ELSE UNCHANGED <<duty, permit>>
  /\ owner' = "runs"
  /\ UNCHANGED <<slot, queue, exposed, begun, pushes, other, asleep, guarded, sentinel, seenBegun, seenPushes, seenFull>>

NextTask ==
  /\ owner = "runs" /\ (slot \/ queue > 0)
  /\ IF slot THEN slot' = FALSE /\ queue' = queue ELSE queue' = queue - 1 /\ slot' = slot
  /\ begun' = (begun + 1) % 3
  /\ UNCHANGED <<duty, permit, exposed, pushes, owner, other, asleep, guarded, sentinel, seenBegun, seenPushes, seenFull>>

(* In a task that it does not leave, it forks and takes back: it begins tasks, and none of those here. *)
Join ==
  /\ owner = "gone" /\ begun' = (begun + 1) % 3
  /\ UNCHANGED <<duty, permit, slot, queue, exposed, pushes, owner, other, asleep, guarded, sentinel, seenBegun, seenPushes, seenFull>>

(* It blocks, or hogs its core: for good. *)
OwnerGone ==
  /\ owner = "runs" /\ owner' = "gone"
  /\ UNCHANGED <<duty, permit, slot, queue, exposed, begun, pushes, other, asleep, guarded, sentinel, seenBegun, seenPushes, seenFull>>

---------------------------------------------------------------------------------------------------
(* The other worker: it is counted inactive from "searches" to "parked". *)

TakeQueue == queue > 0 /\ queue' = queue - 1 /\ slot' = slot
TakeSlot == slot /\ (~OnDuty \/ exposed) /\ slot' = FALSE /\ queue' = queue

Find ==
  /\ other = "searches" /\ (TakeQueue \/ TakeSlot)
  /\ other' = "found"
  /\ UNCHANGED <<duty, permit, exposed, begun, pushes, owner, asleep, guarded, sentinel, seenBegun, seenPushes, seenFull>>

(* FoundWork has just made it active: Sentinel.guardQueuesIfWorkIsVisible. *)
GuardFound ==
  /\ other = "found"
  /\ IF ~Bug("NoGuardAtFound") /\ Visible(FALSE) THEN CallSoon ELSE UNCHANGED <<duty, permit>>
  /\ other' = "runs"
  /\ UNCHANGED <<slot, queue, exposed, begun, pushes, owner, asleep, guarded, sentinel, seenBegun, seenPushes, seenFull>>

OtherEnds ==
  /\ other = "runs" /\ other' \in {"searches", "gone"}
  /\ UNCHANGED <<duty, permit, slot, queue, exposed, begun, pushes, owner, asleep, guarded, sentinel, seenBegun, seenPushes, seenFull>>

(* Register and Commit: it found nothing that it may take. *)
Register ==
  /\ other = "searches" /\ ~Visible(OnDuty)
  /\ asleep' = TRUE /\ other' = "readsDuty"
  /\ UNCHANGED <<duty, permit, slot, queue, exposed, begun, pushes, owner, guarded, sentinel, seenBegun, seenPushes, seenFull>>

(* Pool.isWorkVisible: the duty first, then the slots. *)
ReadDuty ==
  /\ other = "readsDuty" /\ guarded' = OnDuty /\ other' = "looks"
  /\ UNCHANGED <<duty, permit, slot, queue, exposed, begun, pushes, owner, asleep, sentinel, seenBegun, seenPushes, seenFull>>

FinalCheck ==
  /\ other = "looks"
  /\ IF ~asleep \/ Visible(guarded)
       THEN other' = "searches" /\ asleep' = FALSE
       ELSE other' = "parked" /\ asleep' = asleep
  /\ UNCHANGED <<duty, permit, slot, queue, exposed, begun, pushes, owner, guarded, sentinel, seenBegun, seenPushes, seenFull>>

---------------------------------------------------------------------------------------------------
(* The sentinel. *)

QueuesNeedIt == (EverybodyRuns \/ (Standby /\ ~Bug("NoLookForStandby"))) /\ Visible(OnDuty)
Needed == slot \/ QueuesNeedIt

(* Duty.run: the thread parks without a timeout only when it has read that it is off duty. *)
ReadState ==
  /\ sentinel = "readsDuty"
  /\ sentinel' = CASE duty = "on" -> "rounds" [] duty = "off" -> "parked" [] OTHER -> "lingers"
  /\ UNCHANGED <<duty, permit, slot, queue, exposed, begun, pushes, owner, other, asleep, guarded, seenBegun, seenPushes, seenFull>>

Unparked ==
  /\ sentinel = "parked" /\ permit
  /\ permit' = FALSE
  /\ sentinel' = "readsDuty"
  /\ UNCHANGED <<duty, slot, queue, exposed, begun, pushes, owner, other, asleep, guarded, seenBegun, seenPushes, seenFull>>

(* Duty.endLinger, at any moment: the time is over, or the thread was unparked. A permit that comes   *)
(* with the end of the time may be used up or not. What it saw counts no more when it is off.         *)
EndLinger ==
  /\ sentinel = "lingers"
  /\ permit' \in {FALSE, permit}
  /\ IF Bug("LingerEndsWithoutCas") /\ duty = "lingers"
       THEN sentinel' = "goesOff" /\ duty' = duty
       ELSE /\ sentinel' = "readsDuty"
            /\ duty' = CASE duty = "lingers" -> "off" [] duty = "called" -> "on" [] OTHER -> duty
  /\ seenFull' = (seenFull /\ duty # "lingers")
  /\ UNCHANGED <<slot, queue, exposed, begun, pushes, owner, other, asleep, guarded, seenBegun, seenPushes>>

(* A read and a write instead of the CAS. *)
GoOff ==
  /\ sentinel = "goesOff"
  /\ duty' = "off"
  /\ sentinel' = "readsDuty"
  /\ UNCHANGED <<permit, slot, queue, exposed, begun, pushes, owner, other, asleep, guarded, seenBegun, seenPushes, seenFull>>

(* A task that lies there since the last round: nothing was pushed since. Whether its worker has begun  *)
(* others meanwhile says nothing: it may fork them, and take them back.                                 *)
Round ==
  /\ sentinel = "rounds"
  /\ exposed' = (slot /\ seenFull /\ seenPushes = pushes /\ (Bug("WhoJoinsGetsOn") => seenBegun = begun))
  /\ seenFull' = slot /\ seenBegun' = begun /\ seenPushes' = pushes
  /\ sentinel' = CASE exposed' -> "publishes"
                   [] ~exposed' /\ Needed -> "relieves"
                   [] OTHER -> IF Bug("LookBeforeOff") THEN "looksAgain" ELSE "leaves"
  /\ UNCHANGED <<duty, permit, slot, queue, begun, pushes, owner, other, asleep, guarded>>

PublishExposed ==
  /\ sentinel = "publishes"
  /\ IF Bug("NoPublishOfExposed") \/ Standby THEN UNCHANGED <<asleep, other>> ELSE Wake
  /\ sentinel' = "relieves"
  /\ UNCHANGED <<duty, permit, slot, queue, exposed, begun, pushes, owner, guarded, seenBegun, seenPushes, seenFull>>

(* Tasks wait while the other is on standby: Sentinel.callUp. It must be woken if the owner is stuck, *)
(* and may be if the owner was slow.                                                                 *)
CallUp ==
  /\ sentinel = "relieves" /\ Standby /\ asleep
  /\ IF Visible(OnDuty) /\ ~Bug("NobodyIsCalledUp")
       THEN Wake \/ (owner # "gone" /\ UNCHANGED <<asleep, other>>)
       ELSE UNCHANGED <<asleep, other>>
  /\ sentinel' = "rounds"
  /\ UNCHANGED <<duty, permit, slot, queue, exposed, begun, pushes, owner, guarded, seenBegun, seenPushes, seenFull>>

(* Both are gone, and the right of one goes to a spare, which takes what is visible. *)
Relieve ==
  /\ sentinel = "relieves" /\ ~(Standby /\ asleep)
  /\ IF owner = "gone" /\ other = "gone" /\ Visible(OnDuty)
       THEN IF queue > 0 THEN queue' = queue - 1 /\ slot' = slot ELSE slot' = FALSE /\ queue' = queue
       ELSE UNCHANGED <<slot, queue>>
  /\ sentinel' = "rounds"
  /\ UNCHANGED <<duty, permit, exposed, begun, pushes, owner, other, asleep, guarded, seenBegun, seenPushes, seenFull>>

Leave ==
  /\ sentinel = "leaves"
  /\ duty' = "lingers"
  /\ sentinel' = IF Bug("NoLastLook") \/ Bug("LookBeforeOff") THEN "readsDuty" ELSE "looksAgain"
  /\ UNCHANGED <<permit, slot, queue, exposed, begun, pushes, owner, other, asleep, guarded, seenBegun, seenPushes, seenFull>>

(* Off duty, and yet needed: on duty again. *)
LookAgain ==
  /\ sentinel = "looksAgain"
  /\ IF Bug("LookBeforeOff")
       THEN sentinel' = (IF Needed THEN "rounds" ELSE "leaves") /\ duty' = duty
       ELSE sentinel' = "readsDuty" /\ duty' = IF Needed THEN "on" ELSE duty
  /\ UNCHANGED <<permit, slot, queue, exposed, begun, pushes, owner, other, asleep, guarded, seenBegun, seenPushes, seenFull>>

---------------------------------------------------------------------------------------------------
OwnerSteps == GuardSlot \/ PublishSlot \/ Publish \/ LeaveAsleep \/ GuardQueue
OtherSteps == Find \/ GuardFound \/ Register \/ ReadDuty \/ FinalCheck
SentinelSteps == ReadState \/ Unparked \/ EndLinger \/ GoOff \/ Round \/ PublishExposed \/ CallUp \/ Relieve \/ Leave \/ LookAgain

Next == PushSlot \/ PushQueue \/ NextTask \/ Join \/ OwnerGone \/ OtherEnds
        \/ OwnerSteps \/ OtherSteps \/ SentinelSteps

Spec == Init /\ [][Next]_vars

FairSpec == Spec /\ WF_vars(OwnerSteps) /\ WF_vars(OtherSteps) /\ WF_vars(OtherEnds) /\ WF_vars(SentinelSteps)

(* G1, G9: nothing waits behind workers that do not come back while the sentinel is parked for good. *)
NothingStrands ==
  (slot \/ queue > 0) /\ owner = "gone" /\ ((other = "parked" /\ asleep) \/ other = "gone")
    => permit \/ sentinel # "parked"

(* The same, as what must happen: the task is taken. *)
WhatWaitsIsTaken == (slot /\ owner = "gone") ~> ~slot
WhatIsQueuedIsTaken == (queue > 0 /\ owner = "gone") ~> queue = 0

(* G4: when nothing comes any more, the sentinel goes to rest. *)
RestsInTheEnd == <>[](~slot /\ queue = 0 /\ pushes = 0) => <>[](~OnDuty /\ sentinel = "parked")
=============================================================================
