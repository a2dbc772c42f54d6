(** Canonical noise hides steps of one count in every finite union of intervals. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify ring.
From provedp Require Import privacy universal dominance noise.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** Intervals ]a, b] one after the other, from [z] on, and how likely [x] plus noise is in one. *)
Fixpoint apart (R : realFieldType) (z : R) (s : seq (R * R)) : bool :=
  if s is (a, b) :: rest then [&& z <= a, a <= b & apart b rest] else true.
Definition chance (R : realFieldType) (F : R -> R) (s : seq (R * R)) (x : R) : R :=
  \sum_(I <- s) (F (I.2 - x) - F (I.1 - x)).

Lemma sum_of_rises (R : realFieldType) (g U : R -> R) top s z : (forall a, U a <= top) ->
  (forall a b, a <= b -> U a <= U b) -> (forall a b, a <= b -> g b - g a <= U b - U a) ->
  apart z s -> \sum_(I <- s) (g I.2 - g I.1) <= top - U z.
Proof.
move=> high mono less; elim: s z => [|[a b] s IH] z /=; first by rewrite big_nil subr_ge0.
case/and3P => za ab rest; rewrite big_cons /=.
apply: le_trans (ler_add (less _ _ ab) (IH b rest)) _.
by rewrite addrC addrA subrK ler_add2l ler_opp2 mono.
Qed.

Section Intervals.
Variable R : archiFieldType.
Variables k delta : R.
Notation half := ((1 + 1)^-1).
Notation c := (noise_edge k delta).
Notation F := (canonical_cdf k delta).

Hypothesis k_ge1 : 1 <= k.
Hypothesis delta01 : 0 <= delta < 1.
Hypothesis noisy : 1 < k \/ 0 < delta.
Implicit Types x y z : R.

Let k_gt0 : 0 < k. Proof. exact: lt_le_trans ltr01 k_ge1. Qed.
Let d_ge0 : 0 <= delta. Proof. by case/andP: delta01. Qed.
Let halves : half + half = 1 :> R. Proof. exact: two_halves. Qed.
Let edge_gt0 : 0 < c. Proof. exact: edge_gt0. Qed.
Let edge_eq : k * c + delta = 1 - c. Proof. exact: edge_eq. Qed.
Let symmetric x : F (- x) = 1 - F x. Proof. exact: cdf_symmetric. Qed.
Let below x : x < - half -> F x = Num.max 0 ((F (x + 1) - delta) / k).
Proof. exact: cdf_below. Qed.
Let at_half : F half = 1 - c. Proof. apply: at_half => //; exact: cdf_middle. Qed.
Let at_minus : F (- half) = c. Proof. apply: at_minus => //; exact: cdf_middle. Qed.
Let within x : 0 <= F x <= 1.
Proof. by have [w _ _ _] := cdf_is_canonical k_ge1 delta01 noisy. Qed.
Let mono x y : x <= y -> F x <= F y.
Proof. by have [_ rises _ _] := cdf_is_canonical k_ge1 delta01 noisy; exact: rises. Qed.

Definition gap x : R := F x - k * F (x - 1).

Lemma gap_low x : x <= half -> gap x = Num.min (F x) delta.
Proof.
move=> xh; rewrite /gap; have -> : F (x - 1) = Num.max 0 ((F x - delta) / k).
  have := below (x := x - 1); rewrite subrK => low; move: xh; rewrite le_eqVlt => /orP[/eqP ->|xh].
    rewrite (_ : half - 1 = - half) ?at_minus ?at_half; last first.
      by rewrite -[X in _ - X]halves opprD addrA subrr sub0r.
    by rewrite -edge_eq addrK mulrC mulKf ?gt_eqF // max_r // ltW.
  by apply: low; rewrite ltr_subl_addr -[X in - half + X]halves addrA addNr add0r.
rewrite maxr_pmulr ?(ltW k_gt0) // mulr0 mulrC divfK ?gt_eqF //.
have [Fd|dF] := leP (F x) delta; first by rewrite max_l ?subr_le0 // subr0.
by rewrite max_r ?subr_ge0 ?(ltW dF) // opprB addrC subrK.
Qed.

Lemma gap_high x y : half <= x -> x <= y -> gap y <= gap x.
Proof.
have back z : half <= z -> F (- z) = Num.max 0 ((F (1 - z) - delta) / k).
  rewrite le_eqVlt => /orP[/eqP <-|hz].
    rewrite at_minus (_ : 1 - half = half) ?at_half; last by rewrite -[X in X - _]halves addrK.
    by rewrite -edge_eq addrK mulrC mulKf ?gt_eqF // max_r // ltW.
  by rewrite below ?ltr_opp2 // [- z + 1]addrC.
have form z : half <= z -> gap z = 1 - k + (k * F (1 - z) - Num.max 0 ((F (1 - z) - delta) / k)).
  move=> hz; rewrite /gap -(back _ hz) symmetric -[1 - z]opprB symmetric; move: (F _) (F _) => a b; ring.
