(** Statements of the counting paper and of elsewhere that fail at a rational point: the point, its
    hypotheses, and the failure, by computation. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify ring.
From provedp Require Import privacy optimum closed_form guarantees channels proposition.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** [counting.odd_numerator_is_positive_if_power_is_below_one] *)
Theorem odd_numerator_is_not_positive : exists q x c : rat,
  [/\ 0 < q < 1, 0 < x < 1, `|c| <= 1 & 1 + q - 2%:Q * x * c <= 0].
Proof. by exists (1%:Q / 2%:Q), (9%:Q / 10%:Q), 1; split; vm_compute. Qed.

(** [privacy.exponential_mechanism_needs_no_half]: weights k^s for scores that change by one *)
Theorem exponential_mechanism_needs_the_half : exists (k : rat) (w w' : 'I_10 -> rat) (t : 'I_10),
  [/\ 1 < k, forall s, 0 < w s /\ 0 < w' s,
      forall s, w' s <= k * w s /\ w s <= k * w' s &
      k * normalised w t < normalised w' t].
Proof.
pose up : 'I_10 -> rat := fun s => if s == ord0 then 2%:Q else 1%:Q / 2%:Q.
exists 2%:Q, (fun=> 1), up, ord0; split=> //.
- by move=> s; rewrite /up; case: eqP.
- by move=> s; rewrite /up; case: eqP; split; vm_compute.
by rewrite /normalised /up !big_ord_recl !big_ord0; vm_compute.
Qed.

(** [counting.prefix_before_the_diagonal_is_bounded_as_printed]: M = 3, k = 2, delta = 1/10, i = 2 *)
Theorem prefix_before_the_diagonal_is_not_bounded_as_printed :
  let P := @release _ 2 2%:Q (1%:Q / 10%:Q) in let one : 'I_3 := lift ord0 ord0 in
  P one ord0 < P ord0 ord0 + P ord0 one.
Proof. by rewrite /= /release /alpha !big_ord_recl !big_ord0; vm_compute. Qed.

(** [counting.release_is_invertible]: not without leakage, for any M >= 2 *)
Theorem release_is_not_invertible (R : realFieldType) (m : nat) (S : 'I_m.+2 -> 'I_m.+2 -> R) :
  ~ inverse (@release R m.+1 1 0) S.
Proof.
case=> PS _; pose one : 'I_m.+2 := lift ord0 ord0.
have uniform (a b : 'I_m.+2) : @release R m.+1 1 0 a b = m.+2%:R^-1.
  by rewrite /release subr0 alpha_at_one expr1n invr1 mul0r addr0 mulr1 mul1r.
have same : times (@release R m.+1 1 0) S ord0 ord0 = times (@release R m.+1 1 0) S one ord0.
  by rewrite /times; apply: eq_bigr => l _; rewrite !uniform.
by move: same; rewrite !PS eqxx => /eqP; rewrite oner_eq0.
Qed.

(** [counting.mixture_with_the_assignment_is_a_mechanism]: the share is 2, an entry is negative *)
Theorem mixture_with_the_assignment_is_no_mechanism : exists (Q C : 'I_2 -> 'I_2 -> rat) (b : rat),
  [/\ assignment_of T Q, change_of (@release _ 1 3%:Q 0) T Q C, least_ratio T C b &
      exists i j, b * Q i j + (1 - b) * @release _ 1 3%:Q 0 i j < 0].
Proof.
exists I2, C, 2%:Q; split.
- exists id; split=> // i l.
  by case: (ord2 i) => ->; case: (ord2 l) => ->; vm_compute.
- move=> i j; rewrite /times !big_ord_recl !big_ord0 !release_3; apply/eqP.
  by case: (ord2 i) => ->; case: (ord2 j) => ->; vm_compute.
- split; first by exists ord0, (lift ord0 ord0); split; [vm_compute | apply/eqP; vm_compute].
  by move=> i j; case: (ord2 i) => ->; case: (ord2 j) => ->; vm_compute.
by exists ord0, (lift ord0 ord0); rewrite release_3; vm_compute.
Qed.

(** [counting.third_share_is_defined]: C has no positive entry for the channel of one half *)
Definition half (i j : 'I_2) : rat := 1%:Q / 2%:Q.

Theorem third_share_is_not_defined :
  [/\ stochastic half, forall i j, 0 < half i j &
      forall Q C : 'I_2 -> 'I_2 -> rat, assignment_of half Q ->
        change_of (@release _ 1 2%:Q 0) half Q C -> forall i j, ~ 0 < C i j].
Proof.
have release_2 (i j : 'I_2) :
    @release _ 1 2%:Q 0 i j = if i == j then 2%:Q / 3%:Q else 1%:Q / 3%:Q.
  rewrite /release /alpha !big_ord_recl big_ord0.
  by case: (ord2 i) => ->; case: (ord2 j) => ->; vm_compute.
split=> //; first by move=> i; split=> //; rewrite !big_ord_recl big_ord0.
move=> Q C [s [hQ _]] change i j.
have zero l : times (@release _ 1 2%:Q 0) C l j = 0.
  rewrite change (assigned _ _ _ hQ) /times !big_ord_recl !big_ord0 !release_2.
  by apply/eqP; case: (ord2 l) => ->; vm_compute.
have := zero ord0; have := zero (lift ord0 ord0).
rewrite /times !big_ord_recl !big_ord0 !release_2 /= !addr0.
set a := C ord0 j; set b := C _ j => e1 e2.
have a0 : a = 0.
  have : 2%:Q * (2%:Q / 3%:Q * a + 1%:Q / 3%:Q * b) - (1%:Q / 3%:Q * a + 2%:Q / 3%:Q * b) = 0.
    by rewrite e1 e2 mulr0 subr0.
  by rewrite (_ : _ - _ = a) //; field.
have b0 : b = 0 by move: e1; rewrite a0 mulr0 add0r => /eqP; rewrite mulf_eq0 => /orP[] // /eqP.
by case: (ord2 i) => ->; rewrite -/a -/b ?a0 ?b0 ltxx.
Qed.

(** [counting.every_statement_is_for_an_invertible_channel]: the channel of one half has no inverse *)
Theorem singular_channel_is_not_invertible : stochastic half /\ forall S, ~ inverse half S.
Proof.
split=> [i|S [TS _]]; first by split=> //; rewrite !big_ord_recl big_ord0.
have same : times half S ord0 ord0 = times half S (lift ord0 ord0) ord0 by [].
by move: same; rewrite !TS.
Qed.

(** The channel with nine tenths on the diagonal, k = 2: [W] is P* T^-1. *)
Definition U (i j : 'I_2) : rat := if i == j then 9%:Q / 10%:Q else 1%:Q / 10%:Q.
Definition V (i j : 'I_2) : rat := if i == j then 9%:Q / 8%:Q else - (1%:Q / 8%:Q).

(** [a] is the least p*/(p* - w) over the entries with w < p*. *)
Definition least_quotient (m : nat) (P W : 'I_m.+1 -> 'I_m.+1 -> rat) (a : rat) : Prop :=
  (exists i j, W i j < P i j /\ a = P i j / (P i j - W i j)) /\
  (forall i j, W i j < P i j -> a <= P i j / (P i j - W i j)).

Lemma release_two (i j : 'I_2) :
  @release _ 1 2%:Q 0 i j = if i == j then 2%:Q / 3%:Q else 1%:Q / 3%:Q.
Proof.
rewrite /release /alpha !big_ord_recl big_ord0.
by case: (ord2 i) => ->; case: (ord2 j) => ->; vm_compute.
Qed.

Lemma U_stochastic : stochastic U.
Proof.
move=> i; split=> [j|]; first by case: (ord2 i) => ->; case: (ord2 j) => ->; vm_compute.
by rewrite !big_ord_recl big_ord0; apply/eqP; case: (ord2 i) => ->; vm_compute.
Qed.

Lemma V_inverts_U : inverse U V.
Proof.
by split=> i j; apply/eqP; rewrite /times !big_ord_recl big_ord0;
   case: (ord2 i) => ->; case: (ord2 j) => ->; vm_compute.
Qed.

Lemma undone (i j : 'I_2) :
  times (@release _ 1 2%:Q 0) V i j = if i == j then 17%:Q / 24%:Q else 7%:Q / 24%:Q.
Proof.
rewrite /times !big_ord_recl big_ord0 !release_two; apply/eqP.
by case: (ord2 i) => ->; case: (ord2 j) => ->; vm_compute.
Qed.

Lemma quotient_is_eight : least_quotient (@release _ 1 2%:Q 0) (times (@release _ 1 2%:Q 0) V) 8%:Q.
Proof.
split.
  by exists ord0, (lift ord0 ord0); rewrite undone release_two; split; [vm_compute | apply/eqP; vm_compute].
by move=> i j; rewrite undone release_two; case: (ord2 i) => ->; case: (ord2 j) => ->; vm_compute.
Qed.

(** [counting.two_forms_of_the_mixing_weight_agree]: the quotient exceeds one *)
Theorem quotient_exceeds_one : exists a, stochastic U /\ inverse U V /\ 1 < a /\
  least_quotient (@release _ 1 2%:Q 0) (times (@release _ 1 2%:Q 0) V) a.
Proof.
exists 8%:Q; split; first exact: U_stochastic.
by split; [exact: V_inverts_U | split; last exact: quotient_is_eight].
Qed.

(** [counting.first_upper_bound_holds_with_the_printed_quotient]: [u] is u_1 with that quotient, and
    every release that is allowed errs more *)
Theorem first_upper_bound_fails : exists a u,
  [/\ stochastic U, inverse U V,
      least_quotient (@release _ 1 2%:Q 0) (times (@release _ 1 2%:Q 0) V) a,
      exists i, u = 1 - times (mixture a (times (@release _ 1 2%:Q 0) V) (@release _ 1 2%:Q 0)) U i i &
      forall P e, allowed 2%:Q 0 U P -> errs_at_most (times P U) e -> u < e].
Proof.
exists 8%:Q, (1%:Q / 10%:Q); split.
- exact: U_stochastic.
- exact: V_inverts_U.
- exact: quotient_is_eight.
- have step (A : 'I_2 -> 'I_2 -> rat) : times A U ord0 ord0 =
      A ord0 ord0 * (9%:Q / 10%:Q) + A ord0 (lift ord0 ord0) * (1%:Q / 10%:Q).
    by rewrite /times !big_ord_recl big_ord0 addr0.
  exists ord0; rewrite times_mixture !step !undone !release_two; apply/eqP.
  by vm_compute.
move=> P e hP errs.
have one : 1 <= 2%:Q :> rat by [].
have in01 : 0 <= (0 : rat) < 1 by [].
have := no_channel_helps one in01 U_stochastic hP errs; apply: lt_le_trans.
by rewrite /error /alpha !big_ord_recl big_ord0; vm_compute.
Qed.

(** [counting.larger_diagonal_costs_an_end]: a private release with a larger entry on the diagonal,
    and both ends at least as large *)
Definition larger (i j : 'I_3) : rat :=
  nth 0 (nth [::] [:: [:: 3%:Q / 5%:Q; 1%:Q / 5%:Q; 1%:Q / 5%:Q];
                      [:: 3%:Q / 10%:Q; 2%:Q / 5%:Q; 3%:Q / 10%:Q];
                      [:: 1%:Q / 5%:Q; 1%:Q / 5%:Q; 3%:Q / 5%:Q]] i) j.

Lemma ord3 (i : 'I_3) :
  [\/ i = ord0, i = lift ord0 ord0 | i = lift ord0 (lift ord0 ord0)].
Proof.
case: i => [[|[|[|n]]] h] //; [apply: Or31 | apply: Or32 | apply: Or33]; exact: val_inj.
Qed.

Theorem larger_diagonal_costs_no_end :
  let g := 1 - error 2 2%:Q 0 in
  [/\ stochastic larger, private 2%:Q 0 larger, exists i, g < larger i i &
      g <= larger ord0 ord0 /\ g <= larger (lift ord0 (lift ord0 ord0)) (lift ord0 (lift ord0 ord0))].
Proof.
have e : 1 - error 2 (2%:Q : rat) 0 = 1%:Q / 2%:Q.
  by apply/eqP; rewrite /error /alpha !big_ord_recl big_ord0; vm_compute.
rewrite /= e; split.
- move=> i; split=> [j|]; first by case: (ord3 i) => ->; case: (ord3 j) => ->; vm_compute.
  by rewrite !big_ord_recl big_ord0; apply/eqP; case: (ord3 i) => ->; vm_compute.
- move=> i i' near; apply: close_of_entries => j; move: near.
  by case: (ord3 i) => ->; case: (ord3 i') => ->; case: (ord3 j) => ->; vm_compute.
- by exists ord0; vm_compute.
by split; vm_compute.
Qed.

(** [counting.unit_row_sums_of_the_inverse_suffice]: a channel with T^-1 1 = 1 that costs something
    without leakage *)
Definition slanted (i j : 'I_3) : rat :=
  nth 0 (nth [::] [:: [:: 1%:Q / 2%:Q; 2%:Q / 5%:Q; 1%:Q / 10%:Q];
                      [:: 3%:Q / 10%:Q; 1%:Q / 5%:Q; 1%:Q / 2%:Q];
                      [:: 1%:Q / 5%:Q; 1%:Q / 5%:Q; 3%:Q / 5%:Q]] i) j.
Definition slanted_inverse (i j : 'I_3) : rat :=
  nth 0 (nth [::] [:: [:: - 1%:Q; 11%:Q; - 9%:Q]; [:: 4%:Q; - 14%:Q; 11%:Q];
                      [:: - 1%:Q; 1%:Q; 1%:Q]] i) j.

Theorem unit_row_sums_of_the_inverse_do_not_suffice :
  [/\ stochastic slanted, inverse slanted slanted_inverse,
      forall i, \sum_j slanted_inverse i j = 1 &
      forall P e, allowed 1 0 slanted P -> errs_at_most (times P slanted) e -> error 2 1 0 < e].
Proof.
have law_of : stochastic slanted.
  move=> i; split=> [j|]; first by case: (ord3 i) => ->; case: (ord3 j) => ->; vm_compute.
  by rewrite !big_ord_recl big_ord0; apply/eqP; case: (ord3 i) => ->; vm_compute.
have inv : inverse slanted slanted_inverse.
  by split=> i j; apply/eqP; rewrite /times !big_ord_recl big_ord0;
     case: (ord3 i) => ->; case: (ord3 j) => ->; vm_compute.
split=> // [i|P e hP errs].
  by rewrite !big_ord_recl big_ord0; apply/eqP; case: (ord3 i) => ->; vm_compute.
apply: (one_outside_the_cone_costs (j := lift ord0 ord0) law_of inv _ hP errs).
by rewrite !big_ord_recl big_ord0; vm_compute.
Qed.
