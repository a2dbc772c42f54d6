(** Four counts without delta: full rank, and the radius; channels that are singular cost something
    wherever optimal releases have full rank (Theorem 2, statement 6). *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify ring.
From provedp Require Import privacy optimum closed_form guarantees structure families.
From provedp Require channels three.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Four.
Variable R : realFieldType.
Variable k : R.
Notation c0 := (inord 0 : 'I_4).
Notation c1 := (inord 1 : 'I_4).
Notation c2 := (inord 2 : 'I_4).
Notation c3 := (inord 3 : 'I_4).
Notation matrix := ('I_4 -> 'I_4 -> R).

(** Two equations in which the own coefficient exceeds the other have no solution but zero. *)
Lemma two_equations (A A' B B' a b : R) : `|B| < A -> `|B'| < A' ->
  A * a = B * b -> A' * b = B' * a -> a = 0 /\ b = 0.
Proof.
move=> hA hA' e e'; have A0 := le_lt_trans (normr_ge0 _) hA.
have A0' := le_lt_trans (normr_ge0 _) hA'.
have n : A * `|a| = `|B| * `|b| by rewrite -[A]ger0_norm ?ltW // -!normrM e.
have n' : A' * `|b| = `|B'| * `|a| by rewrite -[A']ger0_norm ?ltW // -!normrM e'.
have [ab|/ltW ba] := leP `|a| `|b|.
  have : `|b| = 0.
    apply/eqP; rewrite -normr_le0 normr_id leNgt; apply/negP => b0.
    have := ler_lt_add (lexx 0) hA'; have : A' * `|b| <= `|B'| * `|b| by rewrite n' ler_wpmul2l.
    by rewrite ler_pmul2r // leNgt hA'.
  move=> b0; have a0 : `|a| = 0 by apply: eq_by; rewrite // -b0.
  by split; apply/eqP; rewrite -normr_eq0 ?a0 ?b0.
have : `|a| = 0.
  apply/eqP; rewrite -normr_le0 normr_id leNgt; apply/negP => a0.
  have : A * `|a| <= `|B| * `|a| by rewrite n ler_wpmul2l.
  by rewrite ler_pmul2r // leNgt hA.
move=> a0; have b0 : `|b| = 0 by apply: eq_by; rewrite // -a0.
by split; apply/eqP; rewrite -normr_eq0 ?a0 ?b0.
Qed.

Lemma free_dominates (x1 x2 x3 : R) : 1 < k -> free k x1 x2 x3 -> `|x2 - k * x3| < k ^+ 3 - x1.
Proof.
move=> k1 [t _ /andP[b2 _] /andP[b3 c3']]; have k0 : 0 < k := lt_trans ltr01 k1.
have -> : x1 = k + k + 1 - x2 - x3 by rewrite -t; ring.
have kx : 1 <= k * x3 by rewrite -ler_pdivr_mull // mulr1.
have p : 0 < k - 1 by rewrite subr_gt0.
rewrite ltr_norml; apply/andP; split.
  apply: (@lt_by _ ((1 + 1) * (x2 - 1) + (k - 1) * (k - x3) + (k - 1) ^+ 2 * (k + 1))); first by ring.
  apply: ltr_paddl; last by apply: mulr_gt0; [exact: exprn_gt0 | rewrite addr_gt0 ?ltr01].
  have two : 0 <= 1 + 1 :> R by rewrite addr_ge0 ?ler01.
  by apply: addr_ge0; apply: mulr_ge0; rewrite ?subr_ge0 // ltW.
apply: (@lt_by _ ((k * x3 - 1) * (1 + k^-1) + (k ^+ 2 - 1) ^+ 2 / k)).
  by field; rewrite gt_eqF.
apply: ltr_paddl; last by rewrite divr_gt0 ?exprn_gt0 // subr_gt0 exprn_egt1.
by apply: mulr_ge0; rewrite ?subr_ge0 // addr_ge0 ?ler01 // invr_ge0 ltW.
Qed.

(** [counting.optima_for_four_counts_have_full_rank]: nothing but zero is mapped to zero *)
Theorem optima_for_four_counts_have_full_rank (P : matrix) (x : 'I_4 -> R) :
  1 < k -> optimal k 0 P -> (forall i, \sum_j P i j * x j = 0) -> forall i, x i = 0.
Proof.
move=> k1 /(optima_for_four_counts_are_the_family (ltW k1)) [row1 row2 [x1 [x2 [x3 [hx row0]]]]].
move=> [y1 [y2 [y3 [hy row3]]]] zero; have k0 : 0 < k := lt_trans ltr01 k1.
have D0 : (k + 1) ^+ 2 != 0 by rewrite expf_neq0 // gt_eqF // addr_gt0 ?ltr01.
have clear (a b c d : R) i : (forall j, P i j = nth 0 [:: a; b; c; d] j / (k + 1) ^+ 2) ->
    a * x c0 + b * x c1 + c * x c2 + d * x c3 = 0.
  move=> row; have := zero i; rewrite sum_of_four !row !inordK //= => /(congr1 (fun z => (k + 1) ^+ 2 * z)).
  by rewrite mulr0 => <-; field; rewrite gt_eqF // addr_gt0 ?ltr01.
have e1 : k * x c0 + k ^+ 2 * x c1 + k * x c2 + 1 * x c3 = 0.
  by apply: (clear _ _ _ _ c1) => j; rewrite row1 (star_second (ltW k1)).
have e2 : 1 * x c0 + k * x c1 + k ^+ 2 * x c2 + k * x c3 = 0.
  apply: (clear _ _ _ _ c2) => j; rewrite row2 (star_of_four (ltW k1)).
  by case: (four_cases j) => ->; rewrite /cyclic_distance !inordK //= ?expr1 ?expr0.
have e0 := clear _ _ _ _ c0 row0; have e3 := clear _ _ _ _ c3 row3.
have q : k ^+ 2 - 1 != 0 by rewrite gt_eqF // subr_gt0 exprn_egt1.
have z0 : x c0 = - k * x c1.
  apply: (mulfI q); apply/eqP; rewrite -subr_eq0; apply/eqP.
  transitivity (k * (k * x c0 + k ^+ 2 * x c1 + k * x c2 + 1 * x c3) -
                (1 * x c0 + k * x c1 + k ^+ 2 * x c2 + k * x c3)); first by ring.
  by rewrite e1 e2 mulr0 subr0.
have z3 : x c3 = - k * x c2.
  apply: (mulfI q); apply/eqP; rewrite -subr_eq0; apply/eqP.
  transitivity (k * (1 * x c0 + k * x c1 + k ^+ 2 * x c2 + k * x c3) -
                (k * x c0 + k ^+ 2 * x c1 + k * x c2 + 1 * x c3)); first by ring.
  by rewrite e1 e2 mulr0 subr0.
rewrite z0 z3 in e0 e3.
have f0 : (k ^+ 3 - x1) * x c1 = (x2 - k * x3) * x c2.
  apply/eqP; rewrite -subr_eq0; apply/eqP.
  by transitivity (- (k ^+ 2 * (- k * x c1) + x1 * x c1 + x2 * x c2 + x3 * (- k * x c2)));
    [ring | rewrite e0 oppr0].
have f3 : (k ^+ 3 - y1) * x c2 = (y2 - k * y3) * x c1.
  apply/eqP; rewrite -subr_eq0; apply/eqP.
  by transitivity (- (y3 * (- k * x c1) + y2 * x c1 + y1 * x c2 + k ^+ 2 * (- k * x c2)));
    [ring | rewrite e3 oppr0].
have [a b] := two_equations (free_dominates k1 hx) (free_dominates k1 hy) f0 f3.
by move=> i; case: (four_cases i) => ->; rewrite ?z0 ?z3 ?a ?b ?mulr0.
Qed.

(** [counting.radius_for_four_counts] *)
Definition radius_of_four : R := (k - 1) / (k * (k + 1)).

Lemma free_is_near (x1 x2 x3 : R) : 1 <= k -> free k x1 x2 x3 ->
  [/\ `|x1 - k| <= k - k^-1, `|x2 - 1| <= k - k^-1 & `|x3 - k| <= k - k^-1].
Proof.
move=> k1 [t /andP[a1 _] /andP[a2 b2] /andP[a3 b3]].
have e1 : x1 = k + k + 1 - x2 - x3 by rewrite -t; ring.
split.
- rewrite ger0_norm ?subr_ge0 // e1.
  by apply: (@le_by _ ((x2 - 1) + (x3 - k^-1))); [ring | rewrite addr_ge0 ?subr_ge0].
- rewrite ger0_norm ?subr_ge0 //.
  have -> : x2 = k + k + 1 - x1 - x3 by rewrite -t; ring.
  by apply: (@le_by _ ((x1 - k) + (x3 - k^-1))); [ring | rewrite addr_ge0 ?subr_ge0].
by rewrite distrC ger0_norm ?subr_ge0 // ler_add2l ler_opp2.
Qed.

Theorem radius_for_four_counts (P : matrix) (i j : 'I_4) : 1 <= k -> optimal k 0 P ->
  `|P i j - @release R 3 k 0 i j| <= radius_of_four.
Proof.
move=> k1 /(optima_for_four_counts_are_the_family k1) [row1 row2 [x1 [x2 [x3 [hx row0]]]]].
move=> [y1 [y2 [y3 [hy row3]]]]; have k0 : 0 < k := lt_le_trans ltr01 k1.
have s0 : 0 < k + 1 by rewrite addr_gt0 ?ltr01.
have D0 : 0 < (k + 1) ^+ 2 by rewrite exprn_gt0.
have unit_of : radius_of_four = (k - k^-1) / (k + 1) ^+ 2.
  by rewrite /radius_of_four; field; rewrite !gt_eqF.
have r0 : 0 <= radius_of_four by rewrite divr_ge0 ?subr_ge0 ?mulr_ge0 ?(ltW k0) ?(ltW s0).
have near x y : `|x - y| <= k - k^-1 -> `|x / (k + 1) ^+ 2 - y / (k + 1) ^+ 2| <= radius_of_four.
  move=> h; rewrite -mulrBl normrM unit_of (ger0_norm (x := _^-1)) ?invr_ge0 ?(ltW D0) //.
  by rewrite ler_pmul2r ?invr_gt0.
have v0 : 0 <= k - k^-1 by rewrite subr_ge0 (le_trans _ k1) // invf_le1.
have same x : `|x - x| <= radius_of_four by rewrite subrr normr0.
have [n1 n2 n3] := free_is_near k1 hx; have [m1 m2 m3] := free_is_near k1 hy.
case: (four_cases i) => ->; rewrite ?row1 ?row2 ?row0 ?row3 ?same //.
- rewrite (star_of_four k1) /first_row.
  case: (four_cases j) => ->; rewrite /cyclic_distance !inordK //= ?expr1 ?expr0; apply: near; rewrite ?subrr ?normr0 //.
rewrite (star_of_four k1) /last_row.
case: (four_cases j) => ->; rewrite /cyclic_distance !inordK //= ?expr1 ?expr0; apply: near; rewrite ?subrr ?normr0 //.
Qed.

Theorem radius_for_four_counts_is_attained : 1 <= k -> exists P : matrix, exists i j,
  optimal k 0 P /\ `|P i j - @release R 3 k 0 i j| = radius_of_four.
Proof.
move=> k1; have k0 : 0 < k := lt_le_trans ltr01 k1.
have s0 : 0 < k + 1 by rewrite addr_gt0 ?ltr01.
have v1 : k^-1 <= k by rewrite (le_trans _ k1) // invf_le1.
have hf : free k (k + k - k^-1) 1 k^-1.
  split; first by ring.
  - apply/andP; split; first by rewrite -addrA ler_addl subr_ge0.
    apply: (@le_by _ ((k ^+ 2 - 1) ^+ 2 / k)); first by field; rewrite gt_eqF.
    by rewrite divr_ge0 ?sqr_ge0 // ltW.
  - by rewrite lexx exprn_ege1.
  - by rewrite lexx.
have hs : free k k 1 k.
  split; first by ring.
  - by rewrite lexx -{1}[k]expr1 ler_weexpn2l.
  - by rewrite lexx exprn_ege1.
  - by rewrite lexx v1.
pose P (i j : 'I_4) := if i == c0 then first_row k (k + k - k^-1) 1 k^-1 j else
  if i == c3 then last_row k k 1 k j else @release R 3 k 0 i j.
exists P, c0, c3; split.
  apply/(optima_for_four_counts_are_the_family k1).
  have no (a b : nat) : (a < 4)%N -> (b < 4)%N -> a != b -> ((inord a : 'I_4) == inord b) = false.
    by move=> a4 b4 ab; apply/negbTE; rewrite -val_eqE /= !inordK.
  split; rewrite /P.
  - by move=> j; rewrite !no.
  - by move=> j; rewrite !no.
  - by exists (k + k - k^-1), 1, k^-1; split=> // j; rewrite eqxx.
  by exists k, 1, k; split=> // j; rewrite no // eqxx.
rewrite /P eqxx (star_of_four k1) /first_row /cyclic_distance !inordK //= expr1 -mulrBl.
rewrite -normrN -mulNr opprB ger0_norm; first by rewrite /radius_of_four; field; rewrite !gt_eqF.
by rewrite divr_ge0 ?subr_ge0 // exprn_ge0 // ltW.
Qed.

End Four.

(** ** Singular channels *)

Section Singular.
Variable R : realFieldType.
Import channels.

Lemma singular_costs (m : nat) (k delta : R) (T P : 'I_m.+1 -> 'I_m.+1 -> R) (x : 'I_m.+1 -> R) e :
  0 < k ->
  (forall (Q : 'I_m.+1 -> 'I_m.+1 -> R) y, optimal k delta Q -> (forall i, \sum_j Q i j * y j = 0) -> forall i, y i = 0) ->
  (forall i, \sum_j T i j * x j = 0) -> (exists i, x i != 0) -> stochastic T ->
  allowed k delta T P -> (forall i, 1 - times P T i i <= e) -> error m k delta < e.
Proof.
move=> k0 full zero [i xi] hT [hP priv] errs.
have hPT : stochastic (times P T) := stochastic_times hP hT.
have least : error m k delta <= e := error_is_optimal k0 hPT priv errs.
rewrite lt_neqAle least andbT; apply/eqP => e_eq; case/eqP: xi.
apply: (full (times P T)); first by split=> //; rewrite e_eq.
move=> l; rewrite /times; under eq_bigr do rewrite mulr_suml.
rewrite exchange_big /= big1 // => n _; under eq_bigr do rewrite -mulrA.
by rewrite -mulr_sumr zero mulr0.
Qed.

(** [counting.singular_channel_costs]: a channel that maps some x to zero, x not zero *)
Theorem singular_channel_costs (m : nat) (k delta : R) (T P : 'I_m.+1 -> 'I_m.+1 -> R)
    (x : 'I_m.+1 -> R) (e : R) :
  1 <= k -> 0 <= delta < 1 ->
  [\/ 1 < (1 + 1) * (delta + (1 - delta) * alpha m k), m = 2%N /\ 1 < k |
      [/\ m = 3%N, 1 < k & delta = 0]] ->
  stochastic T -> (forall i, \sum_j T i j * x j = 0) -> (exists i, x i != 0) ->
  allowed k delta T P -> (forall i, 1 - times P T i i <= e) -> error m k delta < e.
Proof.
move=> k1 in01 kind hT zero some hP errs; have k0 : 0 < k := lt_le_trans ltr01 k1.
apply: singular_costs zero some hT hP errs => // Q y opt.
case: kind => [half|[m2 k2]|[m3 k2 d0]].
- by have [_ h] := large_diagonals_dominate_their_rows k1 in01 half opt; exact: h.
- by subst m; exact: (three.optima_for_three_counts_have_full_rank k1 in01 k2 opt).
by subst m delta; exact: (optima_for_four_counts_have_full_rank k2 opt).
Qed.

End Singular.
