(** Canonical noise: its distribution function, the trade-off equation, and what that makes whole. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify ring.
From provedp Require Import privacy optimum guarantees universal dominance.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** ** Definitions *)

Section Definitions.
Variable R : archiFieldType.
Variables k delta : R.
Notation half := ((1 + 1)^-1).

(** Whole steps up from [x] to -1/2 or beyond it, the first that are enough. *)
Fact steps_reach (x : R) : exists n : nat, - half <= x + n%:R.
Proof.
have half0 : 0 <= half :> R by rewrite invr_ge0 ltW //; positive.
exists (Num.bound (- x)); have [x0|x0] := leP 0 x.
  by apply: (@le_trans _ _ 0); rewrite ?oppr_le0 ?addr_ge0 ?ler0n.
have := archi_boundP (_ : 0 <= - x); rewrite oppr_ge0 => /(_ (ltW x0)) far.
by apply: (@le_trans _ _ 0); rewrite ?oppr_le0 // -ler_subl_addl sub0r ltW.
Qed.
Definition steps_up (x : R) : nat := ex_minn (steps_reach x).

(** The distribution function up to 0: a line around 0, and [(y - delta) / k] of it one step on. *)
Definition canonical_below (x : R) : R := let n := steps_up x in
  Num.max 0 ((half + (1 - (1 + 1) * noise_edge k delta) * (x + n%:R) - level k delta n) / k ^+ n).

Definition canonical_cdf (x : R) : R :=
  if 0 < x then 1 - canonical_below (- x) else canonical_below x.

End Definitions.

(** ** The edge, and the slope of the middle *)

Lemma two_halves (R : realFieldType) : (1 + 1)^-1 + (1 + 1)^-1 = 1 :> R. Proof. by field. Qed.
Lemma half_gt0 (R : realFieldType) : 0 < (1 + 1)^-1 :> R. Proof. by rewrite invr_gt0; positive. Qed.

Section Edge.
Variable R : realFieldType.
Variables k delta : R.
Notation c := (noise_edge k delta).
Notation slope := (1 - (1 + 1) * c).
Hypothesis k_ge1 : 1 <= k.
Hypothesis delta01 : 0 <= delta < 1.

Let sum_gt0 : 0 < 1 + k. Proof. by rewrite addr_gt0 // (lt_le_trans ltr01). Qed.
Lemma edge_gt0 : 0 < c. Proof. by rewrite divr_gt0 // subr_gt0; case/andP: delta01. Qed.
Lemma edge_is : 1 - delta = c + k * c. Proof. by rewrite /noise_edge; field; rewrite gt_eqF. Qed.
Lemma edge_eq : k * c + delta = 1 - c.
Proof. by rewrite -[1](subrK delta) edge_is; ring. Qed.
Lemma slope_is : slope = (k - 1 + (1 + 1) * delta) / (1 + k).
Proof. by rewrite /noise_edge; field; rewrite gt_eqF. Qed.
Lemma slope_ge0 : 0 <= slope.
Proof.
have /andP[d0 _] := delta01; rewrite slope_is; apply: divr_ge0; last exact: ltW.
by apply: addr_ge0; [rewrite subr_ge0 | nonneg].
Qed.
Lemma slope_gt0 : 1 < k \/ 0 < delta -> 0 < slope.
Proof.
have /andP[d_ge0 _] := delta01; rewrite slope_is => -[k1|d0]; apply: divr_gt0 => //.
  by apply: ltr_paddr; [nonneg | rewrite subr_gt0].
by apply: ltr_paddl; [rewrite subr_ge0 | positive].
Qed.
End Edge.

(** ** From the recursion to the trade-off equation *)

Section Recursion.
Variable R : realFieldType.
Hypothesis archimedean : forall x : R, 0 <= x -> exists n : nat, x < n%:R.
Variables k delta : R.
Notation half := ((1 + 1)^-1).
Notation c := (noise_edge k delta).
Notation slope := (1 - (1 + 1) * c).

