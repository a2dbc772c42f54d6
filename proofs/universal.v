(** Canonical noise for counts: the cells that [UniversalCount] releases are private. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify ring.
From provedp Require Import privacy optimum guarantees structure several.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Cells.
Variable R : realFieldType.
Variables k delta : R.
Variable L : nat.

(** ** Definitions

    The noise is a whole number n of steps, of weight k^-|n|, plus a place in one of three parts of
    the unit around n, and is refused beyond S = L + [over]. *)

Definition noise_edge : R := (1 - delta) / (1 + k).
Definition level (n : nat) : R := delta * (\sum_(i < n) k ^+ i).
Definition over : R := (1 + 1)^-1 - (level L - noise_edge) / (1 - (1 + 1) * noise_edge).

(** The parts of a unit, [-1/2, -|over|], [-|over|, |over|] and [|over|, 1/2], seen from the count. *)
Definition width (part : 'I_3) : R :=
  if part == 1%N :> nat then (1 + 1) * `|over| else (1 + 1)^-1 - `|over|.
Definition inside (part : 'I_3) : bool := (part == 0%N :> nat) || (part == 1%N :> nat) && (0 < over).
Definition accepted (n : nat) (part : 'I_3) : bool := (n < L)%N || (n == L) && inside part.

(** Cell [c] is [c.1 - L] steps from the first of two neighbouring counts; [x] is 0 or 1. No other
    cell can be released for either. *)
Definition steps (x : nat) (a : nat) : nat := ((a - (L + x)) + (L + x - a))%N.
Definition cells (x : nat) (c : 'I_(L + L).+2 * 'I_3) : R :=
  width c.2 * k ^- steps x c.1 * (accepted (steps x c.1) (if (L + x < c.1)%N then c.2 else rev_ord c.2))%:R
  * (1 - (1 + 1) * noise_edge).

(** ** One unit *)

Hypothesis k_ge1 : 1 <= k.
Hypothesis delta01 : 0 < delta < 1.
Hypothesis L_gt0 : (0 < L)%N.
Hypothesis first : level L.-1 < noise_edge <= level L.

Lemma k_gt0 : 0 < k. Proof. exact: lt_le_trans ltr01 k_ge1. Qed.
Lemma d_gt0 : 0 < delta. Proof. by case/andP: delta01. Qed.
#[local] Hint Resolve k_gt0 d_gt0 : core.
Lemma kn_gt0 n : 0 < k ^+ n. Proof. exact: exprn_gt0. Qed.
Lemma s_gt0 : 0 < 1 + k. Proof. by positive. Qed.
#[local] Hint Resolve kn_gt0 s_gt0 : core.
Let z : R := 1 - (1 + 1) * noise_edge.
Lemma z_eq : z = (k - 1 + (1 + 1) * delta) / (1 + k).
Proof. by rewrite /z /noise_edge; field; rewrite gt_eqF. Qed.
Lemma z_gt0 : 0 < z.
Proof. by rewrite z_eq divr_gt0 // ltr_paddl ?subr_ge0 //; positive. Qed.
#[local] Hint Resolve z_gt0 : core.
Lemma two_gt0 : 0 < (1 + 1 : R). Proof. by positive. Qed.
#[local] Hint Resolve two_gt0 : core.

Definition share : R := (1 + 1)^-1 + over.

Lemma share_is : share = 1 - (level L - noise_edge) / z.
Proof. by rewrite /share /over -/z; move: ((level L - noise_edge) / z) => y; field. Qed.

Lemma over_is_within : `|over| <= (1 + 1)^-1.
Proof.
have half : (1 + 1)^-1 + (1 + 1)^-1 = 1 :> R by field.
case/andP: first => low high.
have up : over <= (1 + 1)^-1.
  by rewrite /over -/z ler_subl_addr ler_addl divr_ge0 ?(ltW z_gt0) ?subr_ge0.
have next : level L = k * level L.-1 + delta.
  rewrite -[in LHS](prednK L_gt0) /level big_ord_recl expr0 mulrDr mulr1 addrC; congr (_ + _).
  rewrite mulrCA; congr (_ * _); rewrite mulr_sumr; apply: eq_bigr => i _.
  by rewrite lift0 exprS.
have small : level L - noise_edge <= z.
  rewrite next /z; apply: (@le_by _ (k * (noise_edge - level L.-1) + (1 - delta - (1 + k) * noise_edge))).
    by ring.
  rewrite addr_ge0 ?mulr_ge0 ?subr_ge0 ?(ltW low) ?(ltW k_gt0) //.
  by rewrite /noise_edge mulrC divfK // gt_eqF.
have down : - (1 + 1)^-1 <= over.
  rewrite /over -/z ler_subr_addr addrC -ler_subr_addr opprK half ler_pdivr_mulr // mul1r.
  exact: small.
by rewrite ler_norml down up.
Qed.

Lemma sum_of_parts (f : 'I_3 -> R) :
  \sum_p f p = f (inord 0) + f (inord 1) + f (inord 2).
Proof.
rewrite !big_ord_recl big_ord0 addr0 !addrA.
by congr (f _ + f _ + f _); apply: val_inj; rewrite /= inordK.
Qed.

Lemma width_ge0 part : 0 <= width part.
Proof. by rewrite /width; case: ifP => _; rewrite ?subr_ge0 ?over_is_within ?mulr_ge0 // ltW. Qed.

Lemma width_of_mirror part : width (rev_ord part) = width part.
Proof.
have [->|->|->] : [\/ part = inord 0, part = inord 1 | part = inord 2].
- case: part => [[|[|[|n]]] h] //; [apply: Or31 | apply: Or32 | apply: Or33];
    by apply: val_inj; rewrite /= inordK.
- by rewrite /width /= !inordK.
- by rewrite /width /= !inordK.
by rewrite /width /= !inordK.
Qed.

Lemma widths_inside : \sum_p width p * (inside p)%:R = share /\ \sum_p width p = 1.
Proof.
rewrite !sum_of_parts /width /inside !inordK //= mulr1 mulr0 addr0 /share; split.
  have [pos|neg] := ltP 0 over.
    rewrite ger0_norm ?(ltW pos) // mulr1.
    by move: (over) ((1 + 1)^-1 : R) => o h; ring.
  by rewrite ler0_norm // mulr0 addr0 opprK.
by move: `|over| => y; field.
Qed.

Definition held (n : nat) : R := if (n < L)%N then 1 else if n == L then share else 0.

Lemma widths_accepted n (flip : bool) :
  \sum_p width p * (accepted n (if flip then p else rev_ord p))%:R = held n.
Proof.
have straight : \sum_p width p * (accepted n p)%:R = held n.
  rewrite /held /accepted; have [e1 e2] := widths_inside.
  case: ltnP => nL /=; first by rewrite -[RHS]e2; apply: eq_bigr => p _; rewrite mulr1.
  case: eqP => _ /=; first exact: e1.
  by rewrite big1 // => p _; rewrite mulr0.
case: flip; first exact: straight.
rewrite -straight [RHS](reindex_inj rev_ord_inj) /=; apply: eq_bigr => p _.
by rewrite width_of_mirror.
Qed.

(** ** All units: the law *)

Let X : R := k ^+ L.
Let s : R := \sum_(i < L) k ^+ i.
Lemma X_gt0 : 0 < X. Proof. exact: kn_gt0. Qed.
#[local] Hint Resolve X_gt0 : core.
Lemma X_eq : X = 1 + (k - 1) * s.
Proof. by rewrite /X /s -subrX1 addrC subrK. Qed.

Lemma sum_of_inverses (n : nat) : \sum_(i < n) k ^- i.+1 = (\sum_(i < n) k ^+ i) / k ^+ n.
Proof.
elim: n => [|n IH]; first by rewrite !big_ord0 mul0r.
rewrite !big_ord_recr /= IH exprS; have e : k ^+ n = 1 + (k - 1) * (\sum_(i < n) k ^+ i).
  by rewrite -subrX1 addrC subrK.
have : k ^+ n != 0 by rewrite gt_eqF.
rewrite e; move: (\sum_(i < n) k ^+ i) => t t0; field.
by rewrite t0 gt_eqF.
Qed.

(** What a cell's unit has: by the number of steps. *)
Definition unit_has (n : nat) : R := k ^- n * held n * z.

Lemma one_side : \sum_(i < L) unit_has i.+1 = (s - (1 - share)) / X * z.
Proof.
rewrite /unit_has -mulr_suml; congr (_ * z).
have -> : \sum_(i < L) k ^- i.+1 * held i.+1 = \sum_(i < L) (k ^- i.+1 - (i.+1 == L)%:R * (k ^- i.+1 * (1 - share))).
  apply: eq_bigr => i _; rewrite /held.
  have [->|ne] := eqVneq i.+1 L; first by rewrite ltnn mul1r; ring.
  by rewrite ltn_neqAle ne ltn_ord mulr1 mul0r subr0.
rewrite sumrB sum_of_inverses -/s -/X mulrBl; congr (_ - _).
have last : (L.-1 < L)%N by rewrite prednK.
rewrite (bigD1 (Ordinal last)) //= prednK // eqxx mul1r big1 ?addr0; first by rewrite mulrC.
move=> i; rewrite -val_eqE /= => ne; rewrite (_ : (i.+1 == L) = false) ?mul0r //.
by apply/negbTE/eqP => iL; case/eqP: ne; rewrite -[RHS]/(L.-1); apply: succn_inj; rewrite iL prednK.
Qed.

Lemma identity : 1 + (1 + 1) * ((s - (1 - share)) / X) = z^-1.
Proof.
have z0 : z != 0 by rewrite gt_eqF.
have e : (1 - share) = (delta * s - noise_edge) / z by rewrite share_is opprB addrC subrK.
have X0 : 1 + (k - 1) * s != 0 by rewrite -X_eq gt_eqF.
rewrite e X_eq; have c : noise_edge = (1 - z) / (1 + 1) by rewrite /z; field.
have d : delta = z - (k - 1) * noise_edge.
  by rewrite z_eq /noise_edge; field; rewrite gt_eqF.
rewrite d c; move: X0 z0; move: (z) (s) => y t t0 y0; field.
by rewrite t0 y0.
Qed.

Lemma law_of_units : unit_has 0 + (1 + 1) * (\sum_(i < L) unit_has i.+1) = 1.
Proof.
rewrite one_side /unit_has expr0 invr1 /held L_gt0 !mul1r mulrA.
by rewrite -[X in X + _]mul1r -mulrDl identity mulVf // gt_eqF.
Qed.

Lemma sum_of_cells (f : 'I_(L + L).+2 * 'I_3 -> R) : \sum_c f c = \sum_a \sum_p f (a, p).
Proof. by rewrite pair_bigA; apply: eq_bigr => -[a p]. Qed.

Lemma unit_of_cells x (a : 'I_(L + L).+2) : \sum_p cells x (a, p) = unit_has (steps x a).
Proof.
rewrite /cells /= -mulr_suml /unit_has; congr (_ * z); rewrite -(widths_accepted _ (L + x < a)%N).
by rewrite mulr_sumr; apply: eq_bigr => p _; rewrite mulrAC mulrC.
Qed.

Lemma sum_of_steps (h : nat -> R) : h L.+1 = 0 ->
  \sum_(a < (L + L).+2) h (steps 0 a) = h 0%N + (1 + 1) * \sum_(i < L) h i.+1.
Proof.
move=> h0; rewrite -(big_mkord xpredT (fun a => h (steps 0 a))).
rewrite (@big_cat_nat _ _ _ L) //=; last by rewrite -addn2 -addnA leq_addr.
have -> : \sum_(0 <= a < L) h (steps 0 a) = \sum_(i < L) h i.+1.
  rewrite big_nat_rev /= big_mkord; apply: eq_bigr => i _; congr h.
  by move: (ltn_ord i); clear; rewrite /steps; lia.
have -> : \sum_(L <= a < (L + L).+2) h (steps 0 a) = \sum_(i < L.+2) h i.
  rewrite -[X in \sum_(X <= _ < _) _]add0n big_addn (_ : (L + L).+2 - L = L.+2)%N; last by clear; lia.
  by rewrite big_mkord; apply: eq_bigr => i _; congr h; rewrite /steps; clear; lia.
rewrite big_ord_recl big_ord_recr /= h0 addr0 mulrDl !mul1r addrCA; congr (_ + (_ + _)).
Qed.

Lemma steps_of_mirror (a : 'I_(L + L).+2) : steps 0 (rev_ord a) = steps 1 a.
Proof. by rewrite /steps /=; move: (ltn_ord a); clear; lia. Qed.

Lemma cells_are_a_law x : (x < 2)%N -> law (cells x).
Proof.
move=> x2; split=> [[a p]|].
  by rewrite /cells !mulr_ge0 ?width_ge0 ?ler0n ?invr_ge0 ?(ltW (kn_gt0 _)) // ltW.
rewrite sum_of_cells; under eq_bigr do rewrite unit_of_cells.
have beyond : unit_has L.+1 = 0.
  by rewrite /unit_has /held ltnNge leqnSn /= (gtn_eqF (leqnn _)) mulr0 mul0r.
case: x x2 => [|[|x]] // _; first by rewrite (sum_of_steps beyond) law_of_units.
rewrite (reindex_inj rev_ord_inj).
under eq_bigr => a _ do rewrite -(steps_of_mirror (rev_ord a)) rev_ordK.
by rewrite (sum_of_steps beyond) law_of_units.
Qed.

(** ** All units: privacy *)

Lemma accepted_before n p : accepted n.+1 p -> accepted n p.
Proof. by rewrite /accepted; case/orP => [/ltnW ->|/andP[/eqP <- _]]; rewrite ?ltnSn. Qed.

Definition lost (c : 'I_(L + L).+2 * 'I_3) : R :=
  if (c.1 <= L)%N then width c.2 * k ^- (L - c.1) *
    ((accepted (L - c.1) (rev_ord c.2))%:R - (accepted (L - c.1).+1 (rev_ord c.2))%:R) * z else 0.

Lemma lost_ge0 c : 0 <= lost c.
Proof.
rewrite /lost; case: ifP => // _; rewrite !mulr_ge0 ?width_ge0 ?invr_ge0 ?(ltW (kn_gt0 _)) ?(ltW z_gt0) //.
by rewrite subr_ge0 ler_nat; have := @accepted_before (L - c.1) (rev_ord c.2); case: (accepted _.+1 _) => // ->.
Qed.

Lemma cells_lose c : cells 0 c - k * cells 1 c <= lost c.
Proof.
case: c => a p; rewrite /lost /cells /= addn0 addn1; case: leqP => aL.
  have e0 : steps 0 a = (L - a)%N by rewrite /steps; move: aL; clear; lia.
  have e1 : steps 1 a = (L - a).+1 by rewrite /steps; move: aL; clear; lia.
  rewrite e0 e1 ltnNge (leqW aL) /= -/z; set q := rev_ord p; set n := (L - a)%N.
  have step : k * k ^- n.+1 = k ^- n by rewrite exprS invfM mulrA divff ?mul1r // gt_eqF.
  rewrite le_eqVlt; apply/orP; left; apply/eqP.
  move: (accepted n q)%:R (accepted n.+1 q)%:R (width p) z => u v y t; rewrite -step; ring.
have e0 : steps 0 a = (a - L)%N by rewrite /steps; move: aL; clear; lia.
have e1 : steps 1 a = (a - L).-1 by rewrite /steps; move: aL; clear; lia.
rewrite e0 e1 -/z subr_le0; set q := if _ then p else _.
have n0 : (0 < a - L)%N by rewrite subn_gt0.
have [into|out] := boolP (accepted (a - L) p); last first.
  by rewrite mulr0 mul0r !mulr_ge0 ?width_ge0 ?ler0n ?invr_ge0 ?(ltW (kn_gt0 _)) ?(ltW z_gt0) ?(ltW k_gt0).
have -> : accepted (a - L).-1 q.
  have near : (a - L <= L)%N by move: into; rewrite /accepted; case/orP => [/ltnW|/andP[/eqP ->]].
  by rewrite /accepted (leq_trans _ near) // prednK.
rewrite !mulr1 mulrA ler_wpmul2r ?(ltW z_gt0) // mulrCA ler_wpmul2l ?width_ge0 //.
rewrite -[X in k ^- X](prednK n0) exprS invfM.
have w0 : 0 <= k ^- (a - L).-1 by rewrite invr_ge0 ltW.
rewrite ler_wpmul2r // (le_trans (y := 1)) //.
by rewrite invf_le1.
Qed.

Lemma lost_in_all : \sum_c lost c = delta.
Proof.
rewrite sum_of_cells.
have unit_of (a : 'I_(L + L).+2) : \sum_p lost (a, p) =
    if (a < L.+1)%N then k ^- (L - a) * (held (L - a) - held (L - a).+1) * z else 0.
  rewrite /lost /= ltnS; case: leqP => aL; last by rewrite big1.
  rewrite -mulr_suml -(widths_accepted _ false) -(widths_accepted (L - a).+1 false) -sumrB mulr_sumr.
  by congr (_ * z); apply: eq_bigr => p _; rewrite -mulrBr mulrAC mulrC.
rewrite (eq_bigr _ (fun a _ => unit_of a)) -big_mkcond /=.
rewrite -(big_ord_widen _ (fun a => k ^- (L - a) * (held (L - a) - held (L - a).+1) * z)); last first.
  by rewrite ltnS -addnS leq_addr.
rewrite (reindex_inj rev_ord_inj) /=.
have back (a : 'I_L.+1) : (L - (L.+1 - a.+1) = a)%N by move: (ltn_ord a); clear; lia.
under eq_bigr do rewrite back; rewrite -mulr_suml big_ord_recr /=.
have last : (L.-1 < L)%N by rewrite prednK.
rewrite (bigD1 (Ordinal last)) //= big1 => [|i]; last first.
  rewrite -val_eqE /= => ne; rewrite /held ltn_ord.
  by rewrite (_ : (i.+1 < L)%N) ?subrr ?mulr0 //; move: ne (ltn_ord i) L_gt0; clear; lia.
rewrite addr0 prednK // /held ltnn eqxx last ltnNge leqnSn (gtn_eqF (leqnn _)) subr0.
have e : (1 - share) = (delta * s - noise_edge) / z by rewrite share_is opprB addrC subrK.
have s_eq : share = 1 - (delta * s - noise_edge) / z by rewrite -e opprB addrC subrK.
have XL : k ^- L.-1 = k / X.
  rewrite /X; case: (L) L_gt0 => // n _ /=.
  by rewrite exprS invfM mulrA divff ?mul1r // gt_eqF.
rewrite e XL -/X s_eq X_eq; have c : noise_edge = (1 - z) / (1 + 1) by rewrite /z; field.
have d : delta = z - (k - 1) * noise_edge by rewrite z_eq /noise_edge; field; rewrite gt_eqF.
have X0 : 1 + (k - 1) * s != 0 by rewrite -X_eq gt_eqF.
have z0 : z != 0 by rewrite gt_eqF.
rewrite d c; move: X0 z0; move: (z) (s) => y t t0 y0; field.
by rewrite t0 y0.
Qed.

Lemma cells_of_mirror c : cells 1 c = cells 0 (rev_ord c.1, rev_ord c.2).
Proof.
case: c => a p; rewrite /cells /= steps_of_mirror width_of_mirror addn0 addn1 rev_ordK.
congr (_ * _%:R * _).
have [mid|far] := eqVneq (steps 1 a) 0%N; first by rewrite mid /accepted L_gt0.
congr (accepted _ _); move: far (ltn_ord a); rewrite /steps => far aL.
case: (ltnP L.+1 a) => h1; case: (ltnP L ((L + L).+2 - a.+1)) => h2 //; exfalso;
  by move: far aL h1 h2; clear; lia.
Qed.

(** [counting.cells_of_canonical_noise_are_private] *)
Theorem cells_of_canonical_noise_are_private_here :
  [/\ law (cells 0), law (cells 1), close k delta (cells 0) (cells 1) &
      close k delta (cells 1) (cells 0)].
Proof.
have first_way : close k delta (cells 0) (cells 1).
  by apply: close_of_gaps cells_lose lost_ge0 _; rewrite lost_in_all.
split=> //; try exact: cells_are_a_law.
apply/close_iff_hockey_stick; move/close_iff_hockey_stick: first_way; apply: le_trans.
pose flip (c : 'I_(L + L).+2 * 'I_3) := (rev_ord c.1, rev_ord c.2).
have flipK : involutive flip by case=> a p; rewrite /flip /= !rev_ordK.
rewrite /E [X in _ <= X](reindex_inj (inv_inj flipK)) /=; apply: ler_sum => c _.
have e : cells 1 (flip c) = cells 0 c by rewrite cells_of_mirror -/(flip (flip c)) flipK.
by rewrite e cells_of_mirror.
Qed.

End Cells.

(** ** What the claims say *)

(** [counting.cells_of_canonical_noise_are_private], with delta: [L] is the first with
    [noise_edge <= level L], which there is. *)
Theorem cells_of_canonical_noise_are_private (R : realFieldType) (k delta : R) (L : nat) :
  1 <= k -> 0 < delta < 1 -> (0 < L)%N ->
  level k delta L.-1 < noise_edge k delta <= level k delta L ->
  [/\ law (@cells R k delta L 0), law (@cells R k delta L 1),
      close k delta (@cells R k delta L 0) (@cells R k delta L 1) &
      close k delta (@cells R k delta L 1) (@cells R k delta L 0)].
Proof. by move=> k1 in01 L0 first; exact: cells_of_canonical_noise_are_private_here. Qed.

(** Without delta: whole steps of weight k^-|n|, normalised by (k - 1)/(k + 1), and any finite set
    of cells; the place within a cell is uniform for every count. *)
Theorem geometric_cells_are_private (R : realFieldType) (k : R) (x x' : int) (U : seq int) :
  1 < k -> `|x - x'|%N = 1%N ->
  let chance (n : int) : R := (k - 1) / (k + 1) * k ^- `|n|%N in
  \sum_(z <- U) chance (z - x) <= k * (\sum_(z <- U) chance (z - x')) /\
  (forall N, \sum_(i < N) (chance i.+1 + chance (- (i.+1)%:Z)) + chance 0 =
             1 - (1 + 1) / (k + 1) * k ^- N).
Proof.
move=> k1 near chance; have k0 : 0 < k := lt_trans ltr01 k1.
have t0 : 0 < k - 1 by rewrite subr_gt0.
have s0 : 0 < k + 1 by positive.
split.
  rewrite mulr_sumr; apply: ler_sum => z _; rewrite /chance mulrCA ler_pmul2l ?divr_gt0 //.
  have h : (`|z - x'| <= `|z - x|.+1)%N by move: near; clear; lia.
  rewrite -(ler_pmul2l (exprn_gt0 `|z - x'| k0)) mulrCA divff ?gt_eqF ?exprn_gt0 // mulr1.
  by rewrite ler_pdivr_mulr ?exprn_gt0 // -exprS ler_weexpn2l // ltW.
elim=> [|N IH]; first by rewrite big_ord0 add0r /chance absz0 expr0 invr1; field; rewrite gt_eqF.
rewrite big_ord_recr /= addrAC IH /chance abszN absz_nat exprS.
have : k ^+ N != 0 by rewrite gt_eqF ?exprn_gt0.
by move: (k ^+ N) => y y0; field; rewrite y0 !gt_eqF.
Qed.
