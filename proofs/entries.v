(** The entries of P*: extremes, norms, sums of a row, events that spend delta, and how many entries
    all optimal releases share at delta = 0. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify ring.
From provedp Require Import privacy optimum closed_form guarantees structure radius.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** [counting.distance_grows_away_from_a_prefix] *)
Theorem distance_grows_away_from_a_prefix (m i j : nat) :
  ((2 * i.+1 <= m.+1)%N -> (j <= i)%N ->
     cyclic_distance m i.+1 j = (cyclic_distance m i j).+1) /\
  cyclic_distance m i i = 0%N /\
  ((m.+1 < 2 * i.+1)%N -> (i < m)%N -> (cyclic_distance m i.+1 0 <= cyclic_distance m i 0)%N).
Proof. by rewrite /cyclic_distance; split=> [|]; [lia | split; lia]. Qed.

Lemma half_of_more (n : nat) : (0 < n)%N -> (n.+1 %/ 2 <= n)%N.
Proof. by lia. Qed.

Section Entries.
Variable R : realFieldType.
Variable m : nat.
Notation M := m.+1.
Variables k delta : R.
Notation P_star := (@release R m k delta).

(** [counting.distance_is_the_gap_up_to_the_middle], with F*_i, eq. (13): r is a middle row. *)
Theorem distance_is_the_gap_up_to_the_middle (r : nat) (i j : 'I_M) :
  [/\ (M <= 2 * r + 2)%N -> (2 * r <= M)%N -> (j <= i <= r)%N -> cyclic_distance m i j = (i - j)%N,
      (M <= 2 * r + 2)%N -> (2 * r <= M)%N -> cyclic_distance m r j = ((r - j) + (j - r))%N,
      (j <= i)%N -> (M <= 2 * (i - j))%N -> cyclic_distance m i j = (M - (i - j))%N &
      (2 * i <= M)%N -> \sum_(l < M | (l <= i)%N) P_star i l =
        (1 - delta) * alpha m k * (\sum_(n < i.+1) k ^- n) + delta].
Proof.
have [iM jM] := (ltn_ord i, ltn_ord j).
split; [rewrite /cyclic_distance; lia | rewrite /cyclic_distance; lia |
        rewrite /cyclic_distance; lia | move=> half].
rewrite /release big_split /= -!mulr_sumr; congr (_ * _ + _); last first.
  rewrite (bigD1 i) ?leqnn //= eqxx big1 ?addr0 ?mulr1 // => l /andP[_].
  by rewrite eq_sym => /negbTE ->.
have below : (i.+1 <= M)%N := ltn_ord i.
rewrite (eq_bigr (fun l : 'I_M => k ^- (i - l))); last first.
  by move=> l li; rewrite /cyclic_distance; congr (_ ^- _); lia.
have -> : \sum_(l < M | (l <= i)%N) k ^- (i - l) = \sum_(n < i.+1) k ^- (i - n).
  by rewrite (big_ord_widen _ (fun n => k ^- (i - n)) below).
by rewrite (reindex_inj rev_ord_inj) /=; apply: eq_bigr => n _; rewrite subSS subKn // -ltnS.
Qed.

Hypothesis k_ge1 : 1 <= k.
Hypothesis delta01 : 0 <= delta < 1.
Let k_gt0 : 0 < k. Proof. exact: lt_le_trans ltr01 k_ge1. Qed.
Let d0 : 0 <= delta. Proof. by case/andP: delta01. Qed.
Let d1 : 0 < 1 - delta. Proof. by rewrite subr_gt0; case/andP: delta01. Qed.
Let a0 : 0 < alpha m k. Proof. exact: alpha_gt0. Qed.
Let star_law i : law (P_star i). Proof. by apply: release_is_stochastic => //; case/andP: delta01 => _ /ltW. Qed.

(** [counting.canonical_release_is_a_mixture], for every M *)
Theorem canonical_release_is_a_mixture (i j : 'I_M) :
  P_star i j = delta * (i == j)%:R + (1 - delta) * @release R m k 0 i j.
Proof. by rewrite /release; ring. Qed.

(** [counting.extreme_entries_are_at_the_extreme_distances]: off the diagonal, and which entries
    they are *)
Theorem extreme_entries_are_at_the_extreme_distances (i j : 'I_M) : i != j ->
  [/\ (1 - delta) * alpha m k * k ^- (M %/ 2) <= P_star i j,
      P_star i j <= (1 - delta) * alpha m k * k^-1,
      cyclic_distance m i j = 1%N -> P_star i j = (1 - delta) * alpha m k * k^-1 &
      cyclic_distance m i j = (M %/ 2)%N ->
        P_star i j = (1 - delta) * alpha m k * k ^- (M %/ 2)].
Proof.
move=> ij; have /andP[low high] := star_off_the_diagonal k_ge1 delta01 ij.
by split=> // e; rewrite /release e (negbTE ij) mulr0 addr0.
Qed.

(** [counting.norms_of_the_canonical_release_are_as_stated]: rows sum to one; the largest entry; two
    bounds on the entries of a product *)
Theorem norms_of_the_canonical_release (X : 'I_M -> 'I_M -> R) (x y : R) (i j : 'I_M) :
  (forall l n, `|X l n| <= x) -> (forall l, \sum_n `|X l n| <= y) ->
  let top := (1 - delta) * alpha m k + delta in
  [/\ \sum_n `|P_star i n| = 1, P_star i i = top, `|P_star i j| <= top &
      `|\sum_l P_star i l * X l j| <= M%:R * top * x /\ `|\sum_l P_star i l * X l j| <= y].
Proof.
move=> hx hy top; have [p0 p1] := star_law i.
have diag : P_star i i = top.
  by rewrite /release /cyclic_distance subnn min0n expr0 invr1 eqxx !mulr1.
have most l : P_star i l <= top.
  have [<-|il] := eqVneq i l; first by rewrite diag.
  have [_ h _ _] := extreme_entries_are_at_the_extreme_distances il; apply: le_trans h _.
  rewrite /top ler_paddr // ler_pimulr ?invf_le1 //.
  by rewrite mulr_ge0 // ltW.
have product z : (forall l, `|X l j| <= z) -> `|\sum_l P_star i l * X l j| <= z.
  move=> hz; apply: le_trans (ler_norm_sum _ _ _) _; rewrite -[X in _ <= X]mul1r -p1 mulr_suml.
  by apply: ler_sum => l _; rewrite normrM (ger0_norm (p0 l)) ler_wpmul2l.
split=> //.
- by rewrite -[RHS]p1; apply: eq_bigr => l _; rewrite ger0_norm.
- by rewrite ger0_norm.
split; last first.
  apply: product => l; apply: le_trans (hy l); rewrite (bigD1 j) //= ler_addl.
  exact: sumr_ge0.
have x0 : 0 <= x by apply: le_trans (hx i j); exact: normr_ge0.
apply: le_trans (ler_norm_sum _ _ _) _.
apply: (@le_trans _ _ (\sum_(l < M) top * x)).
  by apply: ler_sum => l _; rewrite normrM (ger0_norm (p0 l)) ler_pmul.
by rewrite sumr_const card_ord -mulr_natl mulrA.
Qed.

(** [counting.tight_constraints_contain_a_diagonal_entry] *)
Theorem tight_constraints_contain_a_diagonal_entry (a b : 'I_M) (U : {set 'I_M}) : 0 < delta ->
  (b == a.+1 :> nat) || (a == b.+1 :> nat) ->
  (prob (P_star a) U = k * prob (P_star b) U + delta -> a \in U) /\
  (a \notin U -> prob (P_star a) U <= k * prob (P_star b) U) /\
  ((2 <= M)%N -> P_star a a = k * P_star b a + delta).
Proof.
move=> dp near.
have other j : j != a -> P_star a j <= k * P_star b j.
  move=> ja; rewrite /release (negbTE (_ : a != j)) 1?eq_sym // mulr0 addr0 mulrDr.
  rewrite ler_paddr ?mulr_ge0 ?ler0n ?(ltW k_gt0) //.
  rewrite mulrCA ler_wpmul2l ?mulr_ge0 ?(ltW a0) ?(ltW d1) //.
  rewrite -[X in X <= _]mul1r -(divff (lt0r_neq0 k_gt0)) -mulrA -invfM -exprS ler_pmul2l //.
  rewrite lef_pinv ?posrE ?exprn_gt0 // ler_weexpn2l //.
  by move: near (ltn_ord a) (ltn_ord b) (ltn_ord j); rewrite /cyclic_distance; lia.
have without : a \notin U -> prob (P_star a) U <= k * prob (P_star b) U.
  move=> aU; rewrite /prob mulr_sumr; apply: ler_sum => j jU; apply: other.
  by apply: contraNneq aU => <-.
split; last split=> // two.
  move=> e; apply: contraT => aU; have := without aU.
  by rewrite e -ler_subr_addl subrr leNgt dp.
have one : cyclic_distance m b a = 1%N.
  by move: near (ltn_ord a) (ltn_ord b) two; rewrite /cyclic_distance; lia.
have ba : (b == a) = false by apply/negbTE; move: near; rewrite -val_eqE /=; lia.
rewrite /release one ba eqxx mulr0 addr0 mulr1 expr1 /cyclic_distance subnn min0n expr0.
by field; rewrite gt_eqF.
Qed.

(** [counting.larger_diagonal_costs_some_entry] *)
Theorem larger_diagonal_costs_some_entry (P : 'I_M -> 'I_M -> R) (i : 'I_M) :
  stochastic P -> private k delta P -> P_star i i < P i i -> exists j, P j j < P_star j j.
Proof.
move=> hP priv larger.
have [/existsP //|] := boolP [exists j, P j j < P_star j j].
rewrite negb_exists => /forallP none; exfalso.
have errs : errs_at_most P (error m k delta).
  by move=> j; rewrite -(@release_errs_by_the_error R m k delta j) ler_add2l ler_opp2 leNgt none.
have := optimal_releases_share_the_diagonal k_gt0 hP priv errs i.
rewrite -(@release_errs_by_the_error R m k delta i) => e.
by move: larger; rewrite e opprB addrC subrK ltxx.
Qed.

(** [counting.radius_bound_vanishes_at_every_size] *)
Theorem radius_bound_vanishes (c : R) : (0 < m)%N -> k ^+ m <= 1 + c -> delta <= c -> c <= 1 ->
  radius_bound m k delta <= 6%:R * M%:R * c.
Proof.
move=> m0 small dc c1; have c0 : 0 <= c := le_trans d0 dc.
set K := k ^+ m; have K1 : 1 <= K by rewrite exprn_ege1.
have K0 : 0 < K := lt_le_trans ltr01 K1.
pose a := (1 - delta) * alpha m k.
have ap : 0 <= a by rewrite mulr_ge0 // ltW.
have a1 : a <= 1.
  have [_ <-] := star_law ord0; rewrite (bigD1 ord0) //= ler_paddr //.
    by apply: sumr_ge0 => l _; case: (star_law ord0).
  rewrite /release /cyclic_distance subnn min0n expr0 invr1 eqxx !mulr1 -/a.
  by rewrite ler_addl.
have gamma : 1 - error m k delta = a + delta by rewrite /error /a; ring.
pose s := \sum_(l < m) k ^+ l.
have s0 : 0 <= s by apply: sumr_ge0 => l _; rewrite exprn_ge0 // ltW.
have sK : s <= m%:R * K.
  rewrite mulr_natl -[X in _ *+ X]card_ord -sumr_const; apply: ler_sum => l _.
  by rewrite ler_weexpn2l // ltnW.
have Mc : M%:R * c = m%:R * c + c by rewrite mulrSr; ring.
have mc0 : 0 <= m%:R * c by rewrite mulr_ge0 ?ler0n.
have K2 : K <= 1 + 1 by rewrite (le_trans small) // ler_add2l.
have inv : 1 - K^-1 <= c.
  apply: (@le_by _ ((1 + c - K) + (K - 1) ^+ 2 / K)); first by field; rewrite gt_eqF.
  by rewrite addr_ge0 ?subr_ge0 // divr_ge0 ?sqr_ge0 // ltW.
have inv0 : 0 <= 1 - K^-1 by rewrite subr_ge0 invf_le1.
rewrite /radius_bound /highest /lowest /largest_entry /smallest_entry /slack gamma -/a -/s -/K.
rewrite le_maxl; apply/andP; split.
- apply: (@le_trans _ _ (K * (a + delta) + delta * s - a * K^-1)).
    apply: ler_add; first by rewrite le_minl lexx.
    rewrite ler_opp2 ler_wpmul2l // lef_pinv ?posrE ?exprn_gt0 // ler_weexpn2l //.
    exact: half_of_more.
  apply: (@le_by _ (a * ((c - (1 - K^-1)) + (1 + c - K)) + (1 - a) * ((1 + 1) * c) +
     (c - delta) * (K + s) + c * (m%:R * K - s) + (m%:R * c + c) * (1 + 1 - K) + (4%:R * (m%:R * c) + (1 + 1) * c))).
    by rewrite -mulrA Mc; move: (m%:R * c) (m%:R : R) => x y; ring.
  have [p1 p2 p3] : [/\ 0 <= c - (1 - K^-1), 0 <= 1 + c - K & 0 <= 1 - a] by rewrite !subr_ge0.
  have [p4 p5 p6] : [/\ 0 <= c - delta, 0 <= m%:R * K - s & 0 <= 1 + 1 - K] by rewrite !subr_ge0.
  have four : 0 <= 4%:R :> R := ler0n _ _.
  by nonneg.
apply: (@le_trans _ _ (a - (a + delta - delta * s) / K)).
  apply: ler_add; first by rewrite ler_pimulr ?invf_le1.
  by rewrite ler_opp2 le_maxr lexx.
apply: (@le_by _ (a * (c - (1 - K^-1)) + (1 - a) * c + delta / K +
   (delta * (m%:R * K - s)) / K + (c - delta) * m%:R + (5%:R * (m%:R * c + c)))).
  by rewrite -mulrA Mc; move: (m%:R : R) => y; field; rewrite gt_eqF.
have [p1 p3] : 0 <= c - (1 - K^-1) /\ 0 <= 1 - a by rewrite !subr_ge0.
have [p4 p5] : 0 <= c - delta /\ 0 <= m%:R * K - s by rewrite !subr_ge0.
have [m1 five] : 0 <= m%:R :> R /\ 0 <= 5%:R :> R by rewrite !ler0n.
by nonneg.
Qed.

End Entries.

(** [counting.simple_radius_bound_is_loose_without_leakage] *)
Theorem simple_radius_bound_is_loose (R : realFieldType) (m : nat) :
  error m (1 : R) 0 = m%:R / m.+1%:R /\
  (forall P, optimal 1 0 P -> forall i j, P i j = @release R m 1 0 i j).
Proof.
split; first by rewrite /error alpha_at_one mulrSr; field; rewrite -mulrSr pnatr_eq0.
move=> P opt i j; rewrite (optimum_without_leakage_is_unique opt) /release subr0 alpha_at_one.
by rewrite expr1n invr1 mul0r addr0 mulr1 mul1r.
Qed.

(** ** How many entries are shared at delta = 0 *)

(** Eq. (12): between the diagonal and the middle row or rows, in either half. *)
Definition is_shared (M i j : nat) : bool := (j <= i <= M %/ 2)%N || (M.-1 %/ 2 <= i <= j)%N.

Lemma count_between (n a b : nat) : (\sum_(i < n) (a <= i <= b : nat) = minn n b.+1 - a)%N.
Proof. by elim: n => [|n IH]; [rewrite big_ord0 | rewrite big_ord_recr /= IH]; lia. Qed.

Lemma sum_of_lengths (n : nat) : (2 * (\sum_(t < n) (t + 2)) = n * (n + 3))%N.
Proof. by elim: n => [|n IH]; [rewrite big_ord0 | rewrite big_ord_recr /= mulnDr IH]; nia. Qed.

Lemma column_of_shared (M j : nat) : (j < M)%N ->
  (\sum_(i < M) (is_shared M i j : nat) =
   if (j < M.-1 %/ 2)%N then (M %/ 2).+1 - j
   else if (j <= M %/ 2)%N then (M %/ 2).+1 - M.-1 %/ 2
   else j.+1 - M.-1 %/ 2)%N.
Proof.
move=> jM; have one : (\sum_(i < M) (is_shared M i j : nat) =
    \sum_(i < M) ((if (j < M.-1 %/ 2)%N then j else M.-1 %/ 2) <= i <=
                  (if (j <= M %/ 2)%N then M %/ 2 else j) : nat))%N.
  apply: eq_bigr => i _; congr (nat_of_bool _); move: (ltn_ord i); rewrite /is_shared.
  by case: ifP; case: ifP; lia.
by rewrite one count_between; case: ifP; case: ifP; lia.
Qed.

(** [counting.shared_entries_are_counted_at_every_size]: the printed polynomial, times eight *)
Theorem shared_entries_are_counted (M h : nat) : (0 < h)%N ->
  (M = 2 * h -> 8 * (\sum_(j < M) \sum_(i < M) (is_shared M i j : nat)) + 1 =
                2 * M ^ 2 + 10 * M + (2 * M + 1))%N /\
  (M = (2 * h).+1 -> 8 * (\sum_(j < M) \sum_(i < M) (is_shared M i j : nat)) + 1 + (2 * M + 1) =
                     2 * M ^ 2 + 10 * M)%N.
Proof.
move=> h0; have lengths := sum_of_lengths h.
have falling : (\sum_(j < h) (h.+1 - j) = \sum_(t < h) (t + 2))%N.
  by rewrite (reindex_inj rev_ord_inj) /=; apply: eq_bigr => t _; move: (ltn_ord t); lia.
have rising : (\sum_(t < h.+1) t.+1 = 1 + \sum_(t < h) (t + 2))%N.
  by rewrite big_ord_recl; congr (_ + _)%N; apply: eq_bigr => t _; rewrite /= /bump /=; lia.
split=> e.
  have two : M = (h + h)%N by lia.
  rewrite (eq_bigr (fun j : 'I_M => if (j < h)%N then h.+1 - j else j - h + 2)%N); last first.
    move=> j _; rewrite column_of_shared //; move: (nat_of_ord j) (ltn_ord j) => x xM.
    by do 3?[case: ifP]; lia.
  rewrite {}two {e} big_split_ord /=.
  rewrite (eq_bigr (fun j : 'I_h => h.+1 - j)%N); last by move=> j _; rewrite ltn_ord.
  have second : (\sum_(t < h) (if h + t < h then h.+1 - (h + t) else h + t - h + 2) =
                 \sum_(t < h) (t + 2))%N.
    by apply: eq_bigr => t _; rewrite ltnNge leq_addr /= addKn.
  by rewrite second falling; nia.
have two : M = (h + (1 + h))%N by lia.
rewrite (eq_bigr (fun j : 'I_M => if (j < h)%N then h.+1 - j else j.+1 - h)%N); last first.
  move=> j _; rewrite column_of_shared //; move: (nat_of_ord j) (ltn_ord j) => x xM.
  by do 3?[case: ifP]; lia.
rewrite {}two {e} big_split_ord /=.
rewrite (eq_bigr (fun j : 'I_h => h.+1 - j)%N); last by move=> j _; rewrite ltn_ord.
have second : (\sum_(t < h.+1) (if h + t < h then h.+1 - (h + t) else (h + t).+1 - h) =
               \sum_(t < h.+1) t.+1)%N.
  by apply: eq_bigr => t _; rewrite ltnNge leq_addr /= -addnS addKn.
by rewrite second rising falling; nia.
Qed.

(** [counting.thirteen_entries_are_linked_for_five_counts] *)
Theorem thirteen_entries_are_linked_for_five_counts (R : realFieldType) (k delta : R) : 0 < k ->
  let P := fun i j : nat => release k delta (inord i : 'I_5) (inord j) in
  let beside := fun i j : nat => (i == j.+1) || (j == i.+1) in
  let counts := iota 0 5 in
  let a := P 0%N 0%N in let b := P 0%N 1%N in
  [/\ size [seq ij <- [seq (i, j) | i <- counts, j <- counts]
            | (ij.1 == ij.2) || beside ij.1 ij.2] = 13%N,
      forall i j, (i < 5)%N -> (j < 5)%N -> (i == j -> P i j = a) /\ (beside i j -> P i j = b),
      a = k * b + delta, P 1%N 0%N + P 1%N 1%N = k * (P 2%N 0%N + P 2%N 1%N) + delta &
      P 3%N 4%N + P 3%N 3%N = k * (P 2%N 4%N + P 2%N 3%N) + delta].
Proof.
move=> k0 P beside counts a b.
have entry i j : (i < 5)%N -> (j < 5)%N ->
    P i j = (1 - delta) * alpha 4 k * k ^- cyclic_distance 4 i j + delta * (i == j)%:R.
  by move=> i5 j5; rewrite /P /release -val_eqE /= !inordK.
have near i j : (i < 5)%N -> (j < 5)%N -> (i == j -> P i j = a) /\ (beside i j -> P i j = b).
  move=> i5 j5; rewrite /a /b !entry //; split.
    by move=> /eqP ->; rewrite eqxx /cyclic_distance !subnn.
  rewrite /beside => ij; have -> : (i == j) = false by move: ij; lia.
  by congr (_ / k ^+ _ + _); rewrite /cyclic_distance; move: ij; lia.
have link : a = k * b + delta.
  by rewrite /a /b !entry //= /cyclic_distance /=; field; rewrite gt_eqF.
split=> //; rewrite !entry //= /cyclic_distance /=; field; by rewrite gt_eqF.
Qed.
