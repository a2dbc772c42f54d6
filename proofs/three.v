(** Three counts: the optimal releases are the family (18), which has full rank, and the radius. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify ring.
From provedp Require Import privacy optimum closed_form guarantees structure several.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Lemma three_cases (i : 'I_3) : [\/ i = inord 0, i = inord 1 | i = inord 2].
Proof.
case: i => [[|[|[|n]]] h] //.
- by apply: Or31; apply: val_inj; rewrite /= inordK.
- by apply: Or32; apply: val_inj; rewrite /= inordK.
- by apply: Or33; apply: val_inj; rewrite /= inordK.
Qed.

Section Three.
Variable R : realFieldType.
Variables k delta : R.
Notation matrix := ('I_3 -> 'I_3 -> R).
Notation c0 := (inord 0 : 'I_3).
Notation c1 := (inord 1 : 'I_3).
Notation c2 := (inord 2 : 'I_3).

Lemma sum_of_three (f : 'I_3 -> R) : \sum_j f j = f c0 + f c1 + f c2.
Proof.
rewrite !big_ord_recl big_ord0 addr0 !addrA.
by congr (f _ + f _ + f _); apply: val_inj; rewrite /= inordK.
Qed.

(** δ′ and the unit of (18). *)
Definition extra : R := delta * (k + (1 + 1)) / (1 - delta).
Definition scale : R := (1 - delta) / (k + (1 + 1)).

(** eq. (18) *)
Definition of_three (u v : R) (i j : 'I_3) : R :=
  scale * nth 0 (nth [::] [:: [:: k + extra; 1 + 1 - u; u]; [:: 1; k + extra; 1];
                              [:: v; 1 + 1 - v; k + extra]] i) j.

Definition lowest_free : R := Num.max (1 - extra) 0 / k.
Definition free (u : R) : Prop := lowest_free <= u <= 1.

(** f(u, v) *)
Definition three_determinant (b u v : R) : R :=
  b ^+ 3 - b * (u * v + (1 + 1 + 1 + 1) - (u + v)) - (1 + 1) * (u * v - (u + v)).

Definition radius_of_three : R := scale * (1 - lowest_free).

Hypothesis k_ge1 : 1 <= k.
Hypothesis delta01 : 0 <= delta < 1.

Let k_gt0 : 0 < k. Proof. exact: lt_le_trans ltr01 k_ge1. Qed.
Let d0 : 0 <= delta. Proof. by case/andP: delta01. Qed.
Let d1 : 0 < 1 - delta. Proof. by rewrite subr_gt0; case/andP: delta01. Qed.
Let two : (0 : R) < 1 + 1. Proof. by positive. Qed.
Let n0 : 0 < k + (1 + 1). Proof. by rewrite addr_gt0. Qed.
Let s_gt0 : 0 < scale. Proof. by rewrite divr_gt0. Qed.
Let s_ge0 : 0 <= scale. Proof. exact: ltW. Qed.
Let e_ge0 : 0 <= extra. Proof. by rewrite divr_ge0 ?mulr_ge0 // ltW. Qed.

Lemma scaled_extra : scale * extra = delta.
Proof. by rewrite /scale /extra; field; rewrite !gt_eqF. Qed.

Lemma diagonal_of_three : scale * (k + extra) = scale * k + delta.
Proof. by rewrite [LHS]mulrDr scaled_extra. Qed.

Lemma whole_row : scale * (k + extra) + scale * (1 + 1) = 1.
Proof. by rewrite diagonal_of_three /scale; field; rewrite gt_eqF. Qed.

Lemma alpha_of_three : alpha 2 k = k / (k + (1 + 1)).
Proof.
rewrite /alpha !big_ord_recl big_ord0 /= /bump /=.
rewrite (_ : cyclic_distance 2 0 0 = 0%N) // (_ : cyclic_distance 2 0 1 = 1%N) //.
rewrite (_ : cyclic_distance 2 0 2 = 1%N) // expr0 expr1.
rewrite -[RHS]invrK invf_div; congr (_^-1); field.
by rewrite gt_eqF.
Qed.

Lemma star_of_three (i j : 'I_3) : @release R 2 k delta i j = of_three 1 1 i j.
Proof.
rewrite /release alpha_of_three /of_three.
have e : scale * (k + extra) = (1 - delta) * (k / (k + (1 + 1))) * k ^- 0 + delta.
  by rewrite diagonal_of_three expr0 invr1 /scale; ring.
have s : scale * 1 = (1 - delta) * (k / (k + (1 + 1))) * k ^- 1.
  by rewrite expr1 /scale; field; rewrite !gt_eqF.
have s' : scale * (1 + 1 - 1) = (1 - delta) * (k / (k + (1 + 1))) * k ^- 1.
  by rewrite -s; ring.
case: (three_cases i) => ->; case: (three_cases j) => ->; rewrite /cyclic_distance -val_eqE /=;
  by rewrite !inordK //= ?mulr1 ?mulr0 ?addr0 ?e ?s'; rewrite -?s ?mulr1.
Qed.

Lemma free_facts (u : R) : free u -> [/\ 0 <= u, u <= 1 & 1 - extra <= k * u].
Proof.
move=> /andP[low high]; split=> //.
  by apply: le_trans low; rewrite divr_ge0 ?(ltW k_gt0) // le_maxr lexx orbT.
rewrite mulrC -ler_pdivr_mulr //; apply: le_trans low.
by rewrite ler_pmul2r ?invr_gt0 // le_maxr lexx.
Qed.

Lemma free_of (u : R) : 0 <= u -> u <= 1 -> 1 - extra <= k * u -> free u.
Proof.
move=> u0 u1 uk; rewrite /free u1 andbT /lowest_free ler_pdivr_mulr // le_maxl [u * k]mulrC uk.
by rewrite mulr_ge0 // ltW.
Qed.

(** Numbers of (18) by place. *)
Lemma entries (u v : R) :
  [/\ (of_three u v c0 c0 = scale * (k + extra)) * (of_three u v c0 c1 = scale * (1 + 1 - u)) *
      (of_three u v c0 c2 = scale * u),
      (of_three u v c1 c0 = scale) * (of_three u v c1 c1 = scale * (k + extra)) *
      (of_three u v c1 c2 = scale) &
      (of_three u v c2 c0 = scale * v) * (of_three u v c2 c1 = scale * (1 + 1 - v)) *
      (of_three u v c2 c2 = scale * (k + extra))].
Proof. by rewrite /of_three; do !split; rewrite !inordK //= mulr1. Qed.

Lemma single (P : matrix) (i i' j : 'I_3) : private k delta P ->
  (i' == i.+1 :> nat) || (i == i'.+1 :> nat) -> P i j <= k * P i' j + delta.
Proof. by move=> priv /priv /(_ [set j]); rewrite /prob !big_set1. Qed.

(** Every optimal release has the form (18). *)
Lemma optimum_has_the_form (P : matrix) : optimal k delta P ->
  exists u v, [/\ free u, free v & forall i j, P i j = of_three u v i j].
Proof.
move=> opt; have [hP priv _] := opt.
have diag i : P i i = scale * (k + extra).
  rewrite (diagonal_of_an_optimum k_ge1 delta01 i opt) star_of_three.
  by have [a b c] := entries 1 1; case: (three_cases i) => ->; rewrite ?a ?b ?c.
have row i : P i c0 + P i c1 + P i c2 = 1 by have [_ <-] := hP i; rewrite sum_of_three.
have step (i i' j : 'I_3) : (i' == i.+1 :> nat) || (i == i'.+1 :> nat) -> P i j <= k * P i' j + delta.
  exact: single.
have big : scale * (k + extra) = k * scale + delta by rewrite -scaled_extra; ring.
have up j i : P j j <= k * P i j + delta -> scale <= P i j.
  by rewrite diag big ler_add2r ler_pmul2l.
have a10 : scale <= P c1 c0 by apply: up; apply: step; rewrite !inordK.
have a12 : scale <= P c1 c2 by apply: up; apply: step; rewrite !inordK.
have a01 : scale <= P c0 c1 by apply: up; apply: step; rewrite !inordK.
have a21 : scale <= P c2 c1 by apply: up; apply: step; rewrite !inordK.
have whole := whole_row; have r1 := row c1; rewrite diag in r1.
have e10 : P c1 c0 = scale.
  apply: eq_by a10; rewrite -(ler_add2r (P c1 c2)).
  have -> : P c1 c0 + P c1 c2 = scale + scale.
    have -> : P c1 c0 + P c1 c2 = 1 - scale * (k + extra) by rewrite -r1; ring.
    by rewrite -whole; ring.
  by rewrite ler_add2l.
have e12 : P c1 c2 = scale.
  have : P c1 c2 = 1 - scale * (k + extra) - P c1 c0 by rewrite -r1; ring.
  by rewrite e10 -whole => ->; ring.
have s0 : scale != 0 by rewrite gt_eqF.
have rest : 1 - scale * (k + extra) = scale * (1 + 1).
  by apply: (addIr (scale * (k + extra))); rewrite subrK addrC whole.
pose u := P c0 c2 / scale; pose v := P c2 c0 / scale.
have eu : P c0 c2 = scale * u by rewrite /u mulrC divfK.
have ev : P c2 c0 = scale * v by rewrite /v mulrC divfK.
have eu' : P c0 c1 = scale * (1 + 1 - u).
  have : P c0 c1 = 1 - P c0 c0 - P c0 c2 by rewrite -(row c0); ring.
  by rewrite diag eu rest => ->; ring.
have ev' : P c2 c1 = scale * (1 + 1 - v).
  have : P c2 c1 = 1 - P c2 c2 - P c2 c0 by rewrite -(row c2); ring.
  by rewrite diag ev rest => ->; ring.
have free_from x y : 0 <= x -> scale * x = y -> scale <= scale * (1 + 1 - x) ->
    scale <= k * y + delta -> free x.
  move=> x0 <- h1 h2; apply: free_of => //.
    by move: h1; rewrite -[X in X <= _]mulr1 ler_pmul2l // -subr_ge0 (_ : 1 + 1 - x - 1 = 1 - x) ?subr_ge0 //; ring.
  rewrite -(ler_pmul2l s_gt0) mulrBr mulr1 scaled_extra ler_subl_addr.
  by move: h2; congr (_ <= _ + _); ring.
exists u, v; split.
- apply: (free_from u (P c0 c2)); rewrite ?eu //; last first.
  + by rewrite -eu -{1}e12; apply: step; rewrite !inordK.
  + by rewrite -eu'.
  by rewrite divr_ge0 //; case: (hP c0).
- apply: (free_from v (P c2 c0)); rewrite ?ev //; last first.
  + by rewrite -ev -{1}e10; apply: step; rewrite !inordK.
  + by rewrite -ev'.
  by rewrite divr_ge0 //; case: (hP c2).
move=> i j; have [a b c] := entries u v.
by case: (three_cases i) => ->; case: (three_cases j) => ->; rewrite ?a ?b ?c ?diag.
Qed.

(** ** The converse *)

Lemma close_mirror (p q : 'I_3 -> R) : close k delta p q ->
  close k delta (fun j => p (rev_ord j)) (fun j => q (rev_ord j)).
Proof.
move=> /close_iff_hockey_stick h; apply/close_iff_hockey_stick; apply: le_trans h.
by rewrite /E [X in _ <= X](reindex_inj rev_ord_inj).
Qed.

Lemma mirrored_three : (rev_ord c0 = c2) * (rev_ord c1 = c1) * (rev_ord c2 = c0).
Proof. by do !split; apply: val_inj; rewrite /= !inordK. Qed.

Lemma mirror_of_three u v i j : of_three u v (rev_ord i) (rev_ord j) = of_three v u i j.
Proof.
have [a b c] := entries u v; have [a' b' c'] := entries v u.
by case: (three_cases i) => ->; case: (three_cases j) => ->; rewrite !mirrored_three ?a ?b ?c ?a' ?b' ?c'.
Qed.

Lemma first_rows_are_close u v : free u ->
  close k delta (of_three u v c0) (of_three u v c1) /\
  close k delta (of_three u v c1) (of_three u v c0).
Proof.
move=> hu; have [u0 u1 uk] := free_facts hu; have [a b _] := entries u v.
have ds : delta = scale * extra by rewrite scaled_extra.
have sk x y : x <= y -> scale * x <= scale * y by move=> xy; rewrite ler_wpmul2l.
split.
- apply: (@close_of_gaps _ _ _ _ _ _ (fun j => delta * (j == c0)%:R)).
  + move=> j; rewrite ler_subl_addr; case: (three_cases j) => ->; rewrite ?a ?b -val_eqE /= !inordK //=.
    * by rewrite mulr1 -scaled_extra le_eqVlt; apply/orP; left; apply/eqP; ring.
    * rewrite mulr0 add0r mulrCA sk //.
      apply: (@le_by _ ((k * u - (1 - extra)) / k + ((k - 1) * k ^+ 2 + (k - 1) ^+ 2 + (k ^+ 2 - 1) * extra) / k)).
        by field; rewrite gt_eqF.
      have k1 : 0 <= k - 1 by rewrite subr_ge0.
      have k2 : 0 <= k ^+ 2 - 1 by rewrite subr_ge0 exprn_ege1.
      rewrite addr_ge0 ?divr_ge0 ?(ltW k_gt0) ?subr_ge0 //.
      by nonneg.
    by rewrite mulr0 add0r mulrC; apply: ler_wpmul2r => //; exact: le_trans u1 k_ge1.
  + by move=> j; rewrite mulr_ge0 ?ler0n.
  by rewrite sum_of_three -!val_eqE /= !inordK //= mulr1 !mulr0 !addr0.
pose z := Num.max (1 - k * u) 0.
have z0 : 0 <= z by rewrite le_maxr lexx orbT.
have ze : z <= extra by rewrite le_maxl e_ge0 andbT ler_subl_addr -ler_subl_addl.
have zk : z <= k * (1 - u).
  rewrite le_maxl mulr_ge0 ?subr_ge0 ?(ltW k_gt0) // andbT mulrBr mulr1 ler_add2r //.
apply: (@close_of_gaps _ _ _ _ _ _ (fun j : 'I_3 => scale * nth 0 [:: 0; extra - z; z] j)).
- move=> j; rewrite ler_subl_addr; case: (three_cases j) => ->; rewrite ?a ?b !inordK //=.
  + rewrite mulr0 add0r mulrCA -[X in X <= _]mulr1 sk //.
    by rewrite -[X in X <= _]mulr1 ler_pmul ?ler01 // (le_trans k_ge1) // ler_addl.
  + rewrite mulrCA -mulrDr sk //.
    by apply: (@le_by _ (k * (1 - u) - z)); [ring | rewrite subr_ge0].
  rewrite mulrCA -mulrDr -[X in X <= _]mulr1 sk // -ler_subl_addr.
  by rewrite le_maxr lexx.
- move=> j; rewrite mulr_ge0 //; case: (three_cases j) => ->; rewrite !inordK //= ?subr_ge0 //.
by rewrite sum_of_three !inordK //= -!mulrDr add0r subrK scaled_extra.
Qed.

Theorem three_counts_form_is_private (u v : R) : free u -> free v -> optimal k delta (of_three u v).
Proof.
move=> hu hv; have [u0 u1 _] := free_facts hu; have [v0 v1 _] := free_facts hv.
have [a b c] := entries u v.
have [up down] := first_rows_are_close v hu.
have [up' down'] := first_rows_are_close u hv.
have last (i i' : 'I_3) : close k delta (of_three v u i) (of_three v u i') ->
    close k delta (of_three u v (rev_ord i)) (of_three u v (rev_ord i')).
  move=> /close_mirror h U; have := h U; rewrite /prob.
  by under eq_bigr do rewrite -mirror_of_three rev_ordK;
     under [X in _ <= _ * X + _]eq_bigr do rewrite -mirror_of_three rev_ordK.
have big : 0 <= k + extra by rewrite addr_ge0 // ltW.
split.
- move=> i; split=> [j|].
    have rest (x : R) : x <= 1 -> 0 <= 1 + 1 - x.
      by move=> x1; rewrite subr_ge0 (le_trans x1) // ler_addl ler01.
    have ur := rest u u1; have vr := rest v v1.
    have sg : 0 <= scale := s_ge0.
    by case: (three_cases i) => ->; case: (three_cases j) => ->;
       rewrite ?a ?b ?c //; apply: mulr_ge0.
  rewrite -whole_row sum_of_three.
  by case: (three_cases i) => ->; rewrite ?a ?b ?c; ring.
- move=> i i'; case: (three_cases i) => ->; case: (three_cases i') => ->; rewrite !inordK //= => _ //.
  + by have := last _ _ down'; rewrite !mirrored_three.
  + by have := last _ _ up'; rewrite !mirrored_three.
move=> i; have [_ _ errs] := star_is_optimal 2 k_ge1 delta01; apply: le_trans (errs i).
rewrite star_of_three; have [a' b' c'] := entries 1 1.
by case: (three_cases i) => ->; rewrite ?a ?b ?c ?a' ?b' ?c'.
Qed.

(** [counting.optima_for_three_counts_have_the_form], [counting.three_counts_form_is_private] *)
Theorem optima_for_three_counts_are_the_family (P : matrix) : optimal k delta P <->
  exists u v, [/\ free u, free v & forall i j, P i j = of_three u v i j].
Proof.
split; first exact: optimum_has_the_form.
move=> [u [v [hu hv e]]]; have [law priv errs] := three_counts_form_is_private hu hv.
split.
- by move=> i; have [p0 p1] := law i; split=> [j|]; [rewrite e | under eq_bigr do rewrite e].
- move=> i i' near U; have := priv i i' near U.
  by rewrite /prob; under eq_bigr do rewrite -e; under [X in _ <= _ * X + _]eq_bigr do rewrite -e.
by move=> i; rewrite e.
Qed.

(** [counting.inequalities_for_three_counts_bound_the_free_entries] *)
Theorem inequalities_for_three_counts (u : R) :
  (1 <= 1 + 1 - u <= k * (k + extra) /\ lowest_free <= u <= k) <-> free u.
Proof.
split=> [[/andP[h _] /andP[low _]]|hu].
  rewrite /free low /= -subr_ge0; move: h; rewrite -subr_ge0.
  by have -> : 1 + 1 - u - 1 = 1 - u by ring.
have [u0 u1 uk] := free_facts hu; case/andP: (hu) => -> _; rewrite (le_trans u1) //; split=> //.
have -> : 1 <= 1 + 1 - u by rewrite -subr_ge0 (_ : _ - 1 = 1 - u) ?subr_ge0 //; ring.
have k1 : 0 <= k - 1 by rewrite subr_ge0.
apply: (@le_by _ ((k * u - (1 - extra)) / k + ((k - 1) * k ^+ 2 + (k - 1) ^+ 2 + (k ^+ 2 - 1) * extra) / k)).
  by field; rewrite gt_eqF.
have k2 : 0 <= k ^+ 2 - 1 by rewrite subr_ge0 exprn_ege1.
rewrite addr_ge0 ?divr_ge0 ?(ltW k_gt0) ?subr_ge0 //.
by nonneg.
Qed.

(** [counting.radius_for_three_counts_in_general]: no entry is farther, and one is as far *)
Theorem radius_for_three_counts (P : matrix) (i j : 'I_3) : optimal k delta P ->
  `|P i j - @release R 2 k delta i j| <= radius_of_three.
Proof.
move=> /optimum_has_the_form [u [v [/andP[hu u1] /andP[hv v1] e]]]; rewrite e star_of_three.
have [a b c] := entries u v; have [a' b' c'] := entries 1 1.
have gap x : lowest_free <= x -> x <= 1 -> `|scale * (1 - x)| <= radius_of_three.
  move=> low x1; rewrite normrM (ger0_norm s_ge0) ger0_norm ?subr_ge0 // /radius_of_three.
  by rewrite ler_wpmul2l // ler_add2l ler_opp2.
have r0 : 0 <= radius_of_three.
  by apply: le_trans (gap u hu u1).
case: (three_cases i) => ->; case: (three_cases j) => ->; rewrite ?a ?b ?c ?a' ?b' ?c' ?subrr ?normr0 //.
- by rewrite -mulrBr (_ : 1 + 1 - u - (1 + 1 - 1) = 1 - u); [exact: gap | ring].
- by rewrite -mulrBr -normrN -mulrN opprB; exact: gap.
- by rewrite -mulrBr -normrN -mulrN opprB; exact: gap.
- by rewrite -mulrBr (_ : 1 + 1 - v - (1 + 1 - 1) = 1 - v); [exact: gap | ring].
Qed.

Theorem radius_for_three_counts_is_attained : exists P : matrix, exists i j,
  optimal k delta P /\ `|P i j - @release R 2 k delta i j| = radius_of_three.
Proof.
have top : lowest_free <= 1.
  by rewrite ler_pdivr_mulr // mul1r le_maxl (ltW k_gt0) andbT (le_trans _ k_ge1) // ger_addl oppr_le0.
have hl : free lowest_free by rewrite /free lexx.
exists (of_three lowest_free lowest_free), c0, c1; split; first exact: three_counts_form_is_private.
have [a _ _] := entries lowest_free lowest_free; have [a' _ _] := entries 1 1.
rewrite star_of_three a a' -mulrBr (_ : 1 + 1 - lowest_free - (1 + 1 - 1) = 1 - lowest_free); last by ring.
by rewrite ger0_norm // mulr_ge0 // subr_ge0.
Qed.

(** ** Full rank *)

Lemma det_of_two (A : 'M[R]_2) :
  \det A = A ord0 ord0 * A (lift ord0 ord0) (lift ord0 ord0) -
           A ord0 (lift ord0 ord0) * A (lift ord0 ord0) ord0.
Proof.
rewrite (expand_det_row _ ord0) !big_ord_recl big_ord0 /cofactor !det_mx11 !mxE /=.
have -> : lift (lift ord0 ord0) 0 = ord0 :> 'I_2 by apply: val_inj.
have -> : lift ord0 0 = lift ord0 ord0 :> 'I_2 by apply: val_inj.
by rewrite /= /bump /=; ring.
Qed.

(** [counting.three_determinant_is_as_printed] *)
Theorem three_determinant_is_as_printed (u v : R) :
  \det (\matrix_(i, j) of_three u v i j) = scale ^+ 3 * three_determinant (k + extra) u v.
Proof.
rewrite (expand_det_row _ ord0) !big_ord_recl big_ord0 /cofactor !det_of_two !mxE /=.
by rewrite /of_three /three_determinant /= /bump /=; ring.
Qed.

Lemma determinant_is_positive (u v : R) : 1 < k -> extra < 1 -> free u -> free v ->
  0 < three_determinant (k + extra) u v.
Proof.
move=> k1 e1; have low : lowest_free = (1 - extra) / k.
  by rewrite /lowest_free max_l // subr_ge0 ltW.
rewrite /free low => /andP[lu u1] /andP[lv v1].
set l := (1 - extra) / k in lu lv; set b := k + extra.
have b2 : 0 < b + (1 + 1) by rewrite addr_gt0 // ltr_paddr.
have -> : three_determinant b u v = (b + (1 + 1)) * ((1 - k ^- 2) * (b - 1) ^+ 2 +
    ((u - l) * (1 - v) + (v - l) * (1 - l))).
  by rewrite /three_determinant /b /l; field; rewrite gt_eqF.
rewrite pmulr_rgt0 // ltr_paddr //.
  have l1 : l <= 1 := le_trans lu u1.
  by rewrite addr_ge0 // mulr_ge0 ?subr_ge0.
rewrite mulr_gt0 ?exprn_gt0 ?subr_gt0 //; first by rewrite invf_lt1 ?exprn_gt0 // exprn_egt1.
by rewrite (lt_le_trans k1) // ler_addl.
Qed.

(** [counting.optima_for_three_counts_have_full_rank]: nothing but zero is mapped to zero *)
Theorem optima_for_three_counts_have_full_rank (P : matrix) (x : 'I_3 -> R) :
  1 < k -> optimal k delta P -> (forall i, \sum_j P i j * x j = 0) -> forall i, x i = 0.
Proof.
move=> k1 opt zero; have [u [v [hu hv e]]] := optimum_has_the_form opt; have [hP _ _] := opt.
have [e1|e1] := ltP extra 1; last first.
  apply: (dominated_rows_are_independent hP) => // i.
  have [a b c] := entries u v.
  have -> : P i i = scale * (k + extra) by rewrite e; case: (three_cases i) => ->; rewrite ?a ?b ?c.
  rewrite -whole_row addrAC subrr add0r ltr_pmul2l //.
  exact: ltr_le_add.
pose A := \matrix_(i, j) of_three u v i j.
have A0 : A \in unitmx.
  rewrite unitmxE unitfE three_determinant_is_as_printed gt_eqF // mulr_gt0 ?exprn_gt0 //.
  exact: determinant_is_positive.
pose X := \col_j x j.
have AX : A *m X = 0.
  apply/matrixP => i j; rewrite !mxE -[RHS](zero i); apply: eq_bigr => l _.
  by rewrite !mxE e.
have : X = 0 by rewrite -(mulKmx A0 X) AX mulmx0.
by move=> X0 i; have := congr1 (fun Y : 'cV_3 => Y i 0) X0; rewrite !mxE.
Qed.

End Three.