Hypothesis k_ge1 : 1 <= k.
Hypothesis delta01 : 0 <= delta < 1.
Hypothesis noisy : 1 < k \/ 0 < delta.

Let k_gt0 : 0 < k. Proof. exact: lt_le_trans ltr01 k_ge1. Qed.
Let d_ge0 : 0 <= delta. Proof. by case/andP: delta01. Qed.
Let half0 : 0 < half :> R. Proof. exact: half_gt0. Qed.
Let halves : half + half = 1 :> R. Proof. exact: two_halves. Qed.
Let edge_gt0 : 0 < c. Proof. exact: edge_gt0. Qed.
Let edge_is : 1 - delta = c + k * c. Proof. exact: edge_is. Qed.
Let edge_eq : k * c + delta = 1 - c. Proof. exact: edge_eq. Qed.
Let slope_gt0 : 0 < slope. Proof. exact: slope_gt0. Qed.

Implicit Types a p q x y : R.
Variable F : R -> R.
Hypothesis middle : forall x, - half <= x <= half -> F x = half + slope * x.
Hypothesis below : forall x, x < - half -> F x = Num.max 0 ((F (x + 1) - delta) / k).
Hypothesis symmetric : forall x, F (- x) = 1 - F x.

Let turn : - half <= half :> R. Proof. by rewrite (@le_trans _ _ 0) ?oppr_le0 ?ltW. Qed.
Lemma at_half : F half = 1 - c. Proof. by rewrite middle ?turn ?lexx //; field. Qed.
Lemma at_minus : F (- half) = c. Proof. by rewrite middle ?turn ?lexx //; field. Qed.

Lemma downwards (Q : R -> Prop) : (forall x, - half <= x <= half -> Q x) ->
  (forall x, x < - half -> Q (x + 1) -> Q x) -> forall x, x <= half -> Q x.
Proof.
move=> near step x xh0; have [|n far] := archimedean (x := half - x); first by rewrite subr_ge0.
have {}far : - half <= x + n%:R.
  by rewrite ltW // (lt_le_trans (y := half)) // ?gtr_opp // -ler_subl_addl ltW.
elim: n x far xh0 => [|n IH] x far xh; first by apply: near; rewrite xh -[x]addr0 far.
have [low|low] := leP (- half) x; first by apply: near; rewrite low.
apply: step => //; apply: IH; first by rewrite -addrA -mulrS.
by rewrite -ler_subr_addr -[X in half - X]halves opprD addrA subrr add0r ltW.
Qed.

Lemma near_or_below x : x <= half -> - half <= x <= half \/ x < - half.
Proof. by move=> xh; have [l|l] := leP (- half) x; [left; rewrite xh | right]. Qed.

Lemma step_stays x : x < - half -> x + 1 < half.
Proof. by move=> l; rewrite -ltr_subr_addr -[X in half - X]halves opprD addrA subrr add0r. Qed.

Lemma rises_below x : x <= half ->
  forall y, x < y -> y <= half -> F x <= F y /\ (0 < F y -> F x < F y).
Proof.
have line x' y : - half <= x' <= half -> x' < y -> y <= half -> F x' < F y.
  move=> /andP[l h] xy yh; rewrite !middle ?l ?h ?yh ?(le_trans l (ltW xy)) //.
  by rewrite ltr_add2l ltr_pmul2l.
move: x; apply: downwards => x.
  by move=> inside y xy yh; have less := line _ _ inside xy yh; split=> //; rewrite ltW.
