(** Small facts about laws on finite sets: supports, trivial events, bounded range, and pure privacy
    as randomised response. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify ring.
From provedp Require Import privacy optimum guarantees.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Laws.
Variable R : realFieldType.
Variable T : finType.
Implicit Types (p q : T -> R) (k delta : R).

(** [privacy.equal_supports_are_necessary]: at every k *)
Theorem equal_supports_are_necessary p q t k delta :
  q t = 0 -> close k delta p q -> p t <= delta.
Proof. by move=> qt /(_ [set t]); rewrite /prob !big_set1 qt mulr0 add0r. Qed.

(** [counting.trivial_events_constrain_nothing] *)
Theorem trivial_events_constrain_nothing p q k delta :
  law p -> law q -> 1 <= k -> 0 <= delta ->
  prob p set0 <= k * prob q set0 + delta /\ prob p setT <= k * prob q setT + delta.
Proof.
move=> [_ p1] [_ q1] k1 d0; rewrite /prob !big_set0 mulr0 add0r; split=> //.
have whole (f : T -> R) : \sum_(t in [set: T]) f t = \sum_t f t.
  by apply: eq_bigl => t; rewrite inE.
by rewrite !whole p1 q1 mulr1 (le_trans k1) // ler_addl.
Qed.

(** [counting.events_reduce_to_positive_parts]: the largest gap over all events *)
Theorem events_reduce_to_positive_parts p q k :
  (forall U : {set T}, prob p U - k * prob q U <= E k p q) /\
  (exists U : {set T}, prob p U - k * prob q U = E k p q).
Proof.
split=> [U|]; first exact: event_gap_le_hockey_stick.
by exists [set t | 0 < p t - k * q t]; exact: hockey_stick_is_attained.
Qed.

(** [privacy.exponential_mechanism_has_bounded_range]: two likelihood ratios, crosswise *)
Theorem exponential_mechanism_has_bounded_range (r : R) (w w' : T -> R) (s t : T) :
  0 <= r -> (forall t, 0 <= w t) -> (forall t, 0 <= w' t) -> 0 < \sum_t w t -> 0 < \sum_t w' t ->
  (forall t, w t <= r * w' t) -> (forall t, w' t <= r * w t) ->
  [/\ normalised w t <= r ^+ 2 * normalised w' t, normalised w' t <= r ^+ 2 * normalised w t &
      normalised w t * normalised w' s <= r ^+ 2 * (normalised w s * normalised w' t)].
Proof.
move=> r0 w0 w0' W W' up down.
have single (a b : T -> R) : close (r ^+ 2) 0 a b -> a t <= r ^+ 2 * b t.
  by move/(_ [set t]); rewrite /prob !big_set1 addr0.
split; [apply: single | apply: single | ].
- exact: normalised_weights_are_close.
- exact: normalised_weights_are_close.
rewrite /normalised; set x := _^-1; set y := _^-1.
have xy : 0 <= x * y by rewrite mulr_ge0 // invr_ge0 ltW.
have step : w t * w' s <= r ^+ 2 * (w s * w' t).
  apply: (@le_trans _ _ (r * w' t * (r * w s))); first exact: ler_pmul.
  by rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
have := ler_wpmul2r xy step; congr (_ <= _); ring.
Qed.

(** [privacy.pure_releases_are_randomised_response] *)
Theorem pure_releases_are_randomised_response p q k :
  1 < k -> law p -> law q -> (forall t, p t <= k * q t) -> (forall t, q t <= k * p t) ->
  let A := fun t => (k * p t - q t) / (k - 1) in let B := fun t => (k * q t - p t) / (k - 1) in
  [/\ law A, law B, forall t, p t = k / (k + 1) * A t + 1 / (k + 1) * B t &
      forall t, q t = 1 / (k + 1) * A t + k / (k + 1) * B t].
Proof.
move=> k1 [p0 p1] [q0 q1] pq qp A B.
have t0 : 0 < k - 1 by rewrite subr_gt0.
have s0 : 0 < k + 1 by rewrite addr_gt0 ?ltr01 // (lt_trans ltr01).
split.
- split=> [t|]; first by rewrite divr_ge0 ?subr_ge0 // ltW.
  by rewrite -mulr_suml sumrB -mulr_sumr p1 q1 mulr1 divff // gt_eqF.
- split=> [t|]; first by rewrite divr_ge0 ?subr_ge0 // ltW.
  by rewrite -mulr_suml sumrB -mulr_sumr p1 q1 mulr1 divff // gt_eqF.
- by move=> t; rewrite /A /B; field; rewrite !gt_eqF.
- by move=> t; rewrite /A /B; field; rewrite !gt_eqF.
Qed.

(** [counting.no_input_makes_more_errors_at_every_size] *)
Theorem no_input_makes_more_errors (d w : T -> R) (g : R) :
  law w -> (forall t, g <= d t) ->
  1 - \sum_t w t * d t <= 1 - g /\
  (forall t, 1 - \sum_s (s == t)%:R * d s = 1 - d t).
Proof.
move=> [w0 w1] least; split.
  rewrite ler_add2l ler_opp2 -[X in X <= _]mul1r -w1 mulr_suml.
  by apply: ler_sum => t _; rewrite ler_wpmul2l.
move=> t; congr (_ - _); rewrite (bigD1 t) //= eqxx mul1r big1 ?addr0 // => s /negbTE ->.
by rewrite mul0r.
Qed.

(** [counting.least_diagonal_is_superadditive] *)
Theorem least_diagonal_is_superadditive (a b : T -> R) (x y z : R) :
  (forall t, x <= a t) -> (forall t, y <= b t) ->
  (exists t, z = a t + b t) -> x + y <= z.
Proof. by move=> ha hb [t ->]; exact: ler_add. Qed.

(** [counting.entry_is_at_most_half_the_row_norm_at_every_size], eq. (50) *)
Theorem entry_is_at_most_half_the_row_norm (x : T -> R) t :
  \sum_s x s = 0 -> (1 + 1) * `|x t| <= \sum_s `|x s|.
Proof.
move=> zero; rewrite (bigD1 t) //= mulrDl !mul1r ler_add2l.
move: zero; rewrite (bigD1 t) //= => /eqP; rewrite addr_eq0 => /eqP ->.
by rewrite normrN; exact: ler_norm_sum.
Qed.

End Laws.

(** [privacy.equal_supports_are_not_sufficient]: the same support, and E_k = 1/4 *)
Theorem equal_supports_are_not_sufficient (R : realFieldType) (k : R) : 1 <= k ->
  let p := fun _ : bool => (1 + 1 : R)^-1 in
  let q := fun b : bool => if b then (4%:R * k)^-1 else 1 - (4%:R * k)^-1 in
  [/\ law p, law q, forall b, 0 < p b /\ 0 < q b & E k p q = 4%:R^-1].
Proof.
move=> k1 p q; have k0 : 0 < k := lt_le_trans ltr01 k1.
have two : 0 < (1 + 1 : R) by positive.
have four : 0 < (4%:R : R) by rewrite ltr0n.
have f0 : 0 < (4%:R * k)^-1 by rewrite invr_gt0 mulr_gt0.
have f1 : (4%:R * k)^-1 < 1.
  by rewrite invf_lt1 ?mulr_gt0 // (lt_le_trans (y := 4%:R)) ?ltr1n // ler_pmulr.
split.
- split=> [b|]; first by rewrite invr_ge0 ltW.
  by rewrite big_bool /p /=; field; rewrite ?gt_eqF.
- split=> [[]|]; rewrite ?big_bool /q /= ?(ltW f0) ?subr_ge0 ?(ltW f1) //.
  by rewrite addrC subrK.
- by case; rewrite /p /q invr_gt0 ?f0 ?subr_gt0 ?f1 two.
rewrite /E big_bool /p /q /= /pos.
have -> : (1 + 1)^-1 - k * (4%:R * k)^-1 = 4%:R^-1 :> R by field; rewrite ?gt_eqF.
have -> : (1 + 1)^-1 - k * (1 - (4%:R * k)^-1) = (1 + 1 + 1) / 4%:R - k :> R.
  by field; rewrite ?gt_eqF.
rewrite max_l ?invr_ge0 ?ler0n // max_r ?addr0 // subr_le0 (le_trans _ k1) //.
by rewrite ler_pdivr_mulr // mul1r; apply: (@le_by _ 1); [ring | exact: ler01].
Qed.
