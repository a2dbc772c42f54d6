(** How far an optimal release may be from P* (Lemma 2), and what channels cost by it (Theorem 2,
    statements 1 and 3). *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify ring.
From provedp Require Import privacy optimum closed_form guarantees structure channels.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Radius.
Variable R : realFieldType.
Variable m : nat.
Notation M := m.+1.
Notation matrix := ('I_M -> 'I_M -> R).
Variables k delta : R.
Hypothesis k_ge1 : 1 <= k.
Hypothesis delta01 : 0 <= delta < 1.

Let k_gt0 : 0 < k. Proof. exact: lt_le_trans ltr01 k_ge1. Qed.
Let d_ge0 : 0 <= delta. Proof. by case/andP: delta01. Qed.
Let d_gt0 : 0 < 1 - delta. Proof. by case/andP: delta01 => _; rewrite subr_gt0. Qed.
Let kn_gt0 n : 0 < k ^+ n. Proof. exact: exprn_gt0. Qed.
Notation P_star := (@release R m k delta).
Notation gamma := (1 - error m k delta).

(** ** Definition 1 and (22), with the geometric sum for its quotient *)

Definition largest_entry : R := (1 - delta) * alpha m k * k^-1.
Definition smallest_entry : R := (1 - delta) * alpha m k * k ^- (M %/ 2).
Definition highest : R := Num.min (k ^+ m * gamma + slack k delta m) (1 - gamma).
Definition lowest : R := Num.max ((gamma - slack k delta m) / k ^+ m) 0.
Definition radius_bound : R := Num.max (highest - smallest_entry) (largest_entry - lowest).

(** ** Entries off the diagonal *)

Lemma slack_grows n n' : (n <= n')%N -> slack k delta n <= slack k delta n'.
Proof.
move=> nn; rewrite ler_wpmul2l // -(subnKC nn); elim: (n' - n)%N => [|l IH]; first by rewrite addn0.
by rewrite addnS big_ord_recr /= (le_trans IH) // ler_addl ltW.
Qed.

Lemma power_grows n n' : (n <= n')%N -> k ^+ n <= k ^+ n'.
Proof. by move=> nn; rewrite ler_weexpn2l. Qed.

