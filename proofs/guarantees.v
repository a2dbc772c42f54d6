(** What keeps, adds up or amplifies guarantees: mixtures, groups, composition, subsampling,
    and mechanisms whose entries or weights are within a factor of each other. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify ring.
From provedp Require Import privacy.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Guarantees.
Variable R : realFieldType.

Lemma prob_ge0 (T : finType) (p : T -> R) U : law p -> 0 <= prob p U.
Proof. by case=> p0 _; apply: sumr_ge0. Qed.

Lemma prob_le1 (T : finType) (p : T -> R) U : law p -> prob p U <= 1.
Proof.
case=> p0 <-; rewrite [X in _ <= X](bigID (mem U)) /= ler_addl.
by apply: sumr_ge0.
Qed.

(** ** Entries within a factor k *)

Theorem close_of_entries (T : finType) (k : R) (p q : T -> R) :
  (forall t, p t <= k * q t) -> close k 0 p q.
Proof. by move=> h U; rewrite addr0 /prob mulr_sumr; apply: ler_sum. Qed.

(** ** Mixtures *)

Theorem mixtures_are_close (T : finType) (k delta a : R) (p q p' q' : T -> R) :
  0 <= a <= 1 -> close k delta p q -> close k delta p' q' ->
  close k delta (fun t => a * p t + (1 - a) * p' t) (fun t => a * q t + (1 - a) * q' t).
Proof.
case/andP=> a0 a1 h h' U.
have mixed (f g : T -> R) : prob (fun t => a * f t + (1 - a) * g t) U
    = a * prob f U + (1 - a) * prob g U.
  by rewrite /prob big_split /= -!mulr_sumr.
rewrite !mixed.
have b0 : 0 <= 1 - a by rewrite subr_ge0.
have := ler_add (ler_wpmul2l a0 (h U)) (ler_wpmul2l b0 (h' U)).
by congr (_ <= _); ring.
Qed.

(** ** Groups *)

Lemma guarantees_chain (T : finType) (k delta K D : R) (p q s : T -> R) : 0 <= k ->
  close k delta p q -> close K D q s -> close (k * K) (k * D + delta) p s.
Proof.
move=> k0 h h' U; apply: le_trans (h U) _.
have := ler_wpmul2l k0 (h' U); rewrite -(ler_add2r delta) => /le_trans; apply.
by rewrite mulrDr -!addrA mulrA.
Qed.

Theorem guarantees_of_groups (T : finType) (k delta : R) (p : nat -> T -> R) (g : nat) :
  0 <= k -> (forall i, (i < g)%N -> close k delta (p i) (p i.+1)) ->
  close (k ^+ g) (delta * (\sum_(i < g) k ^+ i)) (p 0%N) (p g).
Proof.
move=> k0; elim: g p => [|g IH] p h.
  by move=> U; rewrite expr0 big_ord0 mulr0 mul1r addr0.
have := guarantees_chain k0 (h 0%N isT) (IH (fun i => p i.+1) (fun i ig => h i.+1 ig)).
suff -> : \sum_(i < g.+1) k ^+ i = 1 + k * (\sum_(i < g) k ^+ i).
  by rewrite -exprS mulrDr mulr1 mulrCA addrC.
rewrite big_ord_recl expr0 mulr_sumr; congr (_ + _).
by apply: eq_bigr => i _; rewrite lift0 exprS.
Qed.

(** [privacy.group_delta_is_the_closed_form] *)
Theorem group_delta_is_the_closed_form (k delta : R) g :
  (k != 1 -> delta * (\sum_(i < g) k ^+ i) = delta * (k ^+ g - 1) / (k - 1)) /\
  delta * (\sum_(i < g) 1 ^+ i) = g%:R * delta.
Proof.
split; last by under eq_bigr do rewrite expr1n; rewrite sumr_const card_ord mulrC.
by move=> k1; rewrite subrX1 [(k - 1) * _]mulrC mulrA mulfK // subr_eq0.
Qed.

(** [privacy.guarantees_extend_to_groups]: neighbours of neighbours, g steps apart *)
Theorem guarantees_extend_to_groups (T : finType) (k delta : R) (p : nat -> T -> R) (g : nat) :
  (forall i, (i < g)%N -> close k delta (p i) (p i.+1)) ->
  (1 < k -> close (k ^+ g) (delta * (k ^+ g - 1) / (k - 1)) (p 0%N) (p g)) /\
  (k = 1 -> close 1 (g%:R * delta) (p 0%N) (p g)).
Proof.
move=> h; split=> k1.
  have k_neq1 : k != 1 by rewrite gt_eqF.
  rewrite -(proj1 (group_delta_is_the_closed_form k delta g) k_neq1).
  by apply: guarantees_of_groups => //; rewrite ltW // (lt_trans ltr01).
rewrite -(proj2 (group_delta_is_the_closed_form k delta g)) -[X in close X]( expr1n _ g).
by apply: guarantees_of_groups => [|i ig]; rewrite ?ler01 // -k1; exact: h.
Qed.

(** ** Basic composition, adaptive: the second release may depend on the first outcome *)

Definition joint (T S : finType) (p : T -> R) (p' : T -> S -> R) : T * S -> R :=
  fun ts => p ts.1 * p' ts.1 ts.2.

Definition section (T S : finType) (U : {set T * S}) (t : T) : {set S} := [set s | (t, s) \in U].

Lemma prob_joint (T S : finType) (p : T -> R) (p' : T -> S -> R) U :
  prob (joint p p') U = \sum_t p t * prob (p' t) (section U t).
Proof.
rewrite /prob big_mkcond /=.
transitivity (\sum_t \sum_s if (t, s) \in U then p t * p' t s else 0).
  by rewrite pair_bigA; apply: eq_bigr => -[t s].
apply: eq_bigr => t _; rewrite -big_mkcond mulr_sumr.
by apply: eq_bigl => s; rewrite inE.
Qed.

Lemma joint_law (T S : finType) (p : T -> R) (p' : T -> S -> R) :
  law p -> (forall t, law (p' t)) -> law (joint p p').
Proof.
case=> p0 p1 h; split=> [[t s]|]; first by rewrite mulr_ge0 //; case: (h t).
rewrite -(pair_bigA _ (fun t s => p t * p' t s)) /= -[RHS]p1.
by apply: eq_bigr => t _; rewrite -mulr_sumr (proj2 (h t)) mulr1.
Qed.

(** A test with values in [0, 1] gains no more than an event. *)
Lemma gap_of_test (T : finType) (k delta : R) (p q f : T -> R) :
  (forall t, 0 <= f t <= 1) -> close k delta p q ->
  \sum_t p t * f t <= k * (\sum_t q t * f t) + delta.
Proof.
move=> f01 /close_iff_hockey_stick h; rewrite -ler_subl_addl; apply: le_trans h.
rewrite mulr_sumr -sumrB; apply: ler_sum => t _; rewrite mulrA -mulrBl.
case/andP: (f01 t) => f0 f1; apply: le_trans (ler_wpmul2r f0 (pos_ge _)) _.
by rewrite ler_pimulr ?pos_ge0.
Qed.

Theorem guarantees_compose (T S : finType) (k1 k2 d1 d2 : R) (p q : T -> R) (p' q' : T -> S -> R) :
  0 <= k1 -> 0 <= k2 -> 0 <= d2 ->
  law p -> law q -> (forall t, law (p' t)) -> (forall t, law (q' t)) ->
  close k1 d1 p q -> (forall t, close k2 d2 (p' t) (q' t)) ->
  close (k1 * k2) (d1 + d2) (joint p p') (joint q q').
Proof.
move=> k10 k20 d20 [p0 p1] [q0 _] lp' lq' h h' U; rewrite !prob_joint.
pose f t := Num.min 1 (k2 * prob (q' t) (section U t)).
have f01 t : 0 <= f t <= 1.
  by rewrite /f le_minl lexx le_minr ler01 mulr_ge0 // prob_ge0.
have second t : prob (p' t) (section U t) <= f t + d2.
  rewrite /f; case: (leP 1 (k2 * _)) => _; last exact: (h' t (section U t)).
  by apply: le_trans (prob_le1 _ (lp' t)) _; rewrite ler_addl.
have first : \sum_t p t * prob (p' t) (section U t) <= \sum_t p t * f t + d2.
  rewrite -[d2 in X in _ <= X]mul1r -p1 mulr_suml -big_split /=.
  by apply: ler_sum => t _; rewrite -mulrDr ler_wpmul2l.
apply: le_trans first _; rewrite addrA ler_add2r.
apply: le_trans (gap_of_test f01 h) _; rewrite ler_add2r -mulrA ler_wpmul2l //.
rewrite mulr_sumr; apply: ler_sum => t _; rewrite mulrCA ler_wpmul2l //.
by rewrite /f le_minl lexx orbT.
Qed.

(** ** Subsampling: with probability q the sample holds the changed record *)

Definition mix (T : finType) (a : R) (p q : T -> R) : T -> R := fun t => (1 - a) * p t + a * q t.

Theorem subsampling_amplifies (T : finType) (k delta a : R) (r p p' : T -> R) :
  1 <= k -> 0 <= a <= 1 -> close k delta p r -> close k delta p p' ->
  close (1 + a * (k - 1)) (a * delta) (mix a r p) (mix a r p').
Proof.
move=> k1 /andP[a0 a1] h h' U.
have mixed (f g : T -> R) : prob (mix a f g) U = (1 - a) * prob f U + a * prob g U.
  by rewrite /prob big_split /= -!mulr_sumr.
rewrite !mixed; set K := 1 + a * (k - 1).
have k0 : 0 < k := lt_le_trans ltr01 k1.
have K0 : 0 <= K by rewrite addr_ge0 ?ler01 ?mulr_ge0 ?subr_ge0.
have Kk : K <= k.
  by rewrite -subr_ge0 (_ : k - K = (1 - a) * (k - 1)) ?mulr_ge0 ?subr_ge0 // /K; ring.
pose b := K / k.
have b0 : 0 <= b by rewrite divr_ge0 // ltW.
have b1 : 0 <= 1 - b by rewrite subr_ge0 ler_pdivr_mulr // mul1r.
have both := ler_wpmul2l a0 (ler_add (ler_wpmul2l b1 (h U)) (ler_wpmul2l b0 (h' U))).
rewrite -subr_ge0 in both; rewrite -subr_ge0; apply: le_trans both _.
rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite /b /K; field.
by rewrite gt_eqF.
Qed.

(** ** Weights within a factor r of each other: the exponential mechanism *)

Definition normalised (T : finType) (w : T -> R) : T -> R := fun t => w t / \sum_s w s.

Lemma normalised_law (T : finType) (w : T -> R) :
  (forall t, 0 <= w t) -> 0 < \sum_t w t -> law (normalised w).
Proof.
move=> w0 s0; split=> [t|]; first by rewrite divr_ge0 // ltW.
by rewrite -mulr_suml divff // gt_eqF.
Qed.

Theorem normalised_weights_are_close (T : finType) (r : R) (w w' : T -> R) :
  0 <= r -> (forall t, 0 <= w' t) -> 0 < \sum_t w t -> 0 < \sum_t w' t ->
  (forall t, w t <= r * w' t) -> (forall t, w' t <= r * w t) ->
  close (r ^+ 2) 0 (normalised w) (normalised w').
Proof.
move=> r0 w0 s s' up down; apply: close_of_entries => t; rewrite /normalised.
rewrite ler_pdivr_mulr // expr2 -!mulrA.
apply: le_trans (up t) _; rewrite ler_wpmul2l // mulrCA -[X in X <= _]mulr1 ler_wpmul2l //.
by rewrite mulrCA mulrC ler_pdivl_mulr // mul1r mulr_sumr; apply: ler_sum.
Qed.

(** Utilities that change by at most one, weights r^u. *)
Theorem exponential_weights_are_private (T : finType) (r : R) (u u' : T -> nat) (t0 : T) :
  1 <= r -> (forall t, (u t <= (u' t).+1)%N && (u' t <= (u t).+1)%N) ->
  close (r ^+ 2) 0 (normalised (fun t => r ^+ u t)) (normalised (fun t => r ^+ u' t)).
Proof.
move=> r1 near; have r0 : 0 < r := lt_le_trans ltr01 r1.
have s0 (v : T -> nat) : 0 < \sum_t r ^+ v t.
  rewrite (bigD1 t0) //= ltr_paddr ?exprn_gt0 //.
  by apply: sumr_ge0 => t _; rewrite exprn_ge0 // ltW.
apply: normalised_weights_are_close => // [|t|t|t].
- exact: ltW.
- by rewrite exprn_ge0 // ltW.
- by rewrite -exprS ler_weexpn2l //; case/andP: (near t).
- by rewrite -exprS ler_weexpn2l //; case/andP: (near t).
Qed.

End Guarantees.

(** [counting.private_mechanisms_are_convex], row by row: a mixture of two laws is a law, and of two
    close pairs a close pair. *)
Theorem private_mechanisms_are_convex (R : realFieldType) (T : finType) (k delta a : R)
    (p q p' q' : T -> R) : 0 <= a <= 1 ->
  (law p -> law p' -> law (fun t => a * p t + (1 - a) * p' t)) /\
  (close k delta p q -> close k delta p' q' ->
   close k delta (fun t => a * p t + (1 - a) * p' t) (fun t => a * q t + (1 - a) * q' t)).
Proof.
move=> /[dup] a01 /andP[a0 a1]; split; last exact: mixtures_are_close.
move=> [p0 p1] [q0 q1]; have b0 : 0 <= 1 - a by rewrite subr_ge0.
split=> [t|]; first by rewrite addr_ge0 // mulr_ge0.
by rewrite big_split /= -!mulr_sumr p1 q1; ring.
Qed.
