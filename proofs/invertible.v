(** P* is invertible unless nothing leaks, and the upper bounds of Proposition 1 follow from the
    shares as the paper defines them, capped at one. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify ring.
From provedp Require Import privacy optimum closed_form guarantees channels proposition circle.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Invertible.
Variable R : realFieldType.
Variable m : nat.
Notation M := m.+1.
Notation matrix := ('I_M -> 'I_M -> R).
Variables k delta : R.
Hypothesis k_ge1 : 1 <= k.
Hypothesis delta01 : 0 <= delta < 1.
Hypothesis leaks : 1 < k \/ 0 < delta.

Let k_gt0 : 0 < k. Proof. exact: lt_le_trans ltr01 k_ge1. Qed.
Notation P_star := (@release R m k delta).
Notation dist := (cyclic_distance m).

Lemma release_is_symmetric (i j : 'I_M) : P_star i j = P_star j i.
Proof. by rewrite /release distance_is_symmetric eq_sym. Qed.

Let w (d : nat) : R := k ^- d.
Let w_gt0 d : 0 < w d. Proof. by rewrite /w invr_gt0 exprn_gt0. Qed.
Let wS d : k * w d.+1 = w d.
Proof. by rewrite /w exprS invfM mulrA divff ?mul1r // gt_eqF. Qed.

(** The second difference of the kernel, negative off the diagonal. *)
Definition bend (i j : 'I_M) : R :=
  (1 + k ^+ 2) * w (dist i j) - k * w (dist (next i) j) - k * w (dist (last i) j).

Lemma bend_off_the_diagonal (i j : 'I_M) : i != j -> bend i j <= 0.
Proof.
move=> /distances_of_neighbours [a [b [da ba cases]]].
have far : w a.+1 <= k * w b.
  by rewrite -[X in X <= _](wS a.+1) ler_pmul2l // /w lef_pinv ?posrE ?exprn_gt0 // ler_weexpn2l.
have e : (1 + k ^+ 2) * w a.+1 = w a.+1 + k * w a by rewrite -(wS a); ring.
rewrite /bend da e; case: cases => -[-> ->].
  by apply: (@le_by _ (k * w b - w a.+1)); [ring | rewrite subr_ge0].
by apply: (@le_by _ (k * w b - w a.+1)); [ring | rewrite subr_ge0].
Qed.

Lemma bend_total (i : 'I_M) : \sum_j bend i j = (k - 1) ^+ 2 / alpha m k.
Proof.
have row (l : 'I_M) : \sum_(j < M) w (dist l j) = (alpha m k)^-1.
  have := alpha_total k_gt0 l; rewrite -/w => e.
  by rewrite -[LHS]mul1r -(@mulVf _ (alpha m k)) ?gt_eqF ?alpha_gt0 // -mulrA e mulr1.
rewrite /bend !sumrB -!mulr_sumr !row; ring.
Qed.

(** ** No vector vanishes *)

Lemma largest (x : 'I_M -> R) : exists i, forall j, `|x j| <= `|x i|.
Proof.
exists [arg max_(i > (ord0 : 'I_M)) `|x i|]%O => j.
by case: Order.TotalTheory.arg_maxP => // i' _; exact.
Qed.

Let a : R := (1 - delta) * alpha m k.
Let a_gt0 : 0 < a.
Proof. by case/andP: delta01 => _ d1; rewrite mulr_gt0 ?subr_gt0 // alpha_gt0. Qed.

Lemma star_times (x : 'I_M -> R) i :
  \sum_j P_star i j * x j = a * (\sum_(j < M) w (dist i j) * x j) + delta * x i.
Proof.
rewrite /release; under eq_bigr do rewrite mulrDl.
rewrite big_split /= mulr_sumr; congr (_ + _); first by apply: eq_bigr => j _; rewrite !mulrA.
rewrite (bigD1 i) //= eqxx mulr1 big1 ?addr0 // => j; rewrite eq_sym => /negbTE ->.
by rewrite mulr0 mul0r.
Qed.

Lemma bend_times (x : 'I_M -> R) i : \sum_j bend i j * x j =
  (1 + k ^+ 2) * (\sum_(j < M) w (dist i j) * x j) - k * (\sum_(j < M) w (dist (next i) j) * x j)
  - k * (\sum_(j < M) w (dist (last i) j) * x j).
Proof.
rewrite !mulr_sumr -!sumrB; apply: eq_bigr => j _; rewrite /bend; ring.
Qed.

Lemma nothing_above_zero (x : 'I_M -> R) i : (forall j, \sum_l P_star j l * x l = 0) ->
  (forall j, `|x j| <= x i) -> x i <= 0.
Proof.
move=> zero top; rewrite leNgt; apply/negP => xi.
have [k1|k1] := ltP 1 k; last first.
  have k_one : k = 1 by apply: eq_by.
  have d0 : 0 < delta by case: leaks => //; rewrite k_one ltxx.
  have same j : x j = x i.
    have total l : \sum_(l' < M) w (dist l l') * x l' = \sum_l' x l'.
      by apply: eq_bigr => l' _; rewrite /w k_one expr1n invr1 mul1r.
    have := etrans (zero j) (esym (zero i)); rewrite !star_times !total => /addrI.
    by apply: mulfI; rewrite gt_eqF.
  have := zero i; under eq_bigr do rewrite same.
  rewrite -mulr_suml; case/andP: (delta01) => d0' /ltW d1.
  have [_ ->] := release_is_stochastic k_gt0 d0' d1 i.
  by rewrite mul1r => e; move: xi; rewrite e ltxx.
have y (j : 'I_M) : \sum_(l < M) w (dist j l) * x l = - (delta / a) * x j.
  apply: (@mulfI _ a); first by rewrite gt_eqF.
  have := zero j; rewrite star_times => /eqP.
  rewrite addr_eq0 => /eqP ->; rewrite mulNr mulrN mulrA; congr (- (_ * _)).
  by rewrite mulrC divfK // gt_eqF.
have low j : - x i <= x j by have := top j; rewrite ler_norml => /andP[].
have high j : x j <= x i by have := top j; rewrite ler_norml => /andP[].
have above : (k - 1) ^+ 2 / alpha m k * x i <= \sum_j bend i j * x j.
  rewrite -(bend_total i) mulr_suml; apply: ler_sum => j _.
  have [->//|ij] := eqVneq i j; rewrite -subr_ge0 -mulrBr mulr_le0 ?bend_off_the_diagonal //.
  by rewrite subr_le0.
have c0 : 0 <= delta / a by case/andP: delta01 => d0 _; rewrite divr_ge0 // ltW.
have below : \sum_j bend i j * x j <= 0.
  rewrite bend_times !y.
  have -> : (1 + k ^+ 2) * (- (delta / a) * x i) - k * (- (delta / a) * x (next i)) -
            k * (- (delta / a) * x (last i)) =
            - (delta / a * ((k - 1) ^+ 2 * x i + k * (x i - x (next i)) + k * (x i - x (last i)))).
    by ring.
  rewrite oppr_le0 mulr_ge0 // !addr_ge0 ?mulr_ge0 ?sqr_ge0 ?subr_ge0 ?(ltW xi) ?(ltW k_gt0) //.
have := le_trans above below; rewrite leNgt => /negP; apply.
by rewrite mulr_gt0 // divr_gt0 ?alpha_gt0 // exprn_gt0 // subr_gt0.
Qed.

Theorem release_has_no_kernel (x : 'I_M -> R) :
  (forall i, \sum_j P_star i j * x j = 0) -> forall i, x i = 0.
Proof.
move=> zero; have [i top] := largest x.
suff small : `|x i| <= 0 by move=> j; apply/eqP; rewrite -normr_le0; apply: le_trans (top j) _.
have [xi|xi] := leP 0 (x i).
  by rewrite ger0_norm //; apply: nothing_above_zero zero _ => j; rewrite -[X in _ <= X]ger0_norm.
rewrite ltr0_norm //; apply: (@nothing_above_zero (fun j => - x j) i) => j.
  by under eq_bigr do rewrite mulrN; rewrite sumrN zero oppr0.
by rewrite normrN -(ltr0_norm xi).
Qed.

(** [counting.release_is_invertible_if_it_leaks] *)
Theorem release_is_invertible : exists S, inverse P_star S.
Proof.
pose A : 'M[R]_M := \matrix_(i, j) P_star i j.
have unit_A : A \in unitmx.
  rewrite -unitmx_tr -row_free_unit -kermx_eq0; apply/eqP/row_matrixP => l.
  rewrite row0; apply/rowP => i; rewrite [LHS]mxE [RHS]mxE.
  pose x j := kermx A^T l j.
  suff none : forall i, \sum_j P_star i j * x j = 0 by exact: release_has_no_kernel none i.
  move=> {}i.
  transitivity ((kermx A^T *m A^T) l i); last by rewrite mulmx_ker mxE.
  rewrite [RHS]mxE; by apply: eq_bigr => j _; rewrite [A^T _ _]mxE [A _ _]mxE mulrC.
have entry (B C : 'M[R]_M) i j : times (fun i j => B i j) (fun i j => C i j) i j = (B *m C) i j.
  by rewrite mxE.
have star B : (forall i j, times P_star B i j = times (fun i j => A i j) B i j) /\
              (forall i j, times B P_star i j = times B (fun i j => A i j) i j).
  by split=> i j; apply: eq_bigr => l _; rewrite [A _ _]mxE.
exists (fun i j => invmx A i j); split=> i j.
  by rewrite (proj1 (star _)) entry mulmxV // mxE.
by rewrite (proj2 (star _)) entry mulVmx // mxE.
Qed.

End Invertible.

(** ** Proposition 1, put right: shares as the paper defines them, at most one *)

Section Shares.
Variable R : realFieldType.
Variable m : nat.
Notation M := m.+1.
Notation matrix := ('I_M -> 'I_M -> R).

Lemma step_keeps_signs (p a s : R) :
  0 <= p -> 0 <= s -> (a < 0 -> s <= p / - a) -> 0 <= p + s * a.
Proof.
move=> p0 s0 small; have [a0|a0] := leP 0 a; first by rewrite addr_ge0 // mulr_ge0.
have := small a0; rewrite ler_pdivl_mulr ?oppr_gt0 // mulrN -subr_ge0 opprK.
by [].
Qed.

(** [counting.first_upper_bound_holds_at_every_size]: [a] is the least quotient p / (p - q) over the
    entries with q < p, or 1 if that is more, for p of P* and q of P* T^-1. *)
Theorem first_upper_bound_holds (k delta : R) (T S : matrix) a u :
  let P := @release R m k delta in let Q := times P S in
  1 <= k -> 0 <= delta < 1 -> stochastic T -> inverse T S ->
  0 <= a <= 1 -> (forall i j, Q i j < P i j -> a <= P i j / (P i j - Q i j)) ->
  [/\ allowed k delta T (mixture a Q P),
      forall i, times (mixture a Q P) T i i = a * P i i + (1 - a) * times P T i i &
      errs_at_most (times P T) u -> errs_at_most (times (mixture a Q P) T) u].
Proof.
move=> P Q k1 in01 hT inv a01 quotients; apply: first_mixture_is_allowed => // i j.
have k0 : 0 < k := lt_le_trans ltr01 k1; case/andP: (in01) => d0 /ltW d1.
have [P0 _] := release_is_stochastic k0 d0 d1 i.
have -> : mixture a Q P i j = P i j + a * (Q i j - P i j).
  by rewrite /mixture; move: (Q i j) (P i j) => q p; ring.
apply: step_keeps_signs; rewrite ?P0 ?(proj1 (andP a01)) // subr_lt0 opprB.
exact: quotients.
Qed.

(** [counting.second_upper_bound_holds_at_every_size]: w = P*^-1 T' v exists, and the step [t] is
    within (38) and (39). *)
Theorem second_upper_bound_holds (k delta : R) (T : matrix) (v : 'I_M -> R) :
  let P := @release R m k delta in let a j := \sum_l T l j * v l in
  1 <= k -> 0 <= delta < 1 -> 1 < k \/ 0 < delta -> stochastic T -> \sum_l v l = 0 ->
  exists w : 'I_M -> R, (forall i, \sum_l P i l * w l = a i) /\
    forall t u, let G : matrix := fun i j => P i j + t * a i * v j in
    0 <= t -> (forall i j, a i * v j < 0 -> t <= P i j / - (a i * v j)) ->
    (forall i j, w i * a j < 0 -> t <= T i j / - (w i * a j)) ->
    [/\ allowed k delta T G, forall i, times G T i i = times P T i i + t * a i ^+ 2 &
        errs_at_most (times P T) u -> errs_at_most (times G T) u].
Proof.
move=> P a k1 in01 leaks hT v0; have [S [PS _]] := release_is_invertible m k1 in01 leaks.
exists (fun i => \sum_l S i l * a l); split=> [i|].
  have := @timesA R m P S (fun l _ => a l) i i; rewrite /times => ->.
  rewrite (bigD1 i) //= [X in X * _]PS eqxx mul1r big1 ?addr0 // => l il.
  by rewrite [X in X * _]PS eq_sym (negbTE il) mul0r.
move=> t u G t0 below38 below39.
apply: (@second_step_is_allowed R m k delta k1 in01 T v (fun i => \sum_l S i l * a l) t u) => //.
- move=> i; have := @timesA R m P S (fun l _ => a l) i i; rewrite /times => ->.
  rewrite (bigD1 i) //= [X in X * _]PS eqxx mul1r big1 ?addr0 // => l il.
  by rewrite [X in X * _]PS eq_sym (negbTE il) mul0r.
- move=> i j; have k0 : 0 < k := lt_le_trans ltr01 k1; case/andP: (in01) => d0 /ltW d1.
  have [P0 _] := release_is_stochastic k0 d0 d1 i; rewrite -mulrA.
  by apply: step_keeps_signs => //; exact: below38.
- by move=> i j; have [T0 _] := hT i; rewrite -mulrA; apply: step_keeps_signs => //; exact: below39.
Qed.

(** [counting.capped_third_upper_bound_holds_at_every_size]: C = (I - P*^-1 Q) T exists, and [b] is
    at most one and the least t_ij / c_ij over the entries with c_ij > 0. *)
Theorem capped_third_upper_bound_holds (k delta : R) (T Q : matrix) :
  let P := @release R m k delta in
  1 <= k -> 0 <= delta < 1 -> 1 < k \/ 0 < delta -> stochastic T -> assignment_of T Q ->
  exists C : matrix, change_of P T Q C /\
    forall b u, 0 <= b <= 1 -> (forall i j, 0 < C i j -> b <= T i j / C i j) ->
    [/\ allowed k delta T (mixture b Q P),
        forall i, times (mixture b Q P) T i i = b * times Q T i i + (1 - b) * times P T i i &
        errs_at_most (times P T) u -> errs_at_most (times (mixture b Q P) T) u].
Proof.
move=> P k1 in01 leaks hT hQ; have [S inv] := release_is_invertible m k1 in01 leaks.
have [PS _] := inv; pose Z := times S (times Q T).
exists (fun i j => T i j - Z i j); split=> [i j|b u b01 small].
  transitivity (times P T i j - times P Z i j).
    by rewrite /times -sumrB; apply: eq_bigr => l _; rewrite mulrBr.
  by rewrite /Z timesA (unit_times (times Q T) i j PS).
apply: (third_mixture_is_allowed k1 in01 u hT hQ inv b01) => i j.
have -> : mixture b Z T i j = T i j + b * (- (T i j - Z i j)).
  by rewrite /mixture; move: (Z i j) (T i j) => z t; ring.
have [T0 _] := hT i; apply: step_keeps_signs; rewrite ?(proj1 (andP b01)) // oppr_lt0 opprK.
exact: small.
Qed.

End Shares.