Lemma star_off_the_diagonal (i j : 'I_M) : i != j -> smallest_entry <= P_star i j <= largest_entry.
Proof.
move=> ij; have a0 : 0 <= (1 - delta) * alpha m k by rewrite mulr_ge0 // ltW // alpha_gt0.
have [low high] : (1 <= cyclic_distance m i j)%N /\ (cyclic_distance m i j <= M %/ 2)%N.
  by move: ij (ltn_ord i) (ltn_ord j); rewrite -val_eqE /cyclic_distance /=; lia.
rewrite /release (negbTE ij) mulr0 addr0 !ler_wpmul2l // ?lef_pinv ?posrE //.
  by rewrite -[X in X <= _]expr1 power_grows.
exact: power_grows.
Qed.

Lemma optimum_off_the_diagonal (P : matrix) (i j : 'I_M) : optimal k delta P -> i != j ->
  lowest <= P i j <= highest.
Proof.
have near : (apart i j <= m)%N.
  by rewrite /apart; move: (ltn_ord i) (ltn_ord j); clear; move: (nat_of_ord i) (nat_of_ord j); lia.
move=> opt ij; have [high rest low P0] := chains_of_constraints_bound_every_entry k_ge1 delta01 opt ij.
have g0 : 0 <= gamma.
  have [diag _ _] := diagonal_and_partial_sums_are_forced k_ge1 delta01 opt.
  by have [hP _ _] := opt; rewrite -(diag i); case: (hP i).
rewrite /lowest /highest le_maxl P0 andbT le_minr rest andbT; apply/andP; split.
  have [neg|pos] := leP (gamma - slack k delta m) 0.
    by apply: le_trans P0; rewrite pmulr_lle0 ?invr_gt0.
  apply: le_trans low; apply: (@le_trans _ _ ((gamma - slack k delta m) / k ^+ apart i j)).
    by rewrite ler_wpmul2l ?(ltW pos) // lef_pinv ?posrE // power_grows.
  by rewrite ler_pmul2r ?invr_gt0 // ler_add2l ler_opp2 slack_grows.
by apply: le_trans high _; rewrite ler_add ?slack_grows // ler_wpmul2r // power_grows.
Qed.

(** ** Lemma 2 *)

Theorem radius_is_at_most_the_bound_here (P : matrix) (i j : 'I_M) : (0 < m)%N ->
  optimal k delta P -> `|P i j - P_star i j| <= radius_bound.
Proof.
move=> m0 opt; have off (a b : 'I_M) : a != b -> `|P a b - P_star a b| <= radius_bound.
  move=> ab; have [low high] := andP (optimum_off_the_diagonal opt ab).
  have [small large] := andP (star_off_the_diagonal ab).
  have up := ler_sub high small; have down := ler_sub large low; rewrite -opprB in down.
  have [side|/ltW side] := leP (P_star a b) (P a b); rewrite /radius_bound le_maxr.
    by rewrite ger0_norm ?up // subr_ge0.
  by rewrite ler0_norm ?down ?orbT // subr_le0.
have [<-|ij] := eqVneq i j; last exact: off.
rewrite (diagonal_of_an_optimum k_ge1 delta01 i opt) subrr normr0.
apply: le_trans (normr_ge0 _) (off ord0 (inord 1) _).
by rewrite -val_eqE /= inordK.
Qed.

Theorem radius_is_at_most_the_error_here (P : matrix) (i j : 'I_M) :
  optimal k delta P -> `|P i j - P_star i j| <= error m k delta.
Proof.
move=> opt; have star := star_is_optimal m k_ge1 delta01.
have [<-|ij] := eqVneq i j.
  rewrite (diagonal_of_an_optimum k_ge1 delta01 i opt) subrr normr0.
  have [hS _ _] := star; rewrite -(release_errs_by_the_error k delta i) subr_ge0.
  by have [S0 <-] := hS i; rewrite (bigD1 i) //= ler_addl sumr_ge0.
have [_ a _ b] := chains_of_constraints_bound_every_entry k_ge1 delta01 opt ij.
have [_ c _ d] := chains_of_constraints_bound_every_entry k_ge1 delta01 star ij.
have e x : 1 - (1 - x) = x :> R by rewrite opprB addrC subrK.
rewrite e in a c; have [side|/ltW side] := leP (P_star i j) (P i j).
  by rewrite ger0_norm ?subr_ge0 // ler_subl_addr (le_trans a) // ler_addl.
by rewrite ler0_norm ?subr_le0 // opprB ler_subl_addr (le_trans c) // ler_addl.
Qed.

End Radius.

(** ** What the claims say *)

Section Claims.
Variable R : realFieldType.
Variable m : nat.
Notation M := m.+1.
Notation matrix := ('I_M -> 'I_M -> R).

(** [counting.chains_of_constraints_bound_every_entry]: Lemma 2, for M >= 2 *)
Theorem radius_is_at_most_the_bound (k delta : R) (P : matrix) (i j : 'I_M) :
  let g := 1 - error m k delta in
  let s := delta * \sum_(l < m) k ^+ l in
  let top := Num.min (k ^+ m * g + s) (1 - g) in
  let bottom := Num.max ((g - s) / k ^+ m) 0 in
  let largest := (1 - delta) * alpha m k * k^-1 in
  let smallest := (1 - delta) * alpha m k * k ^- (M %/ 2) in
  (0 < m)%N -> 1 <= k -> 0 <= delta < 1 -> optimal k delta P ->
  [/\ radius_bound m k delta = Num.max (top - smallest) (largest - bottom),
      i != j -> bottom <= P i j <= top & `|P i j - @release R m k delta i j| <= radius_bound m k delta].
Proof.
move=> g s top bottom largest smallest m0 k1 in01 opt.
by split=> //; [exact: optimum_off_the_diagonal | exact: radius_is_at_most_the_bound_here].
Qed.

(** [counting.entry_is_at_most_half_the_row_norm_at_every_size], eq. (51) *)
Theorem radius_is_at_most_the_error (k delta : R) (P : matrix) (i j : 'I_M) :
  1 <= k -> 0 <= delta < 1 -> optimal k delta P ->
  `|P i j - @release R m k delta i j| <= (1 - delta) * (1 - alpha m k).
Proof. by move=> k1 in01; exact: radius_is_at_most_the_error_here. Qed.

(** [counting.entry_below_the_threshold_costs_at_every_size]: [n] is the largest absolute column
    sum of T^-1, and [radius_bound] is R_M. *)
Theorem entry_below_the_bound_costs (k delta : R) (T S P : matrix) (n : R) (i j : 'I_M) e :
  (0 < m)%N -> 1 <= k -> 0 <= delta < 1 -> stochastic T -> inverse T S ->
  (forall j', \sum_l `|S l j'| <= n) ->
  times (@release R m k delta) S i j < - (radius_bound m k delta * n) ->
  allowed k delta T P -> errs_at_most (times P T) e -> error m k delta < e.
Proof.
move=> m0 k1 in01 hT inv norm low; apply: (entry_below_the_threshold_costs hT inv (i := i) (j := j)
  (r := radius_bound m k delta)).
  by move=> Q hQ privQ errsQ a b; apply: radius_is_at_most_the_bound_here.
have r0 : 0 <= radius_bound m k delta.
  have := radius_is_at_most_the_bound_here k1 in01 i j m0 (star_is_optimal m k1 in01).
  by rewrite subrr normr0.
by apply: lt_le_trans low _; rewrite ler_opp2 ler_wpmul2l.
Qed.

(** Every entry of P* is near 1/M where k and delta are near 1 and 0. *)
Lemma release_is_nearly_uniform (k delta c : R) (i j : 'I_M) : 1 <= k -> 0 <= delta < 1 ->
  k ^+ (M %/ 2) <= 1 + M%:R * c / (1 + 1) -> delta <= c / (1 + 1) ->
  `|@release R m k delta i j - M%:R^-1| <= c.
Proof.
move=> k1 /[dup] in01 /andP[d0 d1] near small; have k0 : 0 < k := lt_le_trans ltr01 k1.
have M0 : 0 < (M%:R : R) by rewrite ltr0Sn.
have two : 0 < (1 + 1 : R) by positive.
pose K := k ^+ (M %/ 2); have K1 : 1 <= K by rewrite exprn_ege1.
have K0 : 0 < K := lt_le_trans ltr01 K1.
pose x := alpha m k * k ^- cyclic_distance m i j.
have a0 : 0 < alpha m k := alpha_gt0 m k0.
have weight (a b : 'I_M) : K^-1 <= k ^- cyclic_distance m a b <= 1.
  have far : (cyclic_distance m a b <= M %/ 2)%N.
    by move: (ltn_ord a) (ltn_ord b); clear; rewrite /cyclic_distance; lia.
  rewrite lef_pinv ?posrE ?exprn_gt0 // ler_weexpn2l //=.
  by rewrite invf_le1 ?exprn_gt0 // exprn_ege1.
have total : alpha m k * (\sum_(l < M) k ^- cyclic_distance m i l) = 1 := alpha_total k0 i.
have sum_of y : \sum_(l < M) y = M%:R * y :> R by rewrite sumr_const card_ord mulr_natl.
have low : alpha m k / K <= M%:R^-1.
  rewrite -[X in _ <= X]mul1r ler_pdivl_mulr // -[X in _ <= X]total -mulrA ler_pmul2l // mulrC -sum_of.
  by apply: ler_sum => l _; case/andP: (weight i l).
have high : M%:R^-1 <= alpha m k.
  rewrite -[X in X <= _]mul1r ler_pdivr_mulr // -[X in X <= _]total ler_pmul2l // -[X in _ <= X]mulr1 -sum_of.
  by apply: ler_sum => l _; case/andP: (weight i l).
have [w_low w_high] := andP (weight i j).
have x0 : 0 <= x by rewrite mulr_ge0 ?(ltW a0) // invr_ge0 exprn_ge0 // ltW.
have a1 : alpha m k <= 1.
  rewrite -[X in _ <= X]total -[X in X <= _]mulr1 ler_pmul2l // (bigD1 i) //=.
  rewrite [cyclic_distance m i i]/cyclic_distance subnn min0n.
  rewrite expr0 invr1 ler_addl; apply: sumr_ge0 => l _.
  by rewrite invr_ge0 exprn_ge0 // ltW.
have x1 : x <= 1.
  by apply: le_trans a1; rewrite /x -[X in _ <= X]mulr1 ler_wpmul2l // ltW.
have close_x : `|x - M%:R^-1| <= c / (1 + 1).
  have half : (K - 1) / M%:R <= c / (1 + 1).
    by rewrite ler_pdivr_mulr // ler_subl_addl (le_trans near) // [_ * M%:R]mulrC mulrA.
  apply: le_trans half; rewrite ler_norml; apply/andP; split.
    have : M%:R^-1 / K <= x by rewrite ler_pmul // ?invr_ge0 ?ltW.
    rewrite -subr_ge0 => gap; apply: (@le_by _ ((x - M%:R^-1 / K) + (K - 1) ^+ 2 / K / M%:R)).
      by clear gap; move: (M%:R : R) M0 (K) K0 (x) => z z0 q q0 y; field; rewrite !gt_eqF.
    by rewrite addr_ge0 // !divr_ge0 ?sqr_ge0 // ltW.
  have : x <= K / M%:R.
    have aK : alpha m k <= K / M%:R by move: low; rewrite ler_pdivr_mulr // mulrC.
    by apply: le_trans aK; rewrite /x -[X in _ <= X]mulr1 ler_wpmul2l // ltW.
  rewrite -subr_ge0 => gap; apply: (@le_by _ (K / M%:R - x)) => //.
  by clear gap; move: (M%:R : R) M0 (K) (x) => z z0 q y; field; rewrite gt_eqF.
have -> : @release R m k delta i j - M%:R^-1 =
          (x - M%:R^-1) + delta * ((i == j)%:R - x) by rewrite /release /x; ring.
apply: le_trans (ler_norm_add _ _) _.
rewrite [X in _ <= X](_ : c = c / (1 + 1) + c / (1 + 1)); last by field.
apply: ler_add => //; apply: le_trans small; rewrite normrM ger0_norm // -[X in _ <= X]mulr1.
rewrite ler_wpmul2l //; case: (i == j); last by rewrite sub0r normrN ger0_norm.
by rewrite ger0_norm ?subr_ge0 // ler_subl_addl ler_addr.
Qed.

(** [counting.channel_with_one_inside_the_cone_costs_nothing_in_a_box]: [s] is below all weights of
    1' T^-1, and [n] above all absolute entries of T^-1. *)
Theorem one_inside_the_cone_costs_nothing_in_a_box (k delta : R) (T S : matrix) (s n : R) :
  let c := s / (M%:R ^+ 2 * n) in
  1 <= k -> 0 <= delta < 1 -> stochastic T -> inverse T S ->
  0 < s -> (forall j, s <= \sum_i S i j) -> (forall i j, `|S i j| <= n) ->
  k ^+ (M %/ 2) <= 1 + M%:R * c / (1 + 1) -> delta <= c / (1 + 1) ->
  allowed k delta T (times (@release R m k delta) S) /\
  errs_at_most (times (times (@release R m k delta) S) T) (error m k delta).
Proof.
move=> c k1 in01 hT inv s0 cone norm near small; have M0 : 0 < (M%:R : R) by rewrite ltr0Sn.
have n0 : 0 < n.
  have : s <= M%:R * n.
    rewrite (le_trans (cone ord0)) // mulr_natl -[X in _ *+ X](card_ord M) -sumr_const.
    by apply: ler_sum => l _; apply: le_trans (norm l ord0); exact: ler_norm.
  by move/(lt_le_trans s0); rewrite pmulr_rgt0.
apply: (one_inside_the_cone_costs_nothing k1 in01 hT inv cone norm (c := c)).
  by move=> i j; exact: release_is_nearly_uniform.
rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite /c.
by move: (M%:R : R) M0 => z z0; field; rewrite !gt_eqF.
Qed.

End Claims.
