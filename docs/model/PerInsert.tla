----------------------------- MODULE PerInsert ------------------------------
(* The other rule of wakes, WakeRule.ONE_PER_INSERT, after Julia: each task that is inserted wakes *)
(* a sleeper if there is one, whoever searches; nobody hands anything on; and what is moved from   *)
(* queue to queue is inserted again. In the other modules it is the switch OnePerInsert.           *)
EXTENDS Protocol

(* The race that the second look at the JEC decides needs two that fall asleep beside one that     *)
(* runs, and begins where they are about to register.                                              *)
InitAboutToRegister ==
  /\ pc = [p \in Processes |-> IF p = WorkerCount THEN "run"
                               ELSE IF p \in Workers THEN "register" ELSE "idle"]
  /\ reg = [p \in Processes |-> NoRegisters]
  /\ word = [q \in Pools |-> [jec |-> 0, inactive |-> WorkerCount - 1, sleeping |-> 0]]
  /\ latch = [w \in Workers |-> "AWAKE"]
  /\ permit = [w \in Workers |-> FALSE]
  /\ queue = [x \in Places |-> 0]
  /\ left = TaskLimit - 1
  /\ finished = 0
  /\ letter = [w \in Workers |-> FALSE]
  /\ lettersLeft = 0

AboutToRegister == InitAboutToRegister /\ [][Next]_vars
=============================================================================
