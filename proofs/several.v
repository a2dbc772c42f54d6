(** Theorem 1, statement 2: for three counts or more there are infinitely many optimal releases,
    unless nothing leaks. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify ring.
From provedp Require Import privacy optimum closed_form guarantees structure.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Lemma close_of_gaps (R : realFieldType) (T : finType) (k delta : R) (p q f : T -> R) :
  (forall t, p t - k * q t <= f t) -> (forall t, 0 <= f t) -> \sum_t f t <= delta ->
  close k delta p q.
Proof.
move=> gap f0 small; apply/close_iff_hockey_stick; apply: le_trans small.
by apply: ler_sum => t _; rewrite pos_le gap f0.
Qed.

Section Several.
Variable R : realFieldType.
Variable n : nat.
Notation m := n.+2.
Notation M := n.+3.
Variables k delta : R.
Hypothesis k_ge1 : 1 <= k.
Hypothesis delta01 : 0 <= delta < 1.
Hypothesis leaks : 1 < k \/ 0 < delta.

Let k_gt0 : 0 < k. Proof. exact: lt_le_trans ltr01 k_ge1. Qed.
Let d_ge0 : 0 <= delta. Proof. by case/andP: delta01. Qed.
Let d_gt0 : 0 < 1 - delta. Proof. by case/andP: delta01 => _; rewrite subr_gt0. Qed.

Notation P_star := (@release R m k delta).
Notation c0 := (ord0 : 'I_M).
Notation c1 := (lift ord0 ord0 : 'I_M).
Notation cl := (ord_max : 'I_M).

Let a : R := (1 - delta) * alpha m k.
Let a_gt0 : 0 < a. Proof. by rewrite mulr_gt0 // alpha_gt0. Qed.

(** [z] moves from the last to the second entry of the first row. *)
Definition moved (z : R) (i j : 'I_M) : R :=
  P_star i j + z * ((i == c0)%:R * ((j == c1)%:R - (j == cl)%:R)).

Lemma gap_of_neighbours (i i' j : 'I_M) : (i' == i.+1 :> nat) || (i == i'.+1 :> nat) ->
  P_star i j - k * P_star i' j <= delta * (i == j)%:R.
Proof.
move=> near; have [ij|ij] := eqVneq i j; last first.
  have := canonical_release_is_private k_ge1 delta01 near => /(_ [set j]).
  rewrite /prob !big_set1 mulr0 => _; rewrite subr_le0 /release (negbTE ij) mulr0 addr0 mulrDr.
  rewrite -[X in X <= _]addr0 ler_add //; last by rewrite !mulr_ge0 ?ler0n // ltW.
  rewrite mulrCA ler_wpmul2l ?(ltW a_gt0) //; apply: w_le_kw => //.
  case/orP: near => /eqP e; rewrite e; move: (ltn_ord i) (ltn_ord i') (ltn_ord j);
    by rewrite e /cyclic_distance; clear; lia.
have := canonical_release_is_private k_ge1 delta01 near => /(_ [set j]).
by rewrite /prob !big_set1 mulr1 ler_subl_addl.
Qed.

Let d01 : cyclic_distance m c0 c1 = 1%N. Proof. by rewrite /cyclic_distance /= /bump /=; lia. Qed.
Let d0l : cyclic_distance m c0 cl = 1%N. Proof. by rewrite /cyclic_distance /=; lia. Qed.
Let e01 : P_star c0 c1 = a / k.
Proof. by rewrite /release d01 expr1 mulr0 addr0. Qed.
Let e0l : P_star c0 cl = a / k.
Proof. by rewrite /release d0l expr1 mulr0 addr0. Qed.
Let e11 : P_star c1 c1 = a + delta.
Proof.
rewrite /release eqxx (_ : cyclic_distance m c1 c1 = 0%N); last by rewrite /cyclic_distance; lia.
by rewrite expr0 invr1 !mulr1.
Qed.
Let e1l : P_star c1 cl <= a / k.
Proof.
rewrite /release (_ : (c1 == cl) = false) // mulr0 addr0 ler_wpmul2l ?(ltW a_gt0) //.
rewrite lef_pinv ?posrE ?exprn_gt0 // -[X in X <= _]expr1 ler_weexpn2l //.
by rewrite /cyclic_distance /= /bump /=; lia.
Qed.

Definition room : R := Num.min (a / k) (Num.min (k * (a + delta) - a / k)
  (if 0 < delta then delta / k else (a - a / k) / k)).

Let ak : a / k <= a. Proof. by rewrite ler_pdivr_mulr // ler_pemulr // ltW. Qed.

Lemma room_gt0 : 0 < room.
Proof.
have ak0 : 0 < a / k by rewrite divr_gt0.
have strict : 1 < k -> a / k < a by move=> k1; rewrite ltr_pdivr_mulr // ltr_pmulr.
rewrite /room !lt_minr ak0 /= subr_gt0; apply/andP; split.
  case: leaks => [k1|d0].
    rewrite (lt_le_trans (strict k1)) // (le_trans (y := k * a)) ?ler_pemull ?(ltW a_gt0) //.
    by rewrite ler_wpmul2l ?(ltW k_gt0) // ler_addl.
  rewrite (le_lt_trans ak) // (le_lt_trans (y := k * a)) ?ler_pemull ?(ltW a_gt0) //.
  by rewrite ltr_pmul2l // ltr_addl.
case: ifP => d0; first by rewrite divr_gt0.
by case: leaks => [k1|]; [rewrite divr_gt0 // subr_gt0 strict | rewrite d0].
Qed.

Lemma sum_of_one (c : 'I_M) : \sum_j (j == c)%:R = 1 :> R.
Proof. by rewrite (bigD1 c) //= eqxx big1 ?addr0 // => j /negbTE ->. Qed.

Lemma moved_is_optimal (z : R) : 0 <= z <= room -> optimal k delta (moved z).
Proof.
rewrite /room !le_minr => /and4P[z0 z1 z2 z3].
have [hS privS errsS] := star_is_optimal m k_ge1 delta01.
have first j : moved z c0 j = P_star c0 j + z * ((j == c1)%:R - (j == cl)%:R).
  by rewrite /moved eqxx mul1r.
have other i j : i != c0 -> moved z i j = P_star i j.
  by move=> /negbTE i0; rewrite /moved i0 mul0r mulr0 addr0.
have c1l : (c1 == cl) = false by [].
have to_first (i : 'I_M) : (i == c1) || (i != c0) -> i != c0 by case/orP => [/eqP ->|].
split.
- move=> i; have [S0 S1] := hS i; have [->|i0] := eqVneq i c0; last first.
    by split=> [j|]; [rewrite other | under eq_bigr do rewrite other //].
  have [S00 S01] := hS c0; split=> [j|].
    rewrite first; have [->|jl] := eqVneq j cl; last first.
      by rewrite subr0 addr_ge0 // mulr_ge0 // ler0n.
    by rewrite eq_sym c1l sub0r mulrN1 e0l subr_ge0.
  under eq_bigr do rewrite first; rewrite big_split /= S01 -mulr_sumr sumrB.
  by rewrite !sum_of_one subrr mulr0 addr0.
- move=> i i' near; have [i0|i0] := eqVneq i c0.
    have i'1 : i' = c1 by apply: val_inj; case/orP: near => /eqP; rewrite i0.
    apply: (close_of_gaps (f := fun j => delta * (j == c0)%:R)) => [j|j|].
    + rewrite i0 i'1 first other //; have near' : (c1 == c0.+1 :> nat) || (c0 == c1.+1 :> nat) by [].
      have := gap_of_neighbours j near'; rewrite eq_sym; have [->|j1] := eqVneq j c1.
        move=> _; rewrite c1l subr0 mulr1 e01 e11 mulr0 subr_le0.
        by move: z2; rewrite ler_subr_addl.
      have [->|jl] := eqVneq j cl; last by rewrite subr0 mulr0 addr0.
      by rewrite sub0r mulrN1; apply: le_trans; rewrite ler_add2r ler_subl_addr ler_addl.
    + by rewrite mulr_ge0 ?ler0n.
    by rewrite -mulr_sumr sum_of_one mulr1.
  have [i'0|i'0] := eqVneq i' c0; last first.
    by move=> U; have := privS i i' near U; rewrite /prob; under eq_bigr do rewrite -other //;
       under [X in _ <= _ * X + _]eq_bigr do rewrite -other //.
  have i1 : i = c1 by apply: val_inj; case/orP: near => /eqP; rewrite i'0.
  have near' : (c0 == c1.+1 :> nat) || (c1 == c0.+1 :> nat) by [].
  have kz0 : 0 <= k * z by rewrite mulr_ge0 // ltW.
  have kak : k * (a / k) = a by rewrite mulrCA divff ?mulr1 // gt_eqF.
  have gap j : j != c1 -> j != cl -> moved z i j - k * moved z i' j <= 0.
    move=> j1 jl; rewrite i1 i'0 other // first (negbTE j1) (negbTE jl) subr0 mulr0 addr0.
    by have := gap_of_neighbours j near'; rewrite eq_sym (negbTE j1) mulr0.
  have at_one : moved z i c1 - k * moved z i' c1 = delta - k * z.
    by rewrite i1 i'0 other // first eqxx c1l subr0 mulr1 e01 e11 mulrDr kak; ring.
  have at_last : moved z i cl - k * moved z i' cl <= a / k - a + k * z.
    rewrite i1 i'0 other // first eqxx eq_sym c1l sub0r mulrN1 e0l mulrBr kak opprB.
    by rewrite addrA addrAC ler_add2r ler_add2r.
  have ones (x y : R) : \sum_j ((j == c1)%:R * x + (j == cl)%:R * y) = x + y.
    by rewrite big_split /= -!mulr_suml !sum_of_one !mul1r.
  case: ifP z3 => d0 z3.
    have kz : k * z <= delta by rewrite mulrC -ler_pdivl_mulr.
    apply: (close_of_gaps (f := fun j => (j == c1)%:R * (delta - k * z) + (j == cl)%:R * (k * z))).
    + move=> j; have [->|j1] := eqVneq j c1; first by rewrite c1l mul0r addr0 mul1r at_one.
      have [->|jl] := eqVneq j cl; last by rewrite !mul0r addr0 gap.
      rewrite mul0r add0r mul1r; apply: le_trans at_last _.
      by rewrite -[X in _ <= X]add0r ler_add2r subr_le0.
    + by move=> j; rewrite addr_ge0 // mulr_ge0 ?ler0n // subr_ge0.
    by rewrite ones subrK.
  apply: (close_of_gaps (f := fun=> 0)) => // [j|]; last by rewrite sumr_const mul0rn.
  have kz : k * z <= a - a / k by rewrite mulrC -ler_pdivl_mulr.
  have d_eq : delta = 0 by apply: eq_by => //; rewrite leNgt d0.
  have [->|j1] := eqVneq j c1; first by rewrite at_one d_eq sub0r oppr_le0.
  have [->|jl] := eqVneq j cl; last exact: gap.
  by apply: le_trans at_last _; rewrite -opprB addrC subr_le0.
move=> i; apply: le_trans (errsS i); rewrite ler_add2l ler_opp2.
have [->|i0] := eqVneq i c0; last by rewrite other.
by rewrite first (_ : (c0 == cl) = false) // subrr mulr0 addr0.
Qed.

End Several.

(** [counting.perturbed_release_is_optimal_at_every_size] *)
Theorem there_are_infinitely_many_optima (R : realFieldType) (n : nat) (k delta : R) :
  1 <= k -> 0 <= delta < 1 -> 1 < k \/ 0 < delta -> exists room, 0 < room /\
  forall z, 0 <= z <= room -> optimal k delta (@moved R n k delta z) /\
    @moved R n k delta z ord0 (lift ord0 ord0) = @release R n.+2 k delta ord0 (lift ord0 ord0) + z.
Proof.
move=> k1 in01 leaks; exists (@room R n k delta); split; first exact: room_gt0.
move=> z inside; split; first exact: moved_is_optimal.
by rewrite /moved !eqxx (_ : (lift ord0 ord0 == ord_max :> 'I_n.+3) = false) // mul1r subr0 mulr1.
Qed.
