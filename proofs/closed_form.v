(** The closed form of alpha_M, eq. (9), for odd and even M. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify ring.
From provedp Require Import privacy optimum.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Alpha.
Variable R : realFieldType.
Variable k : R.
(** ** The sum around a circle of 2h + 1 and of 2h + 2 points *)

Lemma total_odd (h : nat) :
  \sum_(j < (2 * h).+1) k ^- cyclic_distance (2 * h) 0 j = 1 + (\sum_(i < h) k ^- i.+1) *+ 2.
Proof.
have -> : \sum_(j < (2 * h).+1) k ^- cyclic_distance (2 * h) 0 j =
          \sum_(0 <= j < (2 * h).+1) k ^- cyclic_distance (2 * h) 0 j by rewrite big_mkord.
rewrite big_ltn // (@big_cat_nat _ _ _ h.+1) //=; last by lia.
have -> : cyclic_distance (2 * h) 0 0 = 0%N by rewrite /cyclic_distance; lia.
rewrite expr0 invr1 mulr2n; congr (_ + (_ + _)).
  rewrite big_add1 /= big_mkord; apply: eq_bigr => i _.
  by congr (_ ^- _); move: (ltn_ord i); rewrite /cyclic_distance; lia.
rewrite big_nat_rev /= (_ : (h.+1 = 0 + h.+1)%N) // big_addn.
rewrite (_ : ((2 * h).+1 - h.+1 = h)%N); last by lia.
rewrite big_mkord; apply: eq_bigr => i _.
by congr (_ ^- _); move: (ltn_ord i); rewrite /cyclic_distance; lia.
Qed.

Lemma total_even (h : nat) :
  \sum_(j < (2 * h).+2) k ^- cyclic_distance (2 * h).+1 0 j =
  1 + (\sum_(i < h) k ^- i.+1) *+ 2 + k ^- h.+1.
Proof.
have -> : \sum_(j < (2 * h).+2) k ^- cyclic_distance (2 * h).+1 0 j =
          \sum_(0 <= j < (2 * h).+2) k ^- cyclic_distance (2 * h).+1 0 j by rewrite big_mkord.
rewrite big_ltn // (@big_cat_nat _ _ _ h.+1) //=; last by lia.
rewrite [in X in _ + (_ + X)]big_ltn; last by lia.
have -> : cyclic_distance (2 * h).+1 0 0 = 0%N by rewrite /cyclic_distance; lia.
have -> : cyclic_distance (2 * h).+1 0 h.+1 = h.+1 by rewrite /cyclic_distance; lia.
rewrite expr0 invr1 mulr2n [k ^- h.+1 + _]addrC !addrA; congr (_ + _ + _ + _).
  rewrite big_add1 /= big_mkord; apply: eq_bigr => i _.
  by congr (_ ^- _); move: (ltn_ord i); rewrite /cyclic_distance; lia.
rewrite big_nat_rev /= (_ : (h.+2 = 0 + h.+2)%N) // big_addn.
rewrite (_ : ((2 * h).+2 - h.+2 = h)%N); last by lia.
rewrite big_mkord; apply: eq_bigr => i _.
by congr (_ ^- _); move: (ltn_ord i); rewrite /cyclic_distance; lia.
Qed.

(** ** The closed form *)

Hypothesis k_gt1 : 1 < k.

Let k_gt0 : 0 < k. Proof. exact: lt_trans ltr01 k_gt1. Qed.
Let k_neq0 : k != 0. Proof. by rewrite gt_eqF. Qed.
Let t_neq0 : k - 1 != 0. Proof. by rewrite subr_eq0 gt_eqF. Qed.

(** k^-1 + ... + k^-n *)
Lemma geometric_sum (n : nat) : \sum_(i < n) k ^- i.+1 = (1 - k ^- n) / (k - 1).
Proof.
elim: n => [|n IH]; first by rewrite big_ord0 expr0 invr1 subrr mul0r.
rewrite big_ord_recr /= IH exprS invfM; field.
by rewrite t_neq0 k_neq0 expf_neq0.
Qed.

Theorem alpha_odd (h : nat) :
  alpha (2 * h) k = (k - 1) * k ^+ h / (k ^+ h * (k + 1) - 1 - 1).
Proof.
rewrite /alpha total_odd geometric_sum.
have q0 : k ^+ h != 0 by rewrite expf_neq0.
have q1 : 1 <= k ^+ h by rewrite exprn_ege1 // ltW.
have den : k ^+ h * (k + 1) - 1 - 1 != 0.
  rewrite gt_eqF // -addrA -opprD subr_gt0 (lt_le_trans (y := k + 1)) ?ltr_add2r //.
  by rewrite ler_pmull ?addr_gt0 ?ltr01.
rewrite -[RHS]invrK invf_div; congr (_^-1); field.
by rewrite q0 t_neq0.
Qed.

(** M = 2 (h + 1) counts, so the h of eq. (9) is h + 1 here. *)
Theorem alpha_even (h : nat) :
  alpha (2 * h).+1 k = (k - 1) * k ^+ h.+1 / (k ^+ h.+1 * (k + 1) - k - 1).
Proof.
rewrite /alpha total_even geometric_sum exprS.
have q0 : k ^+ h != 0 by rewrite expf_neq0.
rewrite -[RHS]invrK invf_div; congr (_^-1); field.
by rewrite q0 t_neq0 k_neq0.
Qed.
End Alpha.

(** ** Corollary 1.1: the error increases strictly with M *)

Lemma total_grows (R : realFieldType) (m : nat) (k : R) : 0 < k ->
  \sum_(j < m.+1) k ^- cyclic_distance m 0 j < \sum_(j < m.+2) k ^- cyclic_distance m.+1 0 j.
Proof.
move=> k0; have w0 n : 0 < k ^- n by rewrite invr_gt0 exprn_gt0.
have [h [->|->]] : exists h, m = (2 * h)%N \/ m = (2 * h).+1 by exists m./2; lia.
  by rewrite total_odd total_even ltr_addl.
have e : (2 * h).+2 = (2 * h.+1)%N by lia.
rewrite [in X in _ < X]e total_odd total_even big_ord_recr /=.
set S := \sum_(i < h) _; set x := k ^- h.+1.
have -> : 1 + (S + x) *+ 2 = 1 + S *+ 2 + x + x by ring.
by rewrite ltr_addl w0.
Qed.

Theorem error_increases_with_size (R : realFieldType) (m : nat) (k delta : R) :
  0 < k -> delta < 1 -> error m k delta < error m.+1 k delta.
Proof.
move=> k0 d1; rewrite /error ltr_pmul2l ?subr_gt0 // ltr_add2l ltr_opp2 /alpha.
by rewrite ltf_pinv ?posrE ?total_grows //; exact: total_gt0.
Qed.

Theorem alpha_at_one (R : realFieldType) (m : nat) : alpha m (1 : R) = m.+1%:R^-1.
Proof.
rewrite /alpha; congr (_^-1).
by under eq_bigr do rewrite expr1n invr1; rewrite sumr_const card_ord.
Qed.


(** ** What the claims say *)

(** [counting.closed_form_equals_sum]: [alpha] is defined as the inverse of the sum. *)
Theorem closed_form_equals_sum (R : realFieldType) (k : R) (h : nat) : 1 < k ->
  (\sum_(j < (2 * h).+1) k ^- cyclic_distance (2 * h) 0 j)^-1 =
    (k - 1) * k ^+ h / (k ^+ h * (k + 1) - 1 - 1) /\
  (\sum_(j < (2 * h).+2) k ^- cyclic_distance (2 * h).+1 0 j)^-1 =
    (k - 1) * k ^+ h.+1 / (k ^+ h.+1 * (k + 1) - k - 1).
Proof. by move=> k1; split; [exact: alpha_odd | exact: alpha_even]. Qed.

Lemma total_falls_with_k (R : realFieldType) (m : nat) (k k' : R) : (0 < m)%N -> 0 < k < k' ->
  \sum_(j < m.+1) k' ^- cyclic_distance m 0 j < \sum_(j < m.+1) k ^- cyclic_distance m 0 j.
Proof.
case: m => // m _ /andP[k0 kk]; have k0' := lt_trans k0 kk.
have w_le d : k' ^- d <= k ^- d.
  by rewrite lef_pinv ?posrE ?exprn_gt0 // ler_expn2r ?nnegrE ?ltW.
pose one : 'I_m.+2 := lift ord0 ord0.
rewrite (bigD1 one) //= [X in _ < X](bigD1 one) //= ltr_le_add //; last exact: ler_sum.
have -> : cyclic_distance m.+1 0 1 = 1%N by rewrite /cyclic_distance; lia.
by rewrite !expr1 ltf_pinv ?posrE.
Qed.

(** [counting.error_decreases_with_epsilon_and_delta_at_every_size], for M = m + 1 >= 2 *)
Theorem error_decreases_with_epsilon_and_delta (R : realFieldType) (m : nat) (k delta : R) :
  (0 < m)%N -> 0 < k ->
  (forall k', k < k' -> delta < 1 -> error m k' delta < error m k delta) /\
  (forall delta', delta < delta' -> error m k delta' < error m k delta).
Proof.
move=> m0 k0; split=> [k' kk d1 | delta' dd].
  rewrite /error ltr_pmul2l ?subr_gt0 // ltr_add2l ltr_opp2 /alpha.
  by rewrite ltf_pinv ?posrE ?total_gt0 ?(lt_trans k0 kk) // total_falls_with_k // k0.
rewrite /error ltr_pmul2r ?ltr_add2l ?ltr_opp2 // subr_gt0 /alpha invf_lt1 ?total_gt0 //.
case: m m0 => // m _; rewrite big_ord_recl.
have -> : cyclic_distance m.+1 0 0 = 0%N by rewrite /cyclic_distance; lia.
rewrite expr0 invr1 ltr_addl big_ord_recl ltr_paddr ?invr_gt0 ?exprn_gt0 //.
by apply: sumr_ge0 => j _; rewrite invr_ge0 exprn_ge0 // ltW.
Qed.

Lemma distance_from_the_limit_odd (R : realFieldType) (k : R) (h : nat) : 1 < k ->
  0 <= alpha (2 * h) k - (k - 1) / (k + 1) <= k ^- h.
Proof.
move=> k1; rewrite alpha_odd //; set q := k ^+ h.
have k0 : 0 < k := lt_trans ltr01 k1.
have q1 : 1 <= q by rewrite exprn_ege1 // ltW.
have q0 : 0 < q by rewrite (lt_le_trans ltr01).
have t0 : 0 <= k - 1 by nonneg.
have d0 : 0 < q * (k + 1) - 1 - 1.
  have -> : q * (k + 1) - 1 - 1 = (q - 1) * (k + 1) + (k - 1) by ring.
  by rewrite ltr_paddl ?subr_gt0 //; nonneg.
have s0 : 0 < k + 1 by positive.
apply/andP; split.
  apply: (@le_by _ ((1 + 1) * (k - 1) / ((k + 1) * (q * (k + 1) - 1 - 1)))); last by nonneg.
  by field; rewrite !gt_eqF.
apply: (@le_by _ (((q - 1) * (k ^+ 2 + (1 + 1 + 1)) + (k - 1) ^+ 2) /
                  (q * ((k + 1) * (q * (k + 1) - 1 - 1))))); last by nonneg.
by field; rewrite !gt_eqF.
Qed.

Lemma distance_from_the_limit_even (R : realFieldType) (k : R) (h : nat) : 1 < k ->
  0 <= alpha (2 * h).+1 k - (k - 1) / (k + 1) <= k ^- h.
Proof.
move=> k1; rewrite alpha_even // exprS; set q := k ^+ h.
have k0 : 0 < k := lt_trans ltr01 k1.
have q1 : 1 <= q by rewrite exprn_ege1 // ltW.
have q0 : 0 < q by rewrite (lt_le_trans ltr01).
have t0 : 0 <= k - 1 by nonneg.
have d0 : 0 < k * q - 1.
  have -> : k * q - 1 = (q - 1) * k + (k - 1) by ring.
  by rewrite ltr_paddl ?subr_gt0 //; nonneg.
have s0 : 0 < k + 1 by positive.
have e : k * q * (k + 1) - k - 1 = (k * q - 1) * (k + 1) by ring.
rewrite e; apply/andP; split.
  apply: (@le_by _ ((k - 1) / ((k + 1) * (k * q - 1)))); last by nonneg.
  by field; rewrite !gt_eqF.
apply: (@le_by _ (((q - 1) * (k ^+ 2 + 1) + k * (k - 1)) / (q * ((k + 1) * (k * q - 1)))));
  last by nonneg.
by field; rewrite !gt_eqF.
Qed.

(** [counting.error_limit_for_many_counts]: the distance from the limit *)
Theorem error_limit_for_many_counts (R : realFieldType) (m : nat) (k delta : R) :
  0 <= delta <= 1 ->
  (1 < k -> 0 <= (1 + 1) * (1 - delta) / (1 + k) - error m k delta <= (1 - delta) * k ^- m./2) /\
  (k = 1 -> error m k delta = (1 - delta) * (1 - m.+1%:R^-1)).
Proof.
case/andP=> _ d1; split=> [k1 | ->]; last by rewrite /error alpha_at_one.
have c0 : 0 <= 1 - delta by rewrite subr_ge0.
have -> : (1 + 1) * (1 - delta) / (1 + k) - error m k delta =
          (1 - delta) * (alpha m k - (k - 1) / (k + 1)).
  rewrite /error; set a := alpha m k; field.
  by rewrite gt_eqF // addr_gt0 ?ltr01 // (lt_trans ltr01 k1).
have near : 0 <= alpha m k - (k - 1) / (k + 1) <= k ^- m./2.
  have [h [->|->]] : exists h, m = (2 * h)%N \/ m = (2 * h).+1 by exists m./2; lia.
    by rewrite (_ : (2 * h)./2 = h) ?distance_from_the_limit_odd //; lia.
  by rewrite (_ : (2 * h).+1./2 = h) ?distance_from_the_limit_even //; lia.
by case/andP: near => low high; rewrite mulr_ge0 //= ler_wpmul2l.
Qed.

(** Bernoulli's inequality. *)
Lemma power_exceeds (R : realFieldType) (k : R) (n : nat) : 1 <= k -> 1 + n%:R * (k - 1) <= k ^+ n.
Proof.
move=> k1; have t0 : 0 <= k - 1 by rewrite subr_ge0.
elim: n => [|n IH]; first by rewrite mul0r addr0 expr0.
rewrite exprS mulrSr; move: (k ^+ n) (exprn_ege1 n k1) IH => x x1; move: (n%:R : R) => z IH.
apply: (@le_by _ ((x - (1 + z * (k - 1))) + (k - 1) * (x - 1))); first by ring.
by rewrite addr_ge0 ?mulr_ge0 ?subr_ge0.
Qed.

(** [counting.error_limit_for_many_counts]: the limit itself, where every number is below an integer *)
Theorem error_tends_to_its_limit (R : archiFieldType) (k delta e : R) :
  1 <= k -> 0 <= delta <= 1 -> 0 < e -> exists n, forall m, (n <= m)%N ->
  `|error m k delta - (1 + 1) * (1 - delta) / (1 + k)| <= e.
Proof.
move=> k1 in01 e0; have [k_gt1|k_le1] := ltP 1 k; last first.
  have k_one : k = 1 by apply: eq_by.
  exists (Num.bound e^-1) => m far; have [_ /(_ k_one) ->] := error_limit_for_many_counts m k in01.
  have half : (1 + 1) * (1 - delta) / (1 + k) = 1 - delta by rewrite k_one; field.
  rewrite half; have -> : (1 - delta) * (1 - m.+1%:R^-1) - (1 - delta) = - ((1 - delta) * m.+1%:R^-1).
    by move: (m.+1%:R^-1 : R) => z; ring.
  rewrite normrN normrM; case/andP: (in01) => d0 d1.
  have c0 : 0 <= 1 - delta by rewrite subr_ge0.
  have small : m.+1%:R^-1 <= e.
    rewrite -[e]invrK lef_pinv ?posrE ?invr_gt0 ?ltr0Sn //.
    apply: ltW; apply: lt_le_trans (archi_boundP _) _; first by rewrite invr_ge0 ltW.
    by rewrite ler_nat (leq_trans far).
  rewrite !ger0_norm ?invr_ge0 ?ler0n // (le_trans (y := 1 * m.+1%:R^-1)) ?mul1r //.
  by rewrite ler_pimull ?invr_ge0 ?ler0n // ler_subl_addr ler_addl.
have t0 : 0 < k - 1 by rewrite subr_gt0.
exists (Num.bound (e^-1 / (k - 1))).*2 => m far.
have [/(_ k_gt1) /andP[low high] _] := error_limit_for_many_counts m k in01.
rewrite -normrN opprB ger0_norm //; apply: le_trans high _; case/andP: in01 => d0 d1.
have k0 : 0 < k := lt_trans ltr01 k_gt1.
have small : k ^- m./2 <= e.
  rewrite -[e]invrK lef_pinv ?posrE ?invr_gt0 ?exprn_gt0 //.
  apply: le_trans (power_exceeds m./2 k1); rewrite -[X in X <= _]add0r ler_add ?ler01 //.
  rewrite -ler_pdivr_mulr //; apply: ltW; apply: lt_le_trans (archi_boundP _) _.
    by rewrite divr_ge0 ?invr_ge0 ?ltW.
  by rewrite ler_nat -[Num.bound _]doubleK half_leq.
apply: le_trans small; rewrite ler_pimull ?ler_subl_addr ?ler_addl //.
by rewrite invr_ge0 exprn_ge0 // ltW.
Qed.