move=> low IH y xy yh; rewrite [F x]below //.
have [yl|yl] := leP (- half) y.
  have [_ less] := IH half (step_stays low) (lexx _).
  have {}less : F (x + 1) < 1 - c.
    by rewrite -at_half less // at_half -edge_eq ltr_paddr //; positive.
  have lessc : Num.max 0 ((F (x + 1) - delta) / k) < c.
    rewrite lt_maxl edge_gt0 ltr_pdivr_mulr // ltr_subl_addr mulrC edge_eq; exact: less.
  have cy : c <= F y.
    by rewrite -at_minus !middle ?turn ?yl ?lexx // ler_add2l ler_pmul2l.
  by split=> [|_]; [apply: le_trans cy; exact: ltW | exact: lt_le_trans cy].
have xy1 : x + 1 < y + 1 by rewrite ltr_add2r.
have [le less] := IH (y + 1) xy1 (ltW (step_stays yl)).
rewrite [F y]below //; split.
  rewrite le_maxl !le_maxr lexx /=; apply/orP; right.
  by rewrite ler_pmul2r ?invr_gt0 // ler_add2r.
rewrite lt_maxr ltxx /= => pos; rewrite lt_maxl !lt_maxr ltxx pos /=; apply/orP; right.
rewrite ltr_pmul2r ?invr_gt0 // ltr_add2r less //.
move: pos; rewrite pmulr_lgt0 ?invr_gt0 // subr_gt0; exact: le_lt_trans.
Qed.

Lemma low_values x : x <= half -> 0 <= F x <= 1 - c.
Proof.
move=> xh; apply/andP; split.
  case: (near_or_below xh) => [inside|low]; last by rewrite below // le_maxr lexx.
  case/andP: (inside) => l _; rewrite (le_trans (ltW edge_gt0)) // -at_minus !middle ?turn ?lexx //.
  by rewrite ler_add2l ler_pmul2l.
rewrite -at_half; move: xh; rewrite le_eqVlt => /orP[/eqP -> //|less].
by case: (rises_below (ltW less) less (lexx _)).
Qed.

Let mirrored x : half < x -> - x <= half.
Proof. by move=> hx; apply: (@le_trans _ _ (- half)); rewrite ?ler_opp2 ?(ltW hx). Qed.

Lemma within x : 0 <= F x <= 1.
Proof.
have [xh|hx] := leP x half.
  have /andP[-> h] := low_values xh; rewrite (le_trans h) // ler_subl_addr ler_addl ltW //.
have /andP[l h] := low_values (mirrored hx); rewrite -[x]opprK symmetric subr_ge0 ler_subl_addr ler_addl l.
by rewrite (le_trans h) // ler_subl_addr ler_addl ltW.
Qed.

Lemma rises x y : x < y -> F x <= F y /\ (0 < F x < 1 -> F x < F y).
Proof.
have low x' y' : x' < y' -> y' <= half -> F x' <= F y' /\ (0 < F x' < 1 -> F x' < F y').
  move=> xy yh; have [le less] := rises_below (ltW (lt_le_trans xy yh)) xy yh; split=> //.
  by case/andP => x0 _; apply: less; exact: lt_le_trans le.
