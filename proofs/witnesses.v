(** More statements that fail at a rational point: optimality for every prior, and small ones. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify ring.
From provedp Require Import privacy optimum guarantees peers.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Remaps.
Variable R : realFieldType.

Lemma ratr_div (x y : rat) : ratr (x / y)%R = ratr x / ratr y :> R.
Proof. by rewrite -[RHS]fmorph_div. Qed.

(** A matrix of rationals. *)
Definition of_rows (n : nat) (rows : seq (seq rat)) (i j : 'I_n) : R :=
  ratr (nth 0 (nth [::] rows i) j)%R.
Definition of_row (n : nat) (row : seq rat) (i : 'I_n) : R := ratr (nth 0 row i)%R.

(** The chance of a right guess, for a prior, after the kernel K. *)
Definition right_guess (T : finType) (prior : T -> R) (P K : T -> T -> R) : R :=
  \sum_i prior i * \sum_j P i j * K j i.

Lemma remaps_gain_at_most (T : finType) (prior : T -> R) (P K : T -> T -> R) (W : T -> R) :
  (forall j, law (K j)) -> (forall i j, prior i * P i j <= W j) ->
  right_guess prior P K <= \sum_j W j.
Proof.
move=> hK hW; rewrite /right_guess.
rewrite (eq_bigr (fun i => \sum_j prior i * P i j * K j i)); last first.
  by move=> i _; rewrite mulr_sumr; apply: eq_bigr => j _; rewrite mulrA.
rewrite exchange_big /=; apply: ler_sum => j _.
rewrite -[X in _ <= X]mulr1 -(proj2 (hK j)) mulr_sumr; apply: ler_sum => i _.
by rewrite ler_wpmul2r //; case: (hK j).
Qed.

Lemma of_row_law (n : nat) (row : seq rat) :
  all (fun i => 0 <= nth 0 row i) (iota 0 n) -> \sum_(i < n) nth 0 row i = 1 -> law (@of_row n row).
Proof.
move=> /allP low whole; split=> [i|].
  by rewrite /of_row ler0q low // mem_iota /= add0n.
by rewrite /of_row -rmorph_sum whole rmorph1.
Qed.

(** All pairs at once, so that one computation decides them. *)
Lemma by_computation (n : nat) (b : nat -> nat -> bool) :
  all (fun i => all (b i) (iota 0 n)) (iota 0 n) -> forall i j : 'I_n, b i j.
Proof.
move=> /allP h i j; have inside (l : 'I_n) : (l : nat) \in iota 0 n by rewrite mem_iota /= add0n.
by have /allP := h i (inside i); apply.
Qed.

Definition entry (rows : seq (seq rat)) (i j : nat) : rat := nth 0 (nth [::] rows i) j.

Lemma of_rows_close (n k : nat) (rows : seq (seq rat)) (near : nat -> nat -> bool) :
  all (fun i => all (fun i' => near i i' ==>
      all (fun j => entry rows i j <= k%:R * entry rows i' j) (iota 0 n)) (iota 0 n)) (iota 0 n) ->
  forall i i' : 'I_n, near i i' -> close k%:R 0 (@of_rows n rows i) (@of_rows n rows i').
Proof.
move=> /by_computation h i i' /(implyP (h i i')) /allP near_rows.
apply: close_of_entries => j; rewrite /of_rows -(ratr_nat R k) -rmorphM /= ler_rat.
by apply: near_rows; rewrite mem_iota /= add0n.
Qed.

(** A value that every guess after a kernel stays below. *)
Lemma remaps_gain_at_most_rationals (n : nat) (row bounds : seq rat) (rows : seq (seq rat)) (v : rat)
    (P : 'I_n -> 'I_n -> R) (K : 'I_n -> 'I_n -> R) :
  (forall i j, P i j = ratr (entry rows i j)) -> (forall j, law (K j)) ->
  all (fun i => all (fun j => nth 0 row i * entry rows i j <= nth 0 bounds j) (iota 0 n)) (iota 0 n) ->
  \sum_(j < n) nth 0 bounds j = 1 - v -> ratr v <= 1 - right_guess (of_row row) P K.
Proof.
move=> hP hK /by_computation low whole; rewrite ler_subr_addl -ler_subr_addr.
apply: le_trans (remaps_gain_at_most (W := @of_row n bounds) hK _) _.
  by move=> i j; rewrite /of_row hP -rmorphM ler_rat low.
by rewrite /of_row -rmorph_sum whole rmorphB rmorph1.
Qed.

Lemma wrong_guess (n : nat) (row : seq rat) (rows : seq (seq rat)) :
  \sum_i @of_row n row i * (1 - @of_rows n rows i i) =
  ratr (\sum_(i < n) nth 0 row i * (1 - entry rows i i)).
Proof.
rewrite rmorph_sum; apply: eq_bigr => i _.
by rewrite rmorphM rmorphB rmorph1.
Qed.

(** [counting.universally_optimal_release_exists_on_triangle]: three values, all neighbours; for the
    prior (1/2, 1/2, 0) randomised response errs with 3/8 at least, another release with 1/3. *)
Theorem no_universally_optimal_release_on_the_triangle :
  exists (prior : 'I_3 -> R) (P : 'I_3 -> 'I_3 -> R),
    [/\ law prior, forall i, law (P i), forall i i', close 2%:R 0 (P i) (P i'),
        \sum_i prior i * (1 - P i i) = ratr (1%:Q / 3%:Q)%R &
        forall K, (forall j, law (K j)) ->
          ratr (3%:Q / 8%:Q)%R <= 1 - right_guess prior (response 2%:R) K].
Proof.
pose rows := [:: [:: 2%:Q / 3%:Q; 1%:Q / 3%:Q; 0]; [:: 1%:Q / 3%:Q; 2%:Q / 3%:Q; 0];
                 [:: 1%:Q / 2%:Q; 1%:Q / 2%:Q; 0]].
pose same := [:: [:: 2%:Q / 4%:Q; 1%:Q / 4%:Q; 1%:Q / 4%:Q]; [:: 1%:Q / 4%:Q; 2%:Q / 4%:Q; 1%:Q / 4%:Q];
                 [:: 1%:Q / 4%:Q; 1%:Q / 4%:Q; 2%:Q / 4%:Q]].
exists (of_row [:: 1%:Q / 2%:Q; 1%:Q / 2%:Q; 0]), (of_rows rows); split.
- by apply: of_row_law; rewrite ?big_ord_recl ?big_ord0; [vm_compute | apply/eqP; vm_compute].
- move=> i; apply: (@of_row_law 3 (nth [::] rows i)).
    by case: i => [[|[|[|//]]] ?]; vm_compute.
  by rewrite !big_ord_recl big_ord0; case: i => [[|[|[|//]]] ?]; apply/eqP; vm_compute.
- by move=> i i'; apply: (@of_rows_close 3 2 rows (fun _ _ => true)); first by vm_compute.
- rewrite wrong_guess !big_ord_recl big_ord0; congr (ratr _); apply/eqP; by vm_compute.
move=> K hK; apply: (@remaps_gain_at_most_rationals 3 _ [:: 1%:Q / 4%:Q; 1%:Q / 4%:Q; 1%:Q / 8%:Q] same).
- move=> i j; have -> : entry same i j = (if i == j then 2%:R else 1) / (2%:R + 2%:R).
    by case: i => [[|[|[|//]]] ?]; case: j => [[|[|[|//]]] ?]; apply/eqP; vm_compute.
  by rewrite /response ratr_div rmorphD /= !ratr_nat; case: eqP => _; rewrite ?ratr_nat ?rmorph1.
- exact: hK.
- by vm_compute.
by rewrite !big_ord_recl big_ord0; apply/eqP; vm_compute.
Qed.

(** [counting.universally_optimal_release_exists_on_square]: two yes/no counts, 0 = (0, 0) to
    3 = (1, 1); for the prior 1/2 on 0 and on 3 the product of randomised responses errs with 1/3 at
    least, another release with 1/4. *)
Definition one_bit_apart (i j : nat) : bool :=
  ((i %/ 2 != j %/ 2) + (i %% 2 != j %% 2) == 1)%N.

Definition two_responses (k : R) (i j : 'I_4) : R :=
  (if (i %/ 2 == j %/ 2)%N then k else 1) / (k + 1) *
  ((if (i %% 2 == j %% 2)%N then k else 1) / (k + 1)).

Theorem no_universally_optimal_release_on_the_square :
  exists (prior : 'I_4 -> R) (P : 'I_4 -> 'I_4 -> R),
    [/\ law prior, forall i, law (P i), forall i i' : 'I_4, one_bit_apart i i' -> close 2%:R 0 (P i) (P i'),
        \sum_i prior i * (1 - P i i) = ratr (1%:Q / 4%:Q)%R &
        forall K, (forall j, law (K j)) ->
          ratr (1%:Q / 3%:Q)%R <= 1 - right_guess prior (two_responses 2%:R) K].
Proof.
pose half := 1%:Q / 2%:Q; pose q := 1%:Q / 4%:Q; pose t := 3%:Q / 4%:Q.
pose rows := [:: [:: t; 0; 0; q]; [:: half; 0; 0; half]; [:: half; 0; 0; half]; [:: q; 0; 0; t]].
pose a := 4%:Q / 9%:Q; pose b := 2%:Q / 9%:Q; pose c := 1%:Q / 9%:Q.
pose same := [:: [:: a; b; b; c]; [:: b; a; c; b]; [:: b; c; a; b]; [:: c; b; b; a]].
exists (of_row [:: half; 0; 0; half]), (of_rows rows); split.
- by apply: of_row_law; rewrite ?big_ord_recl ?big_ord0; [vm_compute | apply/eqP; vm_compute].
- move=> i; apply: (@of_row_law 4 (nth [::] rows i)).
    by case: i => [[|[|[|[|//]]]] ?]; vm_compute.
  by rewrite !big_ord_recl big_ord0; case: i => [[|[|[|[|//]]]] ?]; apply/eqP; vm_compute.
- by apply: of_rows_close; vm_compute.
- rewrite wrong_guess !big_ord_recl big_ord0; congr (ratr _); apply/eqP; by vm_compute.
move=> K hK; apply: (@remaps_gain_at_most_rationals 4 _ [:: b; c; c; b] same).
- move=> i j; have -> : entry same i j = (if (i %/ 2 == j %/ 2)%N then 2%:R else 1) / (2%:R + 1) *
      ((if (i %% 2 == j %% 2)%N then 2%:R else 1) / (2%:R + 1)).
    by case: i => [[|[|[|[|//]]]] ?]; case: j => [[|[|[|[|//]]]] ?]; apply/eqP; vm_compute.
  have two : ratr 2%:R = 2%:R :> R := ratr_nat R 2.
  rewrite /two_responses rmorphM /= !ratr_div !rmorphD /= !rmorph1.
  by congr (_ * _); case: ifP => _; rewrite ?two ?rmorph1.
- exact: hK.
- by vm_compute.
by rewrite !big_ord_recl big_ord0; apply/eqP; vm_compute.
Qed.

End Remaps.

(** [counting.clamped_geometric_is_optimal_without_remap]: the mean absolute error for three counts at
    k = 2, as it is and after a kernel *)
Definition off (n : nat) (P : 'I_n -> 'I_n -> rat) (i : 'I_n) : rat :=
  \sum_j P i j * ((i - j) + (j - i))%:R.

Theorem clamped_geometric_is_not_optimal : exists K : 'I_3 -> 'I_3 -> rat,
  [/\ forall j, law (K j), exists i, off (@geometric _ 2 2%:R) i = 2%:Q / 3%:Q &
      forall i, off (fun i => push K (@geometric _ 2 2%:R i)) i <= 4%:Q / 7%:Q].
Proof.
pose s := 1%:Q / 7%:Q.
pose rows := [:: [:: 1 - s; s; 0]; [:: 0; 1; 0]; [:: 0; s; 1 - s]].
exists (fun i j => nth 0 (nth [::] rows i) j); split.
- move=> j; split=> [i|].
    by case: i => [[|[|[|//]]] ?]; case: j => [[|[|[|//]]] ?]; vm_compute.
  by rewrite !big_ord_recl big_ord0; case: j => [[|[|[|//]]] ?]; apply/eqP; vm_compute.
- by exists (lift ord0 ord0); rewrite /off !big_ord_recl big_ord0; apply/eqP; vm_compute.
move=> i; rewrite /off /push !big_ord_recl !big_ord0.
by case: i => [[|[|[|//]]] ?]; vm_compute.
Qed.

(** [counting.indicator_defines_an_assignment]: two rows may hold the largest entry of a column *)
Theorem indicator_defines_no_assignment : exists T : 'I_2 -> 'I_2 -> rat,
  [/\ stochastic T & forall j, #|[set i | [forall l, T l j <= T i j]]| = 2%N].
Proof.
exists (fun _ _ => 1%:Q / 2%:Q); split=> [i|j].
  by split=> [j|]; [vm_compute | rewrite !big_ord_recl big_ord0; apply/eqP; vm_compute].
rewrite -[RHS](card_ord 2) -cardsT; congr (#|pred_of_set _|); apply/setP => i; rewrite !inE.
by apply/forallP.
Qed.

(** [modes.merged_point_keeps_the_error_of_its_parts]: two endpoints, each off by 0 or 1 with even
    odds; of the two, the one that is farther off *)
Theorem merged_point_loses_the_error_of_its_parts :
  let off (b : bool) : rat := b%:R in
  (\sum_b off b ^+ 2) / 2%:Q = 1%:Q / 2%:Q /\
  (\sum_b \sum_c Num.max (off b ^+ 2) (off c ^+ 2)) / 4%:Q = 3%:Q / 4%:Q /\
  1%:Q / 2%:Q < 3%:Q / 4%:Q :> rat.
Proof.
by move=> off; rewrite !big_bool; split; [|split]; first [apply/eqP; vm_compute | vm_compute].
Qed.

(** [mixture.clipping_as_printed_leaves_small_records_alone]: norm 1/2 and radius 1 *)
Theorem clipping_as_printed_moves_small_records : exists norm radius : rat,
  [/\ 0 < norm, norm <= radius & norm * (radius / norm) != norm].
Proof. by exists (1%:Q / 2%:Q), 1; split; vm_compute. Qed.

(** [mixture.grids_of_consecutive_sizes_are_disjoint],
    [mixture.removing_one_record_needs_minor_changes_only]: a share a/N of some but not all of N
    records is no share b/(N − 1) *)
Theorem grids_of_consecutive_sizes_are_disjoint (N a b : nat) :
  (2 <= N)%N -> (0 < a < N)%N -> a%:Q / N%:Q <> b%:Q / (N.-1)%:Q.
Proof.
move=> N2 /andP[a0 aN] e.
have N0 : N%:Q != 0 by rewrite intr_eq0; lia.
have M0 : N.-1%:Q != 0 by rewrite intr_eq0; lia.
have : a%:Q * N.-1%:Q = b%:Q * N%:Q by apply/eqP; rewrite -eqr_div //; apply/eqP.
rewrite -!intrM => /intr_inj h; have {h} : (a * N.-1 = b * N)%N by lia.
case: N N2 aN {e N0 M0} => // n n1 an; rewrite /= => h.
have : (a * n.+1 = b * n.+1 + a)%N by rewrite -h mulnS addnC.
by have [ab|ba] := leqP a b; nia.
Qed.
