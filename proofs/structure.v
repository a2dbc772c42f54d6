(** What all optimal releases share (Theorem 1, statements 2 and 3), and how far an entry may be
    from that of P* (Lemma 2). *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify ring.
From provedp Require Import privacy optimum closed_form guarantees.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** ** Chains of privacy constraints: rows a gap apart are a group apart *)

Section Chains.
Variable R : realFieldType.
Variable m : nat.
Notation M := m.+1.
Notation matrix := ('I_M -> 'I_M -> R).
Variables k delta : R.
Hypothesis k_ge1 : 1 <= k.

Let k_gt0 : 0 < k. Proof. exact: lt_le_trans ltr01 k_ge1. Qed.
Let k_ge0 : 0 <= k. Proof. exact: ltW k_gt0. Qed.

Definition apart (i j : nat) : nat := ((i - j) + (j - i))%N.
Definition slack (n : nat) : R := delta * (\sum_(l < n) k ^+ l).

Lemma rows_apart (P : matrix) (i i' : 'I_M) : private k delta P ->
  close (k ^+ apart i i') (slack (apart i i')) (P i) (P i').
Proof.
move=> P_private; have [ii|ii] := leqP i i'.
  have := @guarantees_of_groups R _ k delta (fun l => P (inord (i + l))) (i' - i) k_ge0.
  rewrite addn0 subnKC // !inord_val (_ : apart i i' = i' - i)%N; last by rewrite /apart; lia.
  apply=> l li; apply: P_private; have iM := ltn_ord i'.
  by rewrite !inordK; move: li iM; lia.
have := @guarantees_of_groups R _ k delta (fun l => P (inord (i - l))) (i - i') k_ge0.
rewrite subn0 subKn ?(ltnW ii) // !inord_val (_ : apart i i' = i - i')%N; last by rewrite /apart; lia.
apply=> l li; apply: P_private; have iM := ltn_ord i.
by rewrite !inordK; move: li iM; lia.
Qed.

Lemma entry_apart (P : matrix) (i i' j : 'I_M) : private k delta P ->
  P i j <= k ^+ apart i i' * P i' j + slack (apart i i').
Proof. by move/(rows_apart i i')/(_ [set j]); rewrite /prob !big_set1. Qed.

End Chains.

Section Structure.
Variable R : realFieldType.
Variable m : nat.
Notation M := m.+1.
Notation matrix := ('I_M -> 'I_M -> R).
Variables k delta : R.
Hypothesis k_ge1 : 1 <= k.
Hypothesis delta01 : 0 <= delta < 1.

Let k_gt0 : 0 < k. Proof. exact: lt_le_trans ltr01 k_ge1. Qed.
Notation P_star := (@release R m k delta).

Definition optimal (P : matrix) : Prop :=
  [/\ stochastic P, private k delta P & errs_at_most P (error m k delta)].

Lemma star_is_optimal : optimal P_star.
Proof.
case/andP: (delta01) => d0 /ltW d1; split; [exact: release_is_stochastic | | ].
  exact: canonical_release_is_private.
by move=> i; rewrite release_errs_by_the_error.
Qed.

Lemma diagonal_of_an_optimum (P : matrix) i : optimal P -> P i i = P_star i i.
Proof.
move=> [hP priv errs]; have [hS privS errsS] := star_is_optimal.
rewrite (optimal_releases_share_the_diagonal k_gt0 hP priv errs).
by rewrite (optimal_releases_share_the_diagonal k_gt0 hS privS errsS).
Qed.

(** ** The first entries of the rows down to a middle one *)

Definition prefix (P : matrix) (i : nat) : R := \sum_(j < M | (j <= i)%N) P (inord i) j.

Lemma prefix_step (P : matrix) (i : nat) : private k delta P -> (i.+1 < M)%N ->
  prefix P i <= k * (prefix P i.+1 - P (inord i.+1) (inord i.+1)) + delta.
Proof.
move=> P_private iM.
have adjacent : ((inord i.+1 : 'I_M) == (inord i : 'I_M).+1 :> nat).
  by rewrite !inordK // ltnW.
have := P_private (inord i) (inord i.+1) _ [set j : 'I_M | (j <= i)%N].
rewrite adjacent /prob => /(_ isT).
under eq_bigl do rewrite inE; under [X in _ <= _ * X + _]eq_bigl do rewrite inE.
have -> : prefix P i.+1 - P (inord i.+1) (inord i.+1) =
          \sum_(j < M | (j <= i)%N) P (inord i.+1) j.
  rewrite /prefix (bigD1 (inord i.+1)) /= ?inordK // addrC addKr; apply: eq_bigl => j.
  by rewrite -val_eqE /= inordK // leq_eqVlt ltnS; case: eqP => [->|]; rewrite ?ltnn ?andbT //= ?andbF.
by [].
Qed.

Lemma star_prefix_step (i : nat) : (i.+1 <= M %/ 2)%N ->
  prefix P_star i = k * (prefix P_star i.+1 - P_star (inord i.+1) (inord i.+1)) + delta.
Proof.
move=> i_half; have iM : (i.+1 < M)%N by move: i_half; lia.
have -> : prefix P_star i.+1 - P_star (inord i.+1) (inord i.+1) =
          \sum_(j < M | (j <= i)%N) P_star (inord i.+1) j.
  rewrite /prefix (bigD1 (inord i.+1)) /= ?inordK // addrC addKr; apply: eq_bigl => j.
  by rewrite -val_eqE /= inordK // leq_eqVlt ltnS; case: eqP => [->|]; rewrite ?ltnn ?andbT //= ?andbF.
have entry (j : 'I_M) : (j <= i)%N ->
    P_star (inord i) j = k * P_star (inord i.+1) j + delta * (inord i == j)%:R.
  move=> ji; rewrite /release !inordK //; last exact: ltnW.
  have -> : cyclic_distance m i.+1 j = (cyclic_distance m i j).+1.
    by move: ji i_half; rewrite /cyclic_distance; lia.
  have -> : (inord i.+1 == j) = false.
    by apply/negbTE; rewrite -val_eqE /= inordK //; move: ji; lia.
  rewrite mulr0 addr0 exprS invfM; move: (k ^- cyclic_distance m i j) => x; field.
  by rewrite gt_eqF.
rewrite /prefix (eq_bigr _ entry) big_split /= -mulr_sumr; congr (_ + _).
rewrite -mulr_sumr (bigD1 (inord i)) /= ?inordK ?eqxx // ?(ltnW iM) // big1 ?addr0 ?mulr1 //.
by move=> j /andP[_]; rewrite eq_sym => /negbTE ->.
Qed.

Lemma prefix_zero (P : matrix) : prefix P 0 = P (inord 0) (inord 0).
Proof.
rewrite /prefix (bigD1 (inord 0)) /= ?inordK // big1 ?addr0 // => j /andP[j0].
by rewrite -val_eqE /= inordK //; move: j0; lia.
Qed.

(** An optimum has no less in its first entries than P*, down to a middle row. *)
Lemma prefix_is_at_least (P : matrix) (i : nat) : optimal P -> (i <= M %/ 2)%N -> (i < M)%N ->
  prefix P_star i <= prefix P i.
Proof.
move=> opt; have [_ priv _] := opt; elim: i => [|i IH] half iM.
  by rewrite !prefix_zero diagonal_of_an_optimum.
have := le_trans (IH (ltnW half) (ltnW iM)) (prefix_step priv iM).
rewrite (star_prefix_step half) ler_add2r ler_pmul2l // diagonal_of_an_optimum //.
by rewrite ler_add2r.
Qed.

(** And if it has no more in one row, then in none above it. *)
Lemma prefix_goes_back (P : matrix) (n i : nat) : optimal P -> (i + n <= M %/ 2)%N ->
  (i + n < M)%N -> prefix P (i + n) = prefix P_star (i + n) -> prefix P i = prefix P_star i.
Proof.
move=> opt; have [_ priv _] := opt; elim: n => [|n IH]; first by rewrite addn0.
rewrite addnS => half iM same; apply: IH; [exact: ltnW | exact: ltnW |].
apply: eq_by; last by rewrite prefix_is_at_least // ltnW.
apply: le_trans (prefix_step priv iM) _.
by rewrite (star_prefix_step half) same diagonal_of_an_optimum.
Qed.

Lemma mirror_is_optimal (P : matrix) :
  optimal P -> optimal (fun i j => P (rev_ord i) (rev_ord j)).
Proof.
move=> [hP priv errs]; split; [ | exact: mirror_is_private | by move=> i; exact: errs].
move=> i; have [P0 P1] := hP (rev_ord i); split=> //.
by rewrite -[RHS]P1 [in RHS](reindex_inj rev_ord_inj).
Qed.

Definition suffix (P : matrix) (i : nat) : R := \sum_(j < M | (i <= j)%N) P (inord i) j.

Lemma prefix_of_the_mirror (P : matrix) (i : 'I_M) :
  prefix (fun i j => P (rev_ord i) (rev_ord j)) i = suffix P (rev_ord i).
Proof.
rewrite /prefix /suffix (reindex_inj rev_ord_inj) /=; apply: eq_big => [j|j _].
  by move: (ltn_ord i) (ltn_ord j); lia.
by rewrite !inord_val rev_ordK -(inord_val (rev_ord i)).
Qed.

Lemma star_is_its_mirror i j : P_star (rev_ord i) (rev_ord j) = P_star i j.
Proof.
rewrite /release (inj_eq rev_ord_inj); congr (_ * k ^- _ + _).
by rewrite /cyclic_distance /=; move: (ltn_ord i) (ltn_ord j); lia.
Qed.

Lemma suffix_is_at_least (P : matrix) (i : 'I_M) : optimal P -> (M.-1 %/ 2 <= i)%N ->
  suffix P_star i <= suffix P i.
Proof.
move=> opt half; have opt' := mirror_is_optimal opt.
have := prefix_is_at_least (i := rev_ord i) opt' _ (ltn_ord _).
rewrite prefix_of_the_mirror rev_ordK => h; apply: le_trans _ (h _).
  rewrite -[in X in X <= _](rev_ordK i) -prefix_of_the_mirror /prefix.
  by under eq_bigr do rewrite star_is_its_mirror.
by rewrite /=; move: half (ltn_ord i); lia.
Qed.

Lemma whole_row (P : matrix) (i : 'I_M) : stochastic P -> prefix P i + suffix P i = 1 + P i i.
Proof.
move=> hP; have [_ P1] := hP i.
have pre : prefix P i = P i i + \sum_(j < M | (j < i)%N) P i j.
  rewrite /prefix inord_val (bigD1 i) //=; congr (_ + _).
  by apply: eq_bigl => j; rewrite ltn_neqAle andbC.
have suf : suffix P i = P i i + \sum_(j < M | (i < j)%N) P i j.
  rewrite /suffix inord_val (bigD1 i) //=; congr (_ + _).
  by apply: eq_bigl => j; rewrite ltn_neqAle andbC eq_sym.
by rewrite pre suf -P1 (split_at i (P i)); ring.
Qed.

Lemma middle_prefix (P : matrix) : optimal P -> prefix P (M %/ 2) = prefix P_star (M %/ 2).
Proof.
move=> opt; have [hP _ _] := opt; have [hS _ _] := star_is_optimal.
have mid : middle m = (M %/ 2)%N :> nat by rewrite inordK // ltn_Pdiv.
have low := prefix_is_at_least opt (leqnn _) (ltn_Pdiv (isT : 1 < 2)%N (isT : 0 < M)%N).
have high : suffix P_star (middle m) <= suffix P (middle m).
  by apply: suffix_is_at_least => //; rewrite mid; lia.
have := whole_row (middle m) hP; have := whole_row (middle m) hS.
rewrite mid -(diagonal_of_an_optimum (middle m) opt) => <- sums.
apply: eq_by => //; rewrite -mid in sums *.
by rewrite -(ler_add2r (suffix P (middle m))) sums ler_add2l.
Qed.

(** eq. (13), first half: [middle] is row ceil((M + 1)/2), counted from one. *)
Theorem first_sums_are_shared (P : matrix) (i : nat) : optimal P -> (i <= M %/ 2)%N ->
  prefix P i = prefix P_star i.
Proof.
move=> opt half; apply: (@prefix_goes_back P (M %/ 2 - i)) => //; rewrite subnKC //.
  by rewrite ltn_Pdiv.
exact: middle_prefix.
Qed.

Lemma middle_suffix (P : matrix) : optimal P -> suffix P (middle m) = suffix P_star (middle m).
Proof.
move=> opt; have [hP _ _] := opt; have [hS _ _] := star_is_optimal.
have mid : middle m = (M %/ 2)%N :> nat by rewrite inordK // ltn_Pdiv.
apply: (addrI (prefix P (middle m))); rewrite whole_row //.
by rewrite mid middle_prefix // -mid whole_row // diagonal_of_an_optimum.
Qed.

(** eq. (13), second half, by the mirror: rows from the other middle one on. *)
Theorem last_sums_are_shared (P : matrix) (i : 'I_M) : optimal P -> (M.-1 %/ 2 <= i)%N ->
  suffix P i = suffix P_star i.
Proof.
move=> opt half; have opt' := mirror_is_optimal opt; have optS := mirror_is_optimal star_is_optimal.
have inside : (rev_ord i <= M %/ 2)%N by rewrite /=; move: half (ltn_ord i); lia.
rewrite -(rev_ordK i) -!prefix_of_the_mirror.
by rewrite (first_sums_are_shared opt' inside) (first_sums_are_shared optS inside).
Qed.

(** ** A diagonal above one half *)

Lemma rest_of_the_row (P : matrix) i : stochastic P -> \sum_(j < M | j != i) P i j = 1 - P i i.
Proof. by move=> hP; have [_ <-] := hP i; rewrite [in RHS](bigD1 i) //= [in RHS]addrC addKr. Qed.

Lemma dominated_rows_are_independent (P : matrix) (x : 'I_M -> R) : stochastic P ->
  (forall i, 1 - P i i < P i i) -> (forall i, \sum_j P i j * x j = 0) -> forall i, x i = 0.
Proof.
move=> hP big zero.
pose top := [arg max_(i > (ord0 : 'I_M)) `|x i|]%O.
have top_max i : `|x i| <= `|x top|.
  by rewrite /top; case: Order.TotalTheory.arg_maxP => // i' _; exact.
suff x0 : `|x top| = 0 by move=> i; apply/eqP; rewrite -normr_le0 -x0.
apply/eqP; rewrite eq_le normr_ge0 andbT leNgt; apply/negP => pos.
have [P0 _] := hP top; have := zero top; rewrite (bigD1 top) //= => /eqP.
rewrite addr_eq0 => /eqP e; have : `|P top top * x top| <= (1 - P top top) * `|x top|.
  rewrite e normrN; apply: le_trans (ler_norm_sum _ _ _) _; rewrite -rest_of_the_row // mulr_suml.
  by apply: ler_sum => j _; rewrite normrM (ger0_norm (P0 j)) ler_wpmul2l.
by rewrite normrM (ger0_norm (P0 top)) ler_pmul2r // leNgt big.
Qed.

(** ** Pure privacy: the entries between the diagonal and the middle *)

Section Pure.
Hypothesis pure : delta = 0.

Lemma steps_apart (P : matrix) (i i' j : 'I_M) : optimal P -> P i j <= k ^+ apart i i' * P i' j.
Proof.
move=> [_ priv _]; have := entry_apart k_ge1 i i' j priv.
by rewrite /slack pure mul0r addr0.
Qed.

Lemma diagonal_over_power (P : matrix) (i j : 'I_M) : optimal P ->
  P_star j j * k ^- apart i j <= P i j.
Proof.
move=> opt; rewrite -(diagonal_of_an_optimum j opt) ler_pdivr_mulr ?exprn_gt0 // mulrC.
by have := steps_apart j i j opt; rewrite /apart addnC.
Qed.

Lemma star_entry (i j : 'I_M) : P_star i j = P_star j j * k ^- cyclic_distance m i j.
Proof.
rewrite /release pure subr0 !mul0r !addr0 !mul1r; congr (_ * _).
by rewrite (_ : cyclic_distance m j j = 0%N) ?expr0 ?invr1 ?mulr1 // /cyclic_distance; lia.
Qed.

Lemma middle_row_is_shared (P : matrix) (j : 'I_M) : optimal P ->
  P (middle m) j = P_star (middle m) j.
Proof.
move=> opt; have [hP _ _] := opt; have [hS _ _] := star_is_optimal.
have above l : 0 <= P (middle m) l - P_star (middle m) l.
  rewrite subr_ge0 star_entry; have := diagonal_over_power (middle m) l opt.
  by rewrite (distance_from_the_middle k_gt0).
have zero : \sum_l (P (middle m) l - P_star (middle m) l) = 0.
  by rewrite sumrB; case: (hP (middle m)) => _ ->; case: (hS (middle m)) => _ ->; rewrite subrr.
have /eqP := psumr_eq0P (fun l _ => above l) zero (i := j) isT.
by rewrite subr_eq0 => /eqP.
Qed.

Lemma upper_entries_are_shared (P : matrix) (i j : 'I_M) : optimal P ->
  (j <= i)%N -> (i <= M %/ 2)%N -> P i j = P_star i j.
Proof.
move=> opt ji half.
have mid : middle m = (M %/ 2)%N :> nat by rewrite inordK // ltn_Pdiv.
have near : cyclic_distance m i j = apart i j by move: ji half; rewrite /cyclic_distance /apart; lia.
apply: eq_by; last by rewrite star_entry near diagonal_over_power.
apply: le_trans (steps_apart i (middle m) j opt) _; rewrite middle_row_is_shared //.
rewrite (star_entry (middle m) j) (star_entry i j) near.
have -> : cyclic_distance m (middle m) j = (apart i (middle m) + apart i j)%N.
  by rewrite (distance_from_the_middle k_gt0) mid /apart; move: ji half; lia.
by rewrite exprD invfM mulrCA mulVKf // expf_neq0 // gt_eqF.
Qed.

End Pure.
End Structure.

(** ** What the claims say *)

Section Claims.
Variable R : realFieldType.
Variable m : nat.
Notation M := m.+1.
Notation matrix := ('I_M -> 'I_M -> R).

(** [counting.diagonal_and_partial_sums_are_forced], eq. (13); rows are counted from zero here *)
Theorem diagonal_and_partial_sums_are_forced (k delta : R) (P : matrix) :
  1 <= k -> 0 <= delta < 1 -> optimal k delta P ->
  [/\ forall i, P i i = 1 - error m k delta,
      forall i : 'I_M, (i <= M %/ 2)%N ->
        \sum_(j < M | (j <= i)%N) P i j = \sum_(j < M | (j <= i)%N) @release R m k delta i j &
      forall i : 'I_M, (M.-1 %/ 2 <= i)%N ->
        \sum_(j < M | (i <= j)%N) P i j = \sum_(j < M | (i <= j)%N) @release R m k delta i j].
Proof.
move=> k1 in01 opt; split=> [i|i half|i half].
- have [hP priv errs] := opt.
  by rewrite (optimal_releases_share_the_diagonal _ hP priv errs) // (lt_le_trans ltr01).
- by have := first_sums_are_shared k1 in01 opt half; rewrite /prefix inord_val.
- by have := last_sums_are_shared k1 in01 opt half; rewrite /suffix inord_val.
Qed.

(** [counting.entries_between_diagonal_and_middle_are_forced_at_every_size], eq. (12) *)
Theorem entries_between_diagonal_and_middle_are_forced (k : R) (P : matrix) (i j : 'I_M) :
  1 <= k -> optimal k 0 P -> (j <= i <= M %/ 2)%N || (M.-1 %/ 2 <= i <= j)%N ->
  P i j = @release R m k 0 i j.
Proof.
have in01 : 0 <= (0 : R) < 1 by rewrite lexx ltr01.
move=> k1 opt /orP[/andP[ji half]|/andP[half ij]]; first exact: upper_entries_are_shared.
have := upper_entries_are_shared k1 in01 erefl (i := rev_ord i) (j := rev_ord j)
          (mirror_is_optimal k1 opt).
rewrite !rev_ordK (star_is_its_mirror k1 in01) => -> //=; first by move: ij (ltn_ord j); lia.
by move: half (ltn_ord i); lia.
Qed.

(** [counting.prefix_constraints_are_tight_at_every_size], eq. (48) and (49) *)
Theorem prefix_constraints_are_tight (k delta : R) (i i' : 'I_M) :
  1 <= k -> i' = i.+1 :> nat ->
  ((i' <= M %/ 2)%N -> \sum_(j < M | (j <= i)%N) @release R m k delta i j =
     k * (\sum_(j < M | (j <= i)%N) @release R m k delta i' j) + delta) /\
  ((M.-1 %/ 2 <= i)%N -> \sum_(j < M | (i' <= j)%N) @release R m k delta i' j =
     k * (\sum_(j < M | (i' <= j)%N) @release R m k delta i j) + delta).
Proof.
move=> k1 next; have k0 : 0 < k := lt_le_trans ltr01 k1.
have entry (a b j : 'I_M) : cyclic_distance m b j = (cyclic_distance m a j).+1 ->
    @release R m k delta a j = k * @release R m k delta b j + delta * (a == j)%:R.
  move=> far; have off : (b == j) = false.
    by apply/negbTE/negP => /eqP e; move: far; rewrite e /cyclic_distance; lia.
  rewrite /release off far mulr0 addr0 exprS invfM; move: (k ^- _) => x; field.
  by rewrite gt_eqF.
have sums (a b : 'I_M) (below : pred 'I_M) : below a ->
    (forall j, below j -> cyclic_distance m b j = (cyclic_distance m a j).+1) ->
    \sum_(j < M | below j) @release R m k delta a j =
    k * (\sum_(j < M | below j) @release R m k delta b j) + delta.
  move=> here far; rewrite (eq_bigr _ (fun j bj => entry a b j (far j bj))) big_split /= -mulr_sumr.
  congr (_ + _); rewrite -mulr_sumr (bigD1 a) //= eqxx big1 ?addr0 ?mulr1 // => j /andP[_].
  by rewrite eq_sym => /negbTE ->.
split=> half; apply: sums => //= j.
  by rewrite next /cyclic_distance => ji; move: ji half (ltn_ord i'); rewrite next; lia.
by rewrite next /cyclic_distance => ij; move: ij half (ltn_ord j); lia.
Qed.

(** [counting.optimal_diagonals_are_tight]: the diagonal and the constraints of the certificate *)
Theorem optimal_diagonals_are_tight (k delta : R) (P : matrix) :
  1 <= k -> 0 <= delta < 1 -> optimal k delta P ->
  [/\ forall i, P i i = 1 - error m k delta,
      forall i i' : 'I_M, i' = i.+1 :> nat -> (i' <= M %/ 2)%N ->
        \sum_(j < M | (j <= i)%N) P i j = k * (\sum_(j < M | (j <= i)%N) P i' j) + delta &
      forall i i' : 'I_M, i' = i.+1 :> nat -> (M.-1 %/ 2 <= i)%N ->
        \sum_(j < M | (i' <= j)%N) P i' j = k * (\sum_(j < M | (i' <= j)%N) P i j) + delta].
Proof.
move=> k1 in01 opt; have [diag low high] := diagonal_and_partial_sums_are_forced k1 in01 opt.
have [diagS lowS highS] := diagonal_and_partial_sums_are_forced k1 in01 (star_is_optimal m k1 in01).
have cut_low (Q : matrix) (i i' : 'I_M) : i' = i.+1 :> nat ->
    \sum_(j < M | (j <= i)%N) Q i' j = \sum_(j < M | (j <= i')%N) Q i' j - Q i' i'.
  move=> next; rewrite [in RHS](bigD1 i') //= addrC addKr; apply: eq_bigl => j.
  by rewrite -val_eqE /= next; lia.
have cut_high (Q : matrix) (i i' : 'I_M) : i' = i.+1 :> nat ->
    \sum_(j < M | (i' <= j)%N) Q i j = \sum_(j < M | (i <= j)%N) Q i j - Q i i.
  move=> next; rewrite [in RHS](bigD1 i) //= addrC addKr; apply: eq_bigl => j.
  by rewrite -val_eqE /= next; lia.
split=> // i i' next half.
  have inside : (i <= M %/ 2)%N by rewrite -ltnS -next ltnW.
  have [tight _] := prefix_constraints_are_tight delta k1 next.
  by rewrite (cut_low P i i' next) (low i inside) (low i' half) diag -(diagS i') -(cut_low _ i i' next) tight.
have inside : (M.-1 %/ 2 <= i')%N by rewrite next ltnW.
have [_ tight] := prefix_constraints_are_tight delta k1 next.
by rewrite (cut_high P i i' next) (high i half) (high i' inside) diag -(diagS i) -(cut_high _ i i' next) tight.
Qed.

(** [counting.optimum_for_two_counts_is_unique] *)
Theorem optimum_for_two_counts_is_unique (k delta : R) (P : 'I_2 -> 'I_2 -> R) :
  1 <= k -> 0 <= delta < 1 -> optimal k delta P -> forall i j, P i j = @release R 1 k delta i j.
Proof.
move=> k1 in01 opt i j; have [hP _ _] := opt; have [hS _ _] := star_is_optimal 1 k1 in01.
have diag := diagonal_of_an_optimum k1 in01 i opt.
have [->|ji] := eqVneq j i; first exact: diag.
have other (Q : 'I_2 -> 'I_2 -> R) : stochastic Q -> Q i j = 1 - Q i i.
  move=> hQ; have [_ Q1] := hQ i; rewrite -Q1 (bigD1 i) //= (bigD1 j) //=.
  rewrite big1 ?addr0; first by rewrite [RHS]addrC addKr.
  move=> l; move: ji; rewrite -!val_eqE /=.
  by move: (ltn_ord i) (ltn_ord j) (ltn_ord l); lia.
by rewrite !other // diag.
Qed.

(** [counting.optimum_without_leakage_is_unique] *)
Theorem optimum_without_leakage_is_unique (P : matrix) :
  optimal 1 0 P -> forall i j, P i j = M%:R^-1.
Proof.
have in01 : 0 <= (0 : R) < 1 by rewrite lexx ltr01.
have one : 1 <= (1 : R) by [].
move=> opt i j; have below := steps_apart one erefl i j j opt.
have above := steps_apart one erefl j i j opt; rewrite !expr1n !mul1r in below above.
rewrite (eq_by below above) (diagonal_of_an_optimum one in01 j opt).
by rewrite /release subr0 alpha_at_one expr1n invr1 mul0r addr0 mulr1 mul1r.
Qed.

(** [counting.large_diagonals_dominate_their_rows]: full rank as a trivial kernel *)
Theorem large_diagonals_dominate_their_rows (k delta : R) (P : matrix) :
  1 <= k -> 0 <= delta < 1 -> 1 < (1 + 1) * (delta + (1 - delta) * alpha m k) -> optimal k delta P ->
  (forall i, \sum_(j < M | j != i) P i j < P i i) /\
  (forall x, (forall i, \sum_j P i j * x j = 0) -> forall i, x i = 0).
Proof.
move=> k1 in01 half opt; have [hP priv errs] := opt.
have large i : 1 - P i i < P i i.
  rewrite (optimal_releases_share_the_diagonal (lt_le_trans ltr01 k1) hP priv errs).
  by apply: (lt_by (s := (1 + 1) * (delta + (1 - delta) * alpha m k) - 1)); rewrite ?subr_gt0 // /error; ring.
split=> [i|x]; first by rewrite rest_of_the_row.
exact: dominated_rows_are_independent.
Qed.

(** [counting.chains_of_constraints_bound_every_entry], n = |i - j| *)
Theorem chains_of_constraints_bound_every_entry (k delta : R) (P : matrix) (i j : 'I_M) :
  1 <= k -> 0 <= delta < 1 -> optimal k delta P -> i != j ->
  let g := 1 - error m k delta in let n := apart i j in let s := slack k delta n in
  [/\ P i j <= k ^+ n * g + s, P i j <= 1 - g, (g - s) / k ^+ n <= P i j & 0 <= P i j].
Proof.
move=> k1 in01 opt ij g n s; have [hP priv errs] := opt; have k0 : 0 < k := lt_le_trans ltr01 k1.
have diag l : P l l = g by exact: optimal_releases_share_the_diagonal.
have [P0 P1] := hP i; split=> //.
- by rewrite -(diag j); exact: entry_apart.
- rewrite -(diag i) -(rest_of_the_row i hP) (bigD1 j) 1?eq_sym //= ler_addl.
  by apply: sumr_ge0 => l _.
rewrite ler_pdivr_mulr ?exprn_gt0 // ler_subl_addr -(diag j) mulrC.
by have := entry_apart k1 j i j priv; rewrite (_ : apart j i = n) // /n /apart addnC.
Qed.

End Claims.

(** [counting.partial_sums_are_forced]: in every row, by the rest of it *)
Theorem all_partial_sums_are_forced (R : realFieldType) (m : nat) (k delta : R)
  (P : 'I_m.+1 -> 'I_m.+1 -> R) (i : 'I_m.+1) :
  1 <= k -> 0 <= delta < 1 -> optimal k delta P ->
  \sum_(j < m.+1 | (j <= i)%N) P i j = \sum_(j < m.+1 | (j <= i)%N) @release R m k delta i j /\
  \sum_(j < m.+1 | (i <= j)%N) P i j = \sum_(j < m.+1 | (i <= j)%N) @release R m k delta i j.
Proof.
move=> k1 in01 opt; have [hP _ _] := opt; have [hS _ _] := star_is_optimal m k1 in01.
have := whole_row i hP; have := whole_row i hS.
rewrite /prefix /suffix inord_val (diagonal_of_an_optimum k1 in01 i opt) => <- sums.
have [_ low high] := diagonal_and_partial_sums_are_forced k1 in01 opt.
have [half|half] : (i <= m.+1 %/ 2)%N \/ (m.+1.-1 %/ 2 <= i)%N.
  by move: (nat_of_ord i); clear; lia.
  by move: sums; rewrite (low i half) => /addrI ->.
by move: sums; rewrite (high i half) => /addIr ->.
Qed.
