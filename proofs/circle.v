(** Going around the circle of M = m + 1 counts: neighbours, and what a step does to distances. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify.
From provedp Require Import optimum.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Circle.
Variable m : nat.
Notation M := m.+1.
Notation dist := (cyclic_distance m).

Lemma distance_is_symmetric i j : dist i j = dist j i.
Proof. by rewrite /cyclic_distance addnC. Qed.

Definition next (i : 'I_M) : 'I_M := inord (if (i < m)%N then i.+1 else 0%N).
Definition last (i : 'I_M) : 'I_M := inord (if (0 < i)%N then i.-1 else m).

Lemma next_val (i : 'I_M) : next i = (if (i < m)%N then i.+1 else 0)%N :> nat.
Proof. by rewrite /next inordK //; case: (ltnP i m). Qed.

Lemma last_val (i : 'I_M) : last i = (if (0 < i)%N then i.-1 else m)%N :> nat.
Proof. by rewrite /last inordK //; move: (ltn_ord i); case: (ltnP 0 i) => //; lia. Qed.

(** The way around the circle from [i] to [j], forwards, and its shorter side. *)
Definition forwards (i j : nat) : nat := if (i <= j)%N then (j - i)%N else (j + M - i)%N.
Definition shorter (g : nat) : nat := minn g (M - g).

Lemma distance_is_shorter (i j : nat) : (i < M)%N -> (j < M)%N -> dist i j = shorter (forwards i j).
Proof.
rewrite /cyclic_distance /shorter /forwards => iM jM; case: leqP => ij.
  by rewrite (eqP ij) add0n.
have [e1 e2] : (i - j + (j - i) = i - j)%N /\ (j + M - i = M - (i - j))%N by lia.
by rewrite e1 e2 minnC subKn //; lia.
Qed.

Lemma forwards_of_next (i j : 'I_M) : i != j :> nat -> forwards (next i) j = (forwards i j).-1.
Proof.
rewrite /forwards next_val; move: (ltn_ord i) (ltn_ord j) => iM jM ij.
case: (ltnP i m) => im; last by rewrite leq0n; case: (leqP i j); lia.
by case: (leqP i j); case: (leqP i.+1 j); lia.
Qed.

Lemma forwards_of_last (i j : 'I_M) : i != j :> nat ->
  shorter (forwards (last i) j) = shorter (forwards i j).+1.
Proof.
have around : shorter M = shorter 0 by rewrite /shorter subnn minn0 min0n.
rewrite /forwards last_val; move: (ltn_ord i) (ltn_ord j) => iM jM ij.
case: (ltnP 0 i) => i0; last first.
  have -> : i = 0%N :> nat by lia.
  rewrite leq0n subn0; case: (leqP m j) => mj; last by congr shorter; lia.
  have -> : j = m :> nat by lia.
  by rewrite subnn around.
case: (leqP i j) => ji.
  by rewrite (leq_trans (leq_pred i) ji); congr shorter; lia.
case: (leqP i.-1 j) => lj; last by congr shorter; lia.
by rewrite (_ : (j - i.-1 = 0)%N) -?around; [congr shorter | ]; lia.
Qed.

Lemma forwards_inside (i j : 'I_M) : i != j :> nat -> (0 < forwards i j < M)%N.
Proof. by rewrite /forwards; move: (ltn_ord i) (ltn_ord j); case: (leqP i j); lia. Qed.

(** One neighbour of [i] is nearer to [j], and none is more than a step farther. *)
Lemma distances_of_neighbours (i j : 'I_M) : i != j ->
  exists a b, [/\ (dist i j = a.+1)%N, (b <= a.+2)%N &
    (dist (next i) j = a /\ dist (last i) j = b) \/ (dist (next i) j = b /\ dist (last i) j = a)].
Proof.
rewrite -val_eqE /= => ij; rewrite !distance_is_shorter //.
rewrite forwards_of_last // forwards_of_next //; have := forwards_inside ij.
move: (forwards i j) => g /andP[g0 gM].
have [near|near] : (g <= M - g)%N \/ (M - g <= g)%N by apply/orP; exact: leq_total.
  by exists g.-1, (shorter g.+1); rewrite /shorter; split; [ | | left; split]; lia.
by exists (shorter g.+1), (shorter g.-1); rewrite /shorter; split; [ | | right; split]; lia.
Qed.

End Circle.
