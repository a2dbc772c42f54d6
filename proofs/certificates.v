(** Certificates of a least error, as `provedp/verify/solvers/check.py` checks them: a primal point
    that is allowed, and multipliers whose weak duality bounds every other release. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify ring.
From provedp Require Import privacy optimum channels.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Certificates.
Variable R : realFieldType.
Variable m : nat.
Notation M := m.+1.
Notation matrix := ('I_M -> 'I_M -> R).
Variables k delta : R.

Definition neighbours (a b : 'I_M) : bool := (b == a.+1 :> nat) || (a == b.+1 :> nat).

(** ** Definitions, as the docstring of the checker states them *)

(** [y] weighs the diagonal entries; [mu a b j] multiplies the privacy constraint of row a against
    its neighbour b, at outcome j. *)
Definition multipliers (y : 'I_M -> R) (mu : 'I_M -> 'I_M -> 'I_M -> R) : Prop :=
  [/\ law y, forall a b j, 0 <= mu a b j & forall a b j, ~~ neighbours a b -> mu a b j = 0].

Definition gain (y : 'I_M -> R) (mu : 'I_M -> 'I_M -> 'I_M -> R) : matrix :=
  fun i j => y i * (i == j)%:R - \sum_b mu i b j + k * (\sum_a mu a i j).

(** [G i] is at least max_l sum_j T_lj g_ij, and [S a b] at least max_j mu_abj. *)
Definition bounded_by (T : matrix) y mu (G : 'I_M -> R) (S : 'I_M -> 'I_M -> R) : Prop :=
  (forall i l, \sum_j T l j * gain y mu i j <= G i) /\ (forall a b j, mu a b j <= S a b).

(** ** One pair of rows *)

Lemma pair_spends (T : finType) (p q f : T -> R) (s : R) : 0 <= s ->
  (forall t, 0 <= f t <= s) -> close k delta p q -> \sum_t f t * (p t - k * q t) <= s * delta.
Proof.
move=> s0 fs /close_iff_hockey_stick h; apply: le_trans (ler_wpmul2l s0 h).
rewrite /E mulr_sumr; apply: ler_sum => t _; case/andP: (fs t) => f0 f1.
by apply: le_trans (ler_wpmul2l f0 (pos_ge _)) _; rewrite ler_wpmul2r ?pos_ge0.
Qed.

Lemma collected (mu : 'I_M -> 'I_M -> 'I_M -> R) (Q : matrix) :
  \sum_a \sum_b \sum_j mu a b j * (Q a j - k * Q b j) =
  \sum_i \sum_j (\sum_b mu i b j - k * (\sum_a mu a i j)) * Q i j.
Proof.
have left_part : \sum_a \sum_b \sum_j mu a b j * Q a j = \sum_i \sum_j (\sum_b mu i b j) * Q i j.
  apply: eq_bigr => a _; rewrite exchange_big /=; apply: eq_bigr => j _.
  by rewrite mulr_suml.
have right_part : \sum_a \sum_b \sum_j mu a b j * Q b j = \sum_i \sum_j (\sum_a mu a i j) * Q i j.
  rewrite exchange_big /=; apply: eq_bigr => b _; rewrite exchange_big /=.
  by apply: eq_bigr => j _; rewrite mulr_suml.
transitivity (\sum_a \sum_b \sum_j mu a b j * Q a j - k * (\sum_a \sum_b \sum_j mu a b j * Q b j)).
  rewrite mulr_sumr -sumrB; apply: eq_bigr => a _; rewrite mulr_sumr -sumrB.
  apply: eq_bigr => b _; rewrite mulr_sumr -sumrB; apply: eq_bigr => j _.
  by ring.
rewrite left_part right_part mulr_sumr -sumrB; apply: eq_bigr => i _.
rewrite mulr_sumr -sumrB; apply: eq_bigr => j _.
by rewrite mulrBl mulrA.
Qed.

(** ** Weak duality *)

(** [counting.multipliers_bound_every_release], with a channel *)
Theorem multipliers_bound_every_release (T P : matrix) y mu G S e :
  0 <= delta -> stochastic T -> multipliers y mu -> bounded_by T y mu G S ->
  allowed k delta T P -> errs_at_most (times P T) e ->
  1 - (\sum_i G i + delta * (\sum_a \sum_b S a b)) <= e.
Proof.
move=> d0 T_stochastic [[y0 y1] mu0 mu_off] [G_top S_top] [P_stochastic Q_private] errs.
set Q := times P T in Q_private errs *.
have weighted : 1 - e <= \sum_i y i * Q i i.
  have -> : 1 - e = \sum_i y i * (1 - e) by rewrite -mulr_suml y1 mul1r.
  apply: ler_sum => i _; rewrite ler_wpmul2l //.
  by rewrite ler_subl_addl -ler_subl_addr; exact: errs.
have S0 a b : 0 <= S a b by apply: le_trans (mu0 a b ord0) (S_top a b ord0).
have spent : \sum_a \sum_b \sum_j mu a b j * (Q a j - k * Q b j) <=
             delta * (\sum_a \sum_b S a b).
  rewrite mulr_sumr; apply: ler_sum => a _; rewrite mulr_sumr; apply: ler_sum => b _.
  rewrite mulrC; have [near|far] := boolP (neighbours a b).
    by apply: pair_spends => // [j|]; [rewrite mu0 S_top | exact: Q_private near].
  by rewrite big1 ?mulr_ge0 // => j _; rewrite mu_off ?mul0r.
have left_over : \sum_i y i * Q i i - \sum_a \sum_b \sum_j mu a b j * (Q a j - k * Q b j) =
                 \sum_i \sum_j gain y mu i j * Q i j.
  rewrite collected -sumrB; apply: eq_bigr => i _.
  have -> : y i * Q i i = \sum_j y i * (i == j)%:R * Q i j.
    rewrite (bigD1 i) //= eqxx mulr1 big1 ?addr0 // => j.
    by rewrite eq_sym => /negbTE ->; rewrite mulr0 mul0r.
  rewrite -sumrB; apply: eq_bigr => j _.
  by rewrite /gain -mulrBl opprB addrA addrAC.
have through : \sum_i \sum_j gain y mu i j * Q i j <= \sum_i G i.
  apply: ler_sum => i _.
  have -> : \sum_j gain y mu i j * Q i j = \sum_l P i l * (\sum_j T l j * gain y mu i j).
    transitivity (\sum_j \sum_l P i l * (T l j * gain y mu i j)).
      apply: eq_bigr => j _; rewrite /Q /times mulr_sumr; apply: eq_bigr => l _; ring.
    by rewrite exchange_big /=; apply: eq_bigr => l _; rewrite mulr_sumr.
  have [P0 P1] := P_stochastic i.
  rewrite -[G i]mul1r -P1 mulr_suml; apply: ler_sum => l _.
  by rewrite ler_wpmul2l.
rewrite -left_over ler_subl_addr in through.
have all := le_trans weighted (le_trans through (ler_add (lexx _) spent)).
by rewrite ler_subl_addl -ler_subl_addr.
Qed.

Lemma times_identity (P : matrix) i j : times P (fun l j => (l == j)%:R) i j = P i j.
Proof.
rewrite /times (bigD1 j) //= eqxx mulr1 big1 ?addr0 // => l /negbTE ->.
by rewrite mulr0.
Qed.

(** Without a channel: [G i] at least max_j g_ij. *)
Theorem multipliers_bound_every_release_without_a_channel (P : matrix) y mu G S e :
  0 <= delta -> multipliers y mu ->
  (forall i j, gain y mu i j <= G i) -> (forall a b j, mu a b j <= S a b) ->
  stochastic P -> private k delta P -> errs_at_most P e ->
  1 - (\sum_i G i + delta * (\sum_a \sum_b S a b)) <= e.
Proof.
move=> d0 mult G_top S_top P_stochastic P_private errs.
pose I : matrix := fun l j => (l == j)%:R.
have same i j : times P I i j = P i j := times_identity P i j.
apply: (@multipliers_bound_every_release I P y mu G S e) => //.
- move=> i; split=> [j|]; first exact: ler0n.
  by rewrite (bigD1 i) //= /I eqxx big1 ?addr0 // => j; rewrite eq_sym => /negbTE ->.
- split=> // i l; rewrite (bigD1 l) //= /I eqxx mul1r big1 ?addr0 // => j.
  by rewrite eq_sym => /negbTE ->; rewrite mul0r.
- split=> // i i' near U; rewrite /prob.
  by under eq_bigr do rewrite same; under [X in _ <= _ * X + _]eq_bigr do rewrite same;
     exact: P_private.
- by move=> i; rewrite same.
Qed.

(** The primal half: positive parts of neighbouring rows that sum to delta at most are privacy. *)
Theorem primal_point_is_allowed (T P : matrix) :
  stochastic P -> (forall a b, neighbours a b -> E k (times P T a) (times P T b) <= delta) ->
  allowed k delta T P.
Proof. by move=> hP h; split=> // a b near; apply/close_iff_hockey_stick; exact: h. Qed.

End Certificates.

(** ** Any loss, any neighbours, further rows: the certificates of the kind "release" *)

Section Losses.
Variable R : realFieldType.
Variables I J N : finType.
Variables k delta : R.
Variable edge : rel I.
Variable L : I -> J -> R.

(** Side conditions: the rows [side n] of a release sum to [most n] at most; an equation is two. *)
Variable side : N -> I -> J -> R.
Variable most : N -> R.

Definition admissible (P : I -> J -> R) : Prop :=
  [/\ forall i, law (P i), forall a b, edge a b -> close k delta (P a) (P b) &
      forall n, \sum_i \sum_j side n i j * P i j <= most n].

Definition cost (y : I -> R) (mu : I -> I -> J -> R) (nu : N -> R) (i : I) (j : J) : R :=
  y i * L i j + \sum_b mu i b j - k * (\sum_b mu b i j) + \sum_n nu n * side n i j.

(** [counting.multipliers_bound_every_loss]: weighted by [y], and in the worst case *)
Theorem multipliers_bound_every_loss (P : I -> J -> R) y mu nu (G : I -> R) (S : I -> I -> R) :
  0 <= delta -> (forall a b j, 0 <= mu a b j) -> (forall a b j, ~~ edge a b -> mu a b j = 0) ->
  (forall n, 0 <= nu n) -> (forall i j, G i <= cost y mu nu i j) ->
  (forall a b j, mu a b j <= S a b) -> (forall a b, 0 <= S a b) -> admissible P ->
  let bound := \sum_i G i - delta * (\sum_a \sum_b S a b) - \sum_n nu n * most n in
  bound <= \sum_i y i * (\sum_j L i j * P i j) /\
  (law y -> forall e, (forall i, \sum_j L i j * P i j <= e) -> bound <= e).
Proof.
move=> d0 mu0 mu_off nu0 G_low S_top S0 [P_law P_close P_side] bound.
have first : bound <= \sum_i y i * (\sum_j L i j * P i j).
  have spent : \sum_a \sum_b \sum_j mu a b j * (P a j - k * P b j) <=
               delta * (\sum_a \sum_b S a b).
    rewrite mulr_sumr; apply: ler_sum => a _; rewrite mulr_sumr; apply: ler_sum => b _.
    rewrite mulrC; have [near|far] := boolP (edge a b).
      by apply: pair_spends => // [j|]; [rewrite mu0 S_top | exact: P_close near].
    by rewrite big1 ?mulr_ge0 // => j _; rewrite mu_off ?mul0r.
  have sides : \sum_i \sum_j (\sum_n nu n * side n i j) * P i j <= \sum_n nu n * most n.
    have -> : \sum_i \sum_j (\sum_n nu n * side n i j) * P i j =
              \sum_n nu n * (\sum_i \sum_j side n i j * P i j).
      under [RHS]eq_bigr do rewrite mulr_sumr; rewrite [RHS]exchange_big /=.
      apply: eq_bigr => i _; under [RHS]eq_bigr do rewrite mulr_sumr.
      rewrite [RHS]exchange_big /=; apply: eq_bigr => j _; rewrite mulr_suml.
      by apply: eq_bigr => n _; rewrite mulrA.
    by apply: ler_sum => n _; rewrite ler_wpmul2l.
  have collect : \sum_a \sum_b \sum_j mu a b j * (P a j - k * P b j) =
      \sum_i \sum_j (\sum_b mu i b j - k * (\sum_b mu b i j)) * P i j.
    have left_part : \sum_a \sum_b \sum_j mu a b j * P a j =
                     \sum_i \sum_j (\sum_b mu i b j) * P i j.
      apply: eq_bigr => a _; rewrite exchange_big /=; apply: eq_bigr => j _.
      by rewrite mulr_suml.
    have right_part : \sum_a \sum_b \sum_j mu a b j * P b j =
                      \sum_i \sum_j (\sum_a mu a i j) * P i j.
      rewrite exchange_big /=; apply: eq_bigr => b _; rewrite exchange_big /=.
      by apply: eq_bigr => j _; rewrite mulr_suml.
    transitivity (\sum_a \sum_b \sum_j mu a b j * P a j -
                  k * (\sum_a \sum_b \sum_j mu a b j * P b j)).
      rewrite mulr_sumr -sumrB; apply: eq_bigr => a _; rewrite mulr_sumr -sumrB.
      apply: eq_bigr => b _; rewrite mulr_sumr -sumrB; apply: eq_bigr => j _.
      by ring.
    rewrite left_part right_part mulr_sumr -sumrB; apply: eq_bigr => i _.
    rewrite mulr_sumr -sumrB; apply: eq_bigr => j _.
    by rewrite mulrBl mulrA.
  have whole : \sum_i \sum_j cost y mu nu i j * P i j =
      \sum_i y i * (\sum_j L i j * P i j) +
      \sum_a \sum_b \sum_j mu a b j * (P a j - k * P b j) +
      \sum_i \sum_j (\sum_n nu n * side n i j) * P i j.
    rewrite collect -!big_split /=; apply: eq_bigr => i _; rewrite mulr_sumr -!big_split /=.
    by apply: eq_bigr => j _; rewrite /cost !mulrDl !mulNr !addrA !mulrA.
  have least : \sum_i G i <= \sum_i \sum_j cost y mu nu i j * P i j.
    apply: ler_sum => i _; have [P0 P1] := P_law i.
    by rewrite -[G i]mul1r -P1 mulr_suml; apply: ler_sum => j _; rewrite mulrC ler_wpmul2r.
  rewrite whole in least; rewrite /bound !ler_subl_addr; apply: le_trans least _.
  by rewrite -!addrA ler_add2l addrC ler_add.
split=> // y_law e worst; apply: le_trans first _; have [y0 y1] := y_law.
have -> : e = \sum_i y i * e by rewrite -mulr_suml y1 mul1r.
by apply: ler_sum => i _; rewrite ler_wpmul2l.
Qed.

End Losses.