move=> hx xy; have hy := le_trans hx xy; rewrite !form // ler_add2l.
have less : F (1 - y) <= F (1 - x) by rewrite mono // ler_add2l ler_opp2.
move: (F _) (F _) less => v u uv.
have steep : (v - delta) / k - (u - delta) / k <= k * v - k * u.
  rewrite -mulrBl -mulrBr opprB addrA subrK ler_pdivr_mulr // mulrAC.
  by rewrite ler_pemull ?subr_ge0 // -expr2 exprn_ege1.
have [neg|pos] := leP ((v - delta) / k) 0.
  by rewrite subr0 ler_subl_addr (le_trans (y := k * v)) ?ler_pmul2l // ler_addl le_maxr lexx.
rewrite ler_subl_addr -ler_subl_addl; apply: (@le_trans _ _ ((u - delta) / k)); last first.
  by rewrite le_maxr lexx orbT.
apply: (@le_by _ ((k * v - k * u) - ((v - delta) / k - (u - delta) / k))); last by rewrite subr_ge0.
by move: (_ / k) (_ / k) => a b; ring.
Qed.

Let most x : R := Num.min (F x) delta.
Let most_is x : half <= x -> most x = delta.
Proof.
move=> hx; rewrite /most min_r // (le_trans _ (mono hx)) // at_half -edge_eq ler_addr.
by rewrite mulr_ge0 // ltW.
Qed.
Let most_rises x y : x <= y -> most x <= most y.
Proof. by move=> xy; rewrite /most le_minr !le_minl lexx mono ?orbT. Qed.
Let most01 x : 0 <= most x <= delta.
Proof. by rewrite /most le_minr le_minl lexx orbT d_ge0 !andbT; case/andP: (within x). Qed.

Lemma gap_rises x y : x <= y -> gap y - gap x <= most y - most x.
Proof.
move=> xy; have [yh|/ltW hy] := leP y half; first by rewrite !gap_low // (le_trans xy).
have [xh|/ltW hx] := leP x half; last by rewrite !most_is // subrr subr_le0 gap_high.
rewrite [gap x]gap_low // ler_add2r most_is // (le_trans (gap_high (lexx _) hy)) //.
by rewrite gap_low // -/(most _) most_is.
Qed.

Lemma intervals_are_private_here z s x x' : x' = x + 1 \/ x = x' + 1 -> apart z s ->
  chance F s x <= k * chance F s x' + delta.
Proof.
pose moved (I : R * R) := (I.1 - x, I.2 - x); move=> near.
have shift : apart z s -> apart (z - x) (map moved s).
  by elim: s z => //= -[a b] s IH z /and3P[za ab rest]; rewrite !ler_add2r za ab IH.
move=> /shift {shift}; rewrite -ler_subl_addl /chance mulr_sumr -sumrB.
case: near => [->|e].
  move/(sum_of_rises (g := gap) (fun a => proj2 (andP (most01 a))) most_rises gap_rises).
  rewrite big_map => sum; apply: le_trans (le_trans sum _); last first.
    by rewrite ler_subl_addr ler_addl; case/andP: (most01 (z - x)).
  rewrite le_eqVlt; apply/orP; left; apply/eqP; apply: eq_bigr => -[a b] _ /=.
  by rewrite /gap !opprD !addrA; move: (F _) (F _) (F _) (F _) => p q r t; ring.
move=> ap; have := @sum_of_rises R (fun y => - gap (- y)) (fun y => - most (- y)) 0 _ _ _ _ _ ap.
rewrite big_map sub0r opprK => sum; apply: (@le_trans _ _ (most (- (z - x)))); last first.
  by case/andP: (most01 (- (z - x))).
apply: le_trans (sum _ _ _).
- rewrite le_eqVlt; apply/orP; left; apply/eqP; apply: eq_bigr => -[a b] _ /=.
  have turned y : gap (- (y - x)) = 1 - F (y - x) - k * (1 - F (y - x')).
    by rewrite /gap (_ : - (y - x) - 1 = - (y - x')) ?symmetric // e; ring.
  by rewrite !turned; move: (F _) (F _) (F _) (F _) => p q r t; ring.
- by move=> a; rewrite oppr_le0; case/andP: (most01 (- a)).
- by move=> a b ab; rewrite ler_opp2 most_rises // ler_opp2.
by move=> a b ab; rewrite opprK addrC opprK [X in _ <= X]addrC gap_rises // ler_opp2.
Qed.

End Intervals.

(** [counting.canonical_noise_is_private], for every finite union of intervals *)
Theorem canonical_noise_is_private (R : archiFieldType) (k delta z x x' : R) (s : seq (R * R)) :
  1 <= k -> 0 <= delta < 1 -> 1 < k \/ 0 < delta -> `|x - x'| = 1 -> apart z s ->
  chance (canonical_cdf k delta) s x <= k * chance (canonical_cdf k delta) s x' + delta.
Proof.
move=> k1 in01 noisy near.
have sides : x' = x + 1 \/ x = x' + 1.
  have [le|/ltW le] := leP x x'; move: near; [rewrite ler0_norm ?subr_le0 // | rewrite ger0_norm ?subr_ge0 //].
    by move=> e; left; rewrite -e opprB addrC subrK.
  by move=> e; right; rewrite -e addrC subrK.
exact: intervals_are_private_here.
Qed.