have high x' y' : x' < y' -> - half <= x' -> F x' <= F y' /\ (0 < F x' < 1 -> F x' < F y').
  move=> xy xh; have yx : - y' < - x' by rewrite ltr_opp2.
  have xh' : - x' <= half by rewrite ler_oppl.
  have [] := rises_below (ltW (lt_le_trans yx xh')) yx xh'.
  rewrite !symmetric ler_add2l ler_opp2 ltr_add2l ltr_opp2 => le less; split=> // /andP[_ x1].
  by apply: less; rewrite subr_gt0.
move=> xy; have [yh|hy] := leP y half; first exact: low.
have [xh|hx] := leP (- half) x; first exact: high.
have minus0 : - half <= 0 :> R by rewrite oppr_le0 ltW.
have x0 : x < 0 := lt_le_trans hx minus0.
have [l1 s1] := low _ _ x0 (ltW half0).
have [l2 _] := high 0 y (lt_trans half0 hy) minus0.
by split=> [|in01]; [exact: le_trans l2 | exact: lt_le_trans (s1 in01) l2].
Qed.

Lemma value_near p : c <= p <= 1 - c -> exists2 x, x <= half & F x = p.
Proof.
move=> /andP[cp p1]; exists ((p - half) / slope).
  rewrite ler_pdivr_mulr // ler_subl_addr (le_trans p1) // le_eqVlt; apply/orP; left.
  by apply/eqP; field.
rewrite middle; first by rewrite mulrC divfK ?gt_eqF // addrC subrK.
rewrite ler_pdivr_mulr // ler_pdivl_mulr //; apply/andP; split.
  by rewrite ler_subr_addr (le_trans _ cp) // le_eqVlt; apply/orP; left; apply/eqP; field.
by rewrite ler_subl_addr (le_trans p1) // le_eqVlt; apply/orP; left; apply/eqP; field.
Qed.

(** Up from [p], [k p + delta] gains at least what it does at the first step. *)
Lemma value_below (p0 p : R) n : 0 < p0 -> p0 <= p <= 1 - c ->
  c <= p + n%:R * ((k - 1) * p0 + delta) -> exists2 x, x <= half & F x = p.
Proof.
move=> pos; elim: n p => [|n IH] p /andP[p0p p1] reach.
  by apply: value_near; rewrite p1 andbT; move: reach; rewrite mul0r addr0.
have [cp|pc] := leP c p; first by apply: value_near; rewrite cp.
set g := (k - 1) * p0 + delta in reach IH.
have up : p + g <= k * p + delta.
  apply: (@le_by _ ((k - 1) * (p - p0))); first by rewrite /g; ring.
  by rewrite mulr_ge0 ?subr_ge0.
have g0 : 0 <= g by rewrite addr_ge0 // mulr_ge0 ?subr_ge0 // ltW.
have [||x xh Fx] := IH (k * p + delta).
- rewrite (le_trans p0p) ?(le_trans _ up) ?ler_addl //=.
  by rewrite -edge_eq ler_add2r ler_pmul2l // ltW.
- by apply: le_trans reach _; rewrite mulrS mulrDl mul1r addrA ler_add2r.
have less : x < half.
  rewrite lt_neqAle xh andbT; apply/eqP => e; move: Fx; rewrite e at_half -edge_eq.
  by move/addIr/(mulfI (lt0r_neq0 k_gt0)) => ecp; rewrite ecp ltxx in pc.
have low : x - 1 < - half by rewrite ltr_subl_addr -[X in - half + X]halves addrA addNr add0r.
exists (x - 1); first by rewrite (le_trans (ltW low)).
by rewrite below // subrK Fx addrK mulrC mulKf ?gt_eqF // max_r // (le_trans (ltW pos)).
Qed.

Lemma takes_values p : 0 < p < 1 -> exists x, F x = p.
Proof.
have low q : 0 < q -> q <= 1 - c -> exists x, F x = q.
  move=> q0 q1; set g := (k - 1) * q + delta.
  have g0 : 0 < g.
    rewrite /g; have [k1|d0] := noisy; first by rewrite ltr_paddr // mulr_gt0 // subr_gt0.
    by rewrite ltr_paddl // mulr_ge0 ?subr_ge0 // ltW.
  have [|n far] := archimedean (x := c / g); first by rewrite divr_ge0 // ltW.
  have [||x _ Fx] := @value_below q q n q0; first by rewrite lexx.
    by rewrite ler_paddl ?(ltW q0) // -ler_pdivr_mulr // ltW.
  by exists x.
move=> /andP[p0 p1]; have [ph|hp] := leP p (1 - c); first exact: low.
have c1 : c <= 1 - c by rewrite -at_half -at_minus !middle ?turn ?lexx // ler_add2l ler_pmul2l.
have [||x Fx] := low (1 - p); first by rewrite subr_gt0.
  by rewrite (le_trans _ c1) // ler_subl_addr addrC -ler_subl_addr ltW.
by exists (- x); rewrite symmetric Fx subKr.
Qed.

(** What the trade-off function is on either side of its fixed point [c]. *)
Lemma trade_off_low a : a <= c -> trade_off k delta a = 1 - delta - k * a.
Proof.
move=> ac; rewrite /trade_off.
have high : c <= 1 - delta - k * a.
  apply: (@le_by _ (k * (c - a))); last by rewrite mulr_ge0 ?subr_ge0 // ltW.
  by rewrite edge_is; ring.
rewrite (max_l (x := 1 - delta - k * a)) ?max_r ?(le_trans (ltW edge_gt0)) //.
rewrite ler_pdivr_mulr //; apply: (@le_by _ ((k ^+ 2 - 1) * (c - a))).
  by rewrite edge_is; ring.
by rewrite mulr_ge0 ?subr_ge0 // exprn_ege1.
Qed.

Lemma trade_off_high a : c <= a -> trade_off k delta a = Num.max 0 ((1 - delta - a) / k).
Proof.
move=> ca; rewrite /trade_off (max_r (x := 1 - delta - k * a)) //.
rewrite ler_pdivl_mulr //; apply: (@le_by _ ((k ^+ 2 - 1) * (a - c))).
  by rewrite edge_is; ring.
by rewrite mulr_ge0 ?subr_ge0 // exprn_ege1.
Qed.

Lemma meets_the_trade_off x : 0 < F x < 1 -> F (x - 1) = trade_off k delta (1 - F x).
Proof.
move=> /andP[x0 x1]; have [xh|] := ltP x half.
  have low : x - 1 < - half by rewrite ltr_subl_addr -[X in - half + X]halves addrA addNr add0r.
  have /andP[_ h] := low_values (ltW xh).
  rewrite below // subrK trade_off_high; last by rewrite ler_subr_addl -ler_subr_addr.
  by congr (Num.max 0 (_ / k)); ring.
rewrite le_eqVlt => /orP[/eqP <-|hx].
  rewrite at_half subKr trade_off_low // edge_is addrK -at_minus; congr F.
  by rewrite -[X in _ - X]halves opprD addrA subrr sub0r.
have low : - x < - half by rewrite ltr_opp2.
have := below low; rewrite symmetric => e.
have pos : 0 < 1 - F x by rewrite subr_gt0.
have small : 1 - F x <= c.
  by rewrite -symmetric -at_minus; case: (rises low).
rewrite trade_off_low // e max_r; last by move: pos; rewrite e lt_maxr ltxx => /ltW.
rewrite mulrC divfK ?gt_eqF // (_ : x - 1 = - (- x + 1)) ?symmetric; last by ring.
by move: (F _) => y; ring.
Qed.

Lemma recursion_is_canonical : canonical k delta F.
Proof.
split; [exact: within | | exact: symmetric | split; [|split]].
- by move=> x y; rewrite le_eqVlt => /orP[/eqP -> //|/rises[]].
- by move=> x y /rises[].
- exact: takes_values.
- exact: meets_the_trade_off.
Qed.

End Recursion.

(** ** The distribution function itself *)

Section Cdf.
Variable R : archiFieldType.
Variables k delta : R.
Implicit Types x : R.
Notation half := ((1 + 1)^-1).
Notation c := (noise_edge k delta).
Notation slope := (1 - (1 + 1) * c).
Notation F := (canonical_cdf k delta).

Hypothesis k_ge1 : 1 <= k.
Hypothesis delta01 : 0 <= delta < 1.

Let k_gt0 : 0 < k. Proof. exact: lt_le_trans ltr01 k_ge1. Qed.
Let half0 : 0 < half :> R. Proof. exact: half_gt0. Qed.
Let halves : half + half = 1 :> R. Proof. exact: two_halves. Qed.

Lemma canonical_cdf_above (x : R) : 0 < x -> F x = 1 - F (- x).
Proof. by move=> x0; rewrite /canonical_cdf oppr_gt0 x0 ltNge (ltW x0). Qed.

Lemma steps_up_is (x : R) n : - half <= x + n%:R -> (n == 0%N) || (x + n%:R < half) ->
  steps_up x = n.
Proof.
move=> enough first; rewrite /steps_up; case: ex_minnP => m reach least.
apply/eqP; rewrite eqn_leq least // leqNgt; apply/negP => mn.
case/orP: first => [/eqP n0|low]; first by rewrite n0 ltn0 in mn.
have : x + m%:R < - half.
  apply: (@le_lt_trans _ _ (x + n%:R - 1)).
    by rewrite -addrA ler_add2l ler_subr_addr -mulrSr ler_nat.
  by rewrite ltr_subl_addr -[X in - half + X]halves addrA addNr add0r.
by rewrite ltNge reach.
Qed.

Lemma steps_up_spec (x : R) :
  - half <= x + (steps_up x)%:R /\ (steps_up x == 0%N) || (x + (steps_up x)%:R < half).
Proof.
rewrite /steps_up; case: ex_minnP => -[|n] reach least; split=> //.
rewrite ltNge; apply/negP => over; have := least n; rewrite ltnn => less; apply: (notF (less _)).
move: over; rewrite mulrSr addrA -ler_subl_addr -[X in _ - X]halves.
by rewrite opprD addrA subrr sub0r.
Qed.

(** The Python formula: where [n] steps lead to the middle. *)
Lemma canonical_cdf_at (x : R) n : x <= 0 -> - half <= x + n%:R -> (n == 0%N) || (x + n%:R < half) ->
  F x = Num.max 0 ((half + slope * (x + n%:R) - level k delta n) / k ^+ n).
Proof.
by move=> x0 enough first; rewrite /canonical_cdf ltNge x0 /= /canonical_below (steps_up_is enough).
Qed.

Lemma cdf_near0 (x : R) : - half <= x <= 0 -> F x = half + slope * x.
Proof.
move=> /andP[l x0]; rewrite (@canonical_cdf_at x 0) ?addr0 // /level big_ord0 mulr0 subr0 divr1.
apply: max_r; rewrite (le_trans (ltW (edge_gt0 k_ge1 delta01))) //.
apply: (@le_by _ (slope * (x + half))); first by field.
by rewrite mulr_ge0 ?slope_ge0 // -ler_subl_addr sub0r.
Qed.

Lemma cdf_symmetric (x : R) : F (- x) = 1 - F x.
Proof.
have [pos|neg|<-] := ltgtP 0 x.
- by rewrite /canonical_cdf oppr_gt0 pos ltNge (ltW pos) /= subKr.
- by rewrite /canonical_cdf oppr_gt0 neg ltNge (ltW neg) /= opprK.
rewrite oppr0 cdf_near0 ?lexx ?oppr_le0 ?ltW // mulr0 addr0.
by rewrite -[X in X - _]halves addrK.
Qed.

Lemma cdf_middle (x : R) : - half <= x <= half -> F x = half + slope * x.
Proof.
move=> /andP[l h]; have [x0|x0] := leP x 0; first by rewrite cdf_near0 ?l.
rewrite -[x in LHS]opprK cdf_symmetric cdf_near0 ?ler_opp2 ?h ?oppr_le0 ?(ltW x0) //.
by rewrite mulrN opprB addrCA [RHS]addrC; congr (_ + _); rewrite -[X in X - _]halves addrK.
Qed.

Lemma cdf_below (x : R) : x < - half -> F x = Num.max 0 ((F (x + 1) - delta) / k).
Proof.
move=> low; have x0 : x <= 0 by rewrite ltW // (lt_trans low) // oppr_lt0.
have next : x + 1 < half by rewrite -ltr_subr_addr -[X in half - X]halves opprD addrA subrr add0r.
have [near|far] := leP (- half) (x + 1).
  rewrite (@canonical_cdf_at x 1) ?next // cdf_middle ?near ?(ltW next) // expr1.
  by rewrite /level big_ord_recl big_ord0 expr0 addr0 mulr1.
have [reach] := steps_up_spec (x + 1); set n := steps_up (x + 1) in reach *; case/orP => [/eqP n0|first].
  by move: reach; rewrite n0 addr0 leNgt far.
have x1 : x + 1 <= 0 by rewrite ltW // (lt_trans far) // oppr_lt0.
have e : x + n.+1%:R = x + 1 + n%:R by rewrite mulrS addrA.
rewrite (@canonical_cdf_at x n.+1) ?e ?reach ?first ?orbT // (@canonical_cdf_at (x + 1) n) ?first ?orbT //.
set y := half + slope * _.
have -> : level k delta n.+1 = level k delta n + delta * k ^+ n.
  by rewrite /level big_ord_recr mulrDr.
have kn : 0 < k ^+ n by rewrite exprn_gt0.
have last : (y - (level k delta n + delta * k ^+ n)) / k ^+ n.+1 =
    ((y - level k delta n) / k ^+ n - delta) / k.
  by rewrite exprS; field; rewrite !gt_eqF.
rewrite last; have [neg|pos] := leP ((y - level k delta n) / k ^+ n) 0; last by [].
have /andP[d0 _] := delta01.
by rewrite !max_l //; rewrite pmulr_lle0 ?invr_gt0 // subr_le0 // (le_trans neg).
Qed.

End Cdf.

(** ** What the claims say *)

Section Claims.
Variable R : archiFieldType.
Lemma archimedean (x : R) : 0 <= x -> exists n : nat, x < n%:R.
Proof. by move=> x0; exists (Num.bound x); exact: archi_boundP. Qed.

Variables k delta : R.
Hypothesis k_ge1 : 1 <= k.
Hypothesis delta01 : 0 <= delta < 1.
Hypothesis noisy : 1 < k \/ 0 < delta.

Lemma cdf_is_canonical : canonical k delta (canonical_cdf k delta).
Proof.
apply: (recursion_is_canonical archimedean) => // x.
- exact: cdf_middle.
- exact: cdf_below.
exact: cdf_symmetric.
Qed.

End Claims.

(** [counting.canonical_noise_meets_its_trade_off] *)
Theorem canonical_noise_meets_its_trade_off (R : archiFieldType) (k delta : R) :
  1 <= k -> 0 <= delta < 1 -> 1 < k \/ 0 < delta ->
  let F := canonical_cdf k delta in
  (forall x, 0 < F x < 1 -> F (x - 1) = trade_off k delta (1 - F x)) /\
  (forall x, F (- x) = 1 - F x).
Proof.
by move=> k1 in01 noisy; have [_ _ sym [_ [_ meets]]] := cdf_is_canonical k1 in01 noisy.
Qed.

(** [counting.canonical_noise_is_universally_optimal] *)
Theorem canonical_noise_is_universally_optimal (R : archiFieldType) (m : nat) (k delta : R)
    (P : 'I_m.+1 -> 'I_m.+1 -> R) :
  1 <= k -> 0 <= delta < 1 -> 1 < k \/ 0 < delta -> stochastic P -> private k delta P ->
  exists t : 'I_m.+1 -> threshold R,
    [/\ forall j j' : 'I_m.+1, j' = j.+1 :> nat -> ascends (t j) (t j'),
        forall i, law (rounded (canonical_cdf k delta) t i) &
        forall loss : 'I_m.+1 -> 'I_m.+1 -> R, unimodal loss ->
          forall i, \sum_l loss i l * rounded (canonical_cdf k delta) t i l <=
                    \sum_l loss i l * P i l].
Proof.
move=> k1 in01 noisy P_law priv; have cF := cdf_is_canonical k1 in01 noisy.
exact: (dominance.canonical_noise_is_universally_optimal k1 in01 cF P_law priv).
Qed.
