(** Theorem 2, statement 5: for a circulant channel and delta = 0, no loss means that the channel is
    undone. Counts are added around the circle. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify ring.
From provedp Require Import privacy optimum closed_form guarantees channels structure.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Circulants.
Variable R : realFieldType.
Variable m : nat.
Notation M := m.+1.
Notation matrix := ('I_M -> 'I_M -> R).

Definition circulant (A : matrix) : Prop := forall i j c : 'I_M, A (i + c) (j + c) = A i j.

Lemma distance_of_difference (i l : 'I_M) :
  cyclic_distance m i l = cyclic_distance m 0 ((l - i)%R : 'I_M).
Proof.
have e : l = i + (l - i) by rewrite addrC subrK.
by rewrite -(@distance_of_rotation m i ((l - i)%R : 'I_M)) // {1}e.
Qed.

Lemma release_is_circulant (k delta : R) : circulant (@release R m k delta).
Proof.
move=> i j c; rewrite /release (inj_eq (addIr c)) distance_of_difference.
by rewrite [in RHS]distance_of_difference opprD addrACA subrr addr0.
Qed.

Lemma product_is_circulant (A B : matrix) : circulant A -> circulant B -> circulant (times A B).
Proof.
move=> hA hB i j c; rewrite /times (reindex_inj (addIr c)) /=.
by apply: eq_bigr => l _; rewrite hA hB.
Qed.

Lemma inverse_is_circulant (T S : matrix) : circulant T -> inverse T S -> circulant S.
Proof.
move=> hT [TS ST] i j c; pose S' : matrix := fun i j => S (i + c) (j + c).
have TS' a b : times T S' a b = (a == b)%:R.
  rewrite -(inj_eq (addIr c)) -TS /times [in RHS](reindex_inj (addIr c)) /=.
  by apply: eq_bigr => l _; rewrite hT.
by rewrite -[LHS]/(S' i j) -(unit_times S' i j ST) -timesA times_unit.
Qed.

(** [counting.circulant_channel_costs_nothing_iff_undone_at_every_size] *)
Theorem circulant_channel_costs_nothing_iff_undone (k : R) (T S : matrix) :
  1 <= k -> stochastic T -> circulant T -> inverse T S ->
  (exists P, allowed k 0 T P /\ errs_at_most (times P T) (error m k 0)) <->
  (forall i j, 0 <= times (@release R m k 0) S i j).
Proof.
have in01 : 0 <= (0 : R) < 1 by rewrite lexx ltr01.
move=> k1 hT circ inv; split=> [[P [[hP priv] errs]] i j | undone]; last first.
  by exists (times (@release R m k 0) S); exact: undone_channel_costs_nothing.
have opt : optimal k 0 (times P T) by split=> //; exact: stochastic_times.
have row l : times (@release R m k 0) S (middle m) l = P (middle m) l.
  have [TS _] := inv; rewrite -(times_unit P (middle m) l TS) timesA /times.
  by apply: eq_bigr => a _; rewrite -/(times P T _ _) (middle_row_is_shared k1 in01 erefl a opt).
have W_circulant := product_is_circulant (@release_is_circulant k 0) (inverse_is_circulant circ inv).
rewrite -(W_circulant i j (middle m - i)) addrC subrK row.
by case: (hP (middle m)).
Qed.

End Circulants.
