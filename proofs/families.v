(** Four counts without delta: the optimal releases are the family (19). *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify ring.
From provedp Require Import privacy optimum closed_form guarantees structure.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Four.
Variable R : realFieldType.
Variable k : R.
Hypothesis k_ge1 : 1 <= k.

Let k_gt0 : 0 < k. Proof. exact: lt_le_trans ltr01 k_ge1. Qed.
Let d_gt0 : 0 < k + 1. Proof. by positive. Qed.

Notation c0 := (inord 0 : 'I_4).
Notation c1 := (inord 1 : 'I_4).
Notation c2 := (inord 2 : 'I_4).
Notation c3 := (inord 3 : 'I_4).

Lemma four_cases (i : 'I_4) : [\/ i = c0, i = c1, i = c2 | i = c3].
Proof.
case: i => [[|[|[|[|n]]]] h] //.
- by apply: Or41; apply: val_inj; rewrite /= inordK.
- by apply: Or42; apply: val_inj; rewrite /= inordK.
- by apply: Or43; apply: val_inj; rewrite /= inordK.
- by apply: Or44; apply: val_inj; rewrite /= inordK.
Qed.

Lemma sum_of_four (f : 'I_4 -> R) : \sum_j f j = f c0 + f c1 + f c2 + f c3.
Proof.
rewrite !big_ord_recl big_ord0 addr0 !addrA.
by congr (f _ + f _ + f _ + f _); apply: val_inj; rewrite /= inordK.
Qed.

(** The entries of (19) in units of (k + 1)^-2. *)
Definition first_row (x1 x2 x3 : R) (j : 'I_4) : R :=
  nth 0 [:: k ^+ 2; x1; x2; x3] j / (k + 1) ^+ 2.
Definition last_row (y1 y2 y3 : R) (j : 'I_4) : R :=
  nth 0 [:: y3; y2; y1; k ^+ 2] j / (k + 1) ^+ 2.

Lemma alpha_of_four : alpha 3 k = k ^+ 2 / (k + 1) ^+ 2.
Proof.
rewrite /alpha !big_ord_recl big_ord0 /= /bump /=.
rewrite (_ : cyclic_distance 3 0 0 = 0%N) // (_ : cyclic_distance 3 0 1 = 1%N) //.
rewrite (_ : cyclic_distance 3 0 2 = 2%N) // (_ : cyclic_distance 3 0 3 = 1%N) //.
rewrite expr0 expr1 -[RHS]invrK invf_div; congr (_^-1); field.
by rewrite gt_eqF.
Qed.

Lemma star_of_four (i j : 'I_4) : @release R 3 k 0 i j =
  k ^+ (2 - cyclic_distance 3 i j) / (k + 1) ^+ 2.
Proof.
rewrite /release subr0 mul1r mul0r addr0 alpha_of_four mulrAC; congr (_ / _).
have far : (cyclic_distance 3 i j <= 2)%N.
  by rewrite /cyclic_distance; move: (ltn_ord i) (ltn_ord j); lia.
rewrite -{1}(subnK far) exprD -mulrA divff ?mulr1 //.
by rewrite expf_neq0 // gt_eqF.
Qed.

(** An entry between a row and its neighbour, both ways. *)
Lemma within (P : 'I_4 -> 'I_4 -> R) (i i' j : 'I_4) : private k 0 P ->
  (i' == i.+1 :> nat) || (i == i'.+1 :> nat) -> P i j <= k * P i' j.
Proof. by move=> priv /priv /(_ [set j]); rewrite /prob !big_set1 addr0. Qed.

Let inside : 0 <= (0 : R) < 1. Proof. by rewrite lexx ltr01. Qed.

(** Every optimal release has the middle rows of P*, and a first row with the printed
    inequalities; the last row is the mirror image. *)
Theorem optima_for_four_counts_have_the_form (P : 'I_4 -> 'I_4 -> R) : optimal k 0 P ->
  [/\ forall j, P c1 j = @release R 3 k 0 c1 j, forall j, P c2 j = @release R 3 k 0 c2 j &
      exists x1 x2 x3, [/\ forall j, P c0 j = first_row x1 x2 x3 j, x1 + x2 + x3 = k + k + 1,
        k <= x1 <= k ^+ 3, 1 <= x2 <= k ^+ 2 & k^-1 <= x3 <= k]].
Proof.
move=> opt; have [hP priv errs] := opt.
have forced (i j : 'I_4) : (j <= i <= 2)%N || (1 <= i <= j)%N -> P i j = @release R 3 k 0 i j.
  by move=> h; apply: entries_between_diagonal_and_middle_are_forced.
have row1 (j : 'I_4) : P c1 j = @release R 3 k 0 c1 j.
  by apply: forced; rewrite inordK //; case: (four_cases j) => ->; rewrite inordK.
have row2 (j : 'I_4) : P c2 j = @release R 3 k 0 c2 j.
  by apply: forced; rewrite inordK //; case: (four_cases j) => ->; rewrite inordK.
split=> //; pose D := (k + 1) ^+ 2.
have D0 : 0 < D by rewrite /D; positive.
have unit_of x : x = x * D / D by rewrite mulfK // gt_eqF.
exists (P c0 c1 * D), (P c0 c2 * D), (P c0 c3 * D).
have diag : P c0 c0 = k ^+ 2 / D.
  rewrite (diagonal_of_an_optimum k_ge1 inside c0 opt) star_of_four.
  by rewrite (_ : cyclic_distance 3 c0 c0 = 0%N) // inordK.
have next : (c1 == c0.+1 :> nat) || (c0 == c1.+1 :> nat) by rewrite !inordK.
have back : (c0 == c1.+1 :> nat) || (c1 == c0.+1 :> nat) by rewrite !inordK.
have bounds (j : 'I_4) (e : nat) : P c1 j = k ^+ e / D -> k ^+ e / k <= P c0 j * D <= k * k ^+ e.
  move=> row; have up := within j priv next; have down := within j priv back.
  rewrite row ler_pdivr_mulr // in down; rewrite row mulrA ler_pdivl_mulr // in up.
  by rewrite up andbT ler_pdivr_mulr // [X in _ <= X]mulrC mulrA.
have e1 : P c1 c1 = k ^+ 2 / D.
  by rewrite row1 star_of_four (_ : cyclic_distance 3 c1 c1 = 0%N) // inordK.
have e2 : P c1 c2 = k ^+ 1 / D.
  by rewrite row1 star_of_four (_ : cyclic_distance 3 c1 c2 = 1%N) // !inordK.
have e3 : P c1 c3 = k ^+ 0 / D.
  by rewrite row1 star_of_four (_ : cyclic_distance 3 c1 c3 = 2%N) // !inordK.
have k0 : k != 0 by rewrite gt_eqF.
split.
- move=> j; rewrite /first_row -/D.
  by case: (four_cases j) => ->; rewrite inordK //= ?diag // -unit_of.
- have [_ P1] := hP c0; move: P1; rewrite sum_of_four diag => /(congr1 (fun x => x * D)).
  rewrite mul1r !mulrDl divfK ?gt_eqF // => total.
  by apply: (addrI (k ^+ 2)); rewrite !addrA total /D; ring.
- by have := bounds _ _ e1; rewrite expr2 mulfK // -exprS -expr2 -exprS.
- by have := bounds _ _ e2; rewrite expr1 divff // -expr2.
- by have := bounds _ _ e3; rewrite expr0 mul1r mulr1.
Qed.

End Four.

(** ** The converse: every member of the family is optimal *)

Section Family.
Variable R : realFieldType.
Variable k : R.
Hypothesis k_ge1 : 1 <= k.
Let k_gt0 : 0 < k. Proof. exact: lt_le_trans ltr01 k_ge1. Qed.
Let k_ge0 : 0 <= k. Proof. exact: ltW. Qed.

Notation c0 := (inord 0 : 'I_4).
Notation c1 := (inord 1 : 'I_4).
Notation c2 := (inord 2 : 'I_4).
Notation c3 := (inord 3 : 'I_4).
Notation P_star := (@release R 3 k 0).
Notation matrix := ('I_4 -> 'I_4 -> R).

(** The inequalities of (19). *)
Definition free (x1 x2 x3 : R) : Prop :=
  [/\ x1 + x2 + x3 = k + k + 1, k <= x1 <= k ^+ 3, 1 <= x2 <= k ^+ 2 & k^-1 <= x3 <= k].

Definition has_the_form (P : matrix) : Prop :=
  [/\ forall j, P c1 j = P_star c1 j, forall j, P c2 j = P_star c2 j,
      exists x1 x2 x3, free x1 x2 x3 /\ forall j, P c0 j = first_row k x1 x2 x3 j &
      exists y1 y2 y3, free y1 y2 y3 /\ forall j, P c3 j = last_row k y1 y2 y3 j].

Let D0 : 0 < (k + 1) ^+ 2. Proof. by positive. Qed.
Let in01 : 0 <= (0 : R) < 1. Proof. by rewrite lexx ltr01. Qed.

Lemma last_row_is_the_mirror y1 y2 y3 (j : 'I_4) :
  last_row k y1 y2 y3 j = first_row k y1 y2 y3 (rev_ord j).
Proof. by rewrite /last_row /first_row; case: (four_cases j) => ->; rewrite /= inordK. Qed.

Lemma mirrored_counts : (rev_ord c0 = c3) * (rev_ord c1 = c2) * (rev_ord c2 = c1) * (rev_ord c3 = c0).
Proof. by do !split; apply: val_inj; rewrite /= !inordK. Qed.

Lemma first_row_is_a_law x1 x2 x3 : free x1 x2 x3 -> law (first_row k x1 x2 x3).
Proof.
move=> [total /andP[a1 _] /andP[a2 _] /andP[a3 _]]; split=> [j|].
  rewrite /first_row divr_ge0 ?(ltW D0) //; case: (four_cases j) => ->; rewrite inordK //=.
  - exact: exprn_ge0.
  - exact: le_trans a1.
  - exact: le_trans ler01 a2.
  - by apply: le_trans a3; rewrite invr_ge0.
rewrite sum_of_four /first_row !inordK //= -!mulrDl.
have -> : k ^+ 2 + x1 + x2 + x3 = (k + 1) ^+ 2; last by rewrite divff // gt_eqF.
by rewrite -!addrA [x1 + _]addrA total; ring.
Qed.

Lemma star_second (j : 'I_4) : P_star c1 j = nth 0 [:: k; k ^+ 2; k; 1] j / (k + 1) ^+ 2.
Proof.
rewrite (star_of_four k_ge1).
by case: (four_cases j) => ->; rewrite /cyclic_distance !inordK //= ?expr1 ?expr0.
Qed.

(** A first row with the inequalities is private beside the second one of P*. *)
Lemma first_row_is_close x1 x2 x3 (j : 'I_4) : free x1 x2 x3 ->
  first_row k x1 x2 x3 j <= k * P_star c1 j /\ P_star c1 j <= k * first_row k x1 x2 x3 j.
Proof.
move=> [_ /andP[a1 b1] /andP[a2 b2] /andP[a3 b3]].
have step (x y : R) : x <= k * y -> x / (k + 1) ^+ 2 <= k * (y / (k + 1) ^+ 2).
  by move=> xy; rewrite mulrA ler_pmul2r ?invr_gt0.
have k2 : k <= k * k ^+ 2 by rewrite -[X in X <= _]mulr1 ler_wpmul2l // exprn_ege1.
rewrite star_second /first_row; case: (four_cases j) => ->; rewrite inordK //=; split; apply: step.
- by rewrite expr2.
- exact: k2.
- by rewrite -exprS.
- by rewrite expr2 ler_wpmul2l.
- by rewrite -expr2.
- by rewrite -[X in X <= _]mulr1 ler_wpmul2l.
- by rewrite mulr1.
- by rewrite mulrC -ler_pdivr_mulr // mul1r.
Qed.

Theorem four_counts_with_the_form_are_optimal (P : matrix) : has_the_form P -> optimal k 0 P.
Proof.
move=> [row1 row2 [x1 [x2 [x3 [hx row0]]]] [y1 [y2 [y3 [hy row3]]]]].
have [hS privS errsS] := star_is_optimal 3 k_ge1 in01.
have star_is_mirror i j : P_star (rev_ord i) (rev_ord j) = P_star i j := star_is_its_mirror k_ge1 in01 i j.
have star3 (j : 'I_4) : P_star c2 j = P_star c1 (rev_ord j).
  by rewrite -(star_is_mirror c2 j) mirrored_counts.
have last j : P c3 j = first_row k y1 y2 y3 (rev_ord j) by rewrite row3 last_row_is_the_mirror.
have close_rows (i i' : 'I_4) : (forall j, P i j <= k * P i' j) -> close k 0 (P i) (P i').
  exact: close_of_entries.
split.
- move=> i; case: (four_cases i) => ->.
  + by have [L0 L1] := first_row_is_a_law hx; split=> [j|]; [rewrite row0 | under eq_bigr do rewrite row0].
  + by have [L0 L1] := hS c1; split=> [j|]; [rewrite row1 | under eq_bigr do rewrite row1].
  + by have [L0 L1] := hS c2; split=> [j|]; [rewrite row2 | under eq_bigr do rewrite row2].
  have [L0 L1] := first_row_is_a_law hy; split=> [j|]; first by rewrite last.
  by under eq_bigr do rewrite last; rewrite -[RHS]L1 [RHS](reindex_inj rev_ord_inj).
- move=> i i' near; apply: close_rows => j; have single := within _ privS.
  move: near; case: (four_cases i) => ->; case: (four_cases i') => ->; rewrite !inordK //= => _.
  + by rewrite row0 row1; case: (first_row_is_close j hx).
  + by rewrite row0 row1; case: (first_row_is_close j hx).
  + by rewrite row1 row2; apply: within privS _; rewrite !inordK.
  + by rewrite row1 row2; apply: within privS _; rewrite !inordK.
  + by rewrite row2 last star3; case: (first_row_is_close (rev_ord j) hy).
  by rewrite row2 last star3; case: (first_row_is_close (rev_ord j) hy).
move=> i; apply: le_trans (errsS i); rewrite ler_add2l ler_opp2.
have diag : P_star i i = k ^+ 2 / (k + 1) ^+ 2.
  by rewrite (star_of_four k_ge1) (_ : cyclic_distance 3 i i = 0%N) // /cyclic_distance subnn min0n.
case: (four_cases i) diag => ->; rewrite ?row1 ?row2 // => ->.
  by rewrite row0 /first_row inordK.
by rewrite row3 /last_row inordK.
Qed.

(** [counting.optima_for_four_counts_have_the_form] *)
Theorem optima_for_four_counts_are_the_family (P : matrix) : optimal k 0 P <-> has_the_form P.
Proof.
split=> [opt|]; last exact: four_counts_with_the_form_are_optimal.
have [row1 row2 [x1 [x2 [x3 [row0 t a b c]]]]] := optima_for_four_counts_have_the_form k_ge1 opt.
have opt' := mirror_is_optimal k_ge1 opt.
have [_ _ [y1 [y2 [y3 [row3 t' a' b' c']]]]] := optima_for_four_counts_have_the_form k_ge1 opt'.
split=> //; first by exists x1, x2, x3.
exists y1, y2, y3; split=> // j.
by rewrite last_row_is_the_mirror -row3 mirrored_counts rev_ordK.
Qed.
End Family.
