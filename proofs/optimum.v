(** Theorem 1 of the counting paper: the least worst-case error of a consistent
    (ln k, delta)-private release of one of M = m + 1 counts, and the matrix that attains it.
    Counts are 0, ..., m here and 1, ..., M in the paper. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify ring.
From provedp Require Import privacy.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Optimum.
Variable R : realFieldType.
Variable m : nat.
Notation M := m.+1.
Variables k delta : R.

(** ** Definitions, eq. (1), (2), (7), (8), (11) *)

Definition stochastic (P : 'I_M -> 'I_M -> R) : Prop := forall i, law (P i).

(** (ln k, delta)-privacy for consecutive counts, in both directions, for every event. *)
Definition private (P : 'I_M -> 'I_M -> R) : Prop :=
  forall i i' : 'I_M, (i' == i.+1 :> nat) || (i == i'.+1 :> nat) -> close k delta (P i) (P i').

(** [P] errs with probability at most [e], whatever the count. *)
Definition errs_at_most (P : 'I_M -> 'I_M -> R) (e : R) : Prop := forall i, 1 - P i i <= e.

Definition cyclic_distance (i j : nat) : nat :=
  minn ((i - j) + (j - i)) (M - ((i - j) + (j - i))).

Definition alpha : R := (\sum_(j < M) k ^- cyclic_distance 0 j)^-1.

Definition error : R := (1 - delta) * (1 - alpha).

Definition release (i j : 'I_M) : R :=
  (1 - delta) * alpha * k ^- cyclic_distance i j + delta * (i == j)%:R.

(** ** The cyclic distance *)

Lemma distance_is_lipschitz (i j : nat) : (i.+1 < M)%N -> (j < M)%N ->
  (cyclic_distance i.+1 j <= (cyclic_distance i j).+1)%N /\
  (cyclic_distance i j <= (cyclic_distance i.+1 j).+1)%N.
Proof. rewrite /cyclic_distance; lia. Qed.

Lemma distance_of_rotation (i j : nat) : (i < M)%N -> (j < M)%N ->
  cyclic_distance i ((i + j) %% M) = cyclic_distance 0 j.
Proof.
move=> iM jM; case: (ltnP (i + j) M) => h.
  by rewrite modn_small // /cyclic_distance; lia.
have -> : ((i + j) %% M = i + j - M)%N by rewrite -[in LHS](subnK h) modnDr modn_small //; lia.
by rewrite /cyclic_distance; lia.
Qed.

Lemma sum_over_any_row (i : 'I_M) (f : nat -> R) :
  \sum_(j < M) f (cyclic_distance i j) = \sum_(j < M) f (cyclic_distance 0 j).
Proof.
rewrite (reindex_inj (addrI i)) /=; apply: eq_bigr => j _.
by rewrite distance_of_rotation.
Qed.

(** ** The normalising constant *)

Hypothesis k_gt0 : 0 < k.

Let w (d : nat) : R := k ^- d.

Lemma w_gt0 d : 0 < w d.
Proof. by rewrite /w invr_gt0 exprn_gt0. Qed.

Lemma w0 : w 0 = 1. Proof. by rewrite /w expr0 invr1. Qed.

Lemma wS d : k * w d.+1 = w d.
Proof. by rewrite /w exprS invfM mulrA divff ?mul1r // gt_eqF. Qed.

Lemma total_gt0 : 0 < \sum_(j < M) w (cyclic_distance 0 j).
Proof.
rewrite big_ord_recl ltr_paddr ?w_gt0 //.
by apply: sumr_ge0 => j _; rewrite ltW ?w_gt0.
Qed.

Lemma alpha_gt0 : 0 < alpha.
Proof. by rewrite invr_gt0; exact: total_gt0. Qed.

Lemma alpha_total (i : 'I_M) : alpha * (\sum_(j < M) w (cyclic_distance i j)) = 1.
Proof. by rewrite sum_over_any_row mulVf // gt_eqF // total_gt0. Qed.

(** ** No private release does better

    The dual certificate as an induction over rows on the way to the middle: the weighted
    diagonal so far is at most what row n gives to the columns passed, plus the slack spent. *)

Lemma diagonal_towards_the_middle (A : nat -> nat -> R) (n : nat) :
  (forall l, (l < n)%N -> \sum_(c < l.+1) A l c <= k * (\sum_(c < l.+1) A l.+1 c) + delta) ->
  \sum_(l < n) w (n - l) * A l l <= \sum_(c < n) A n c + delta * (\sum_(l < n) w (n - l)).
Proof.
elim: n => [|n IH] step; first by rewrite !big_ord0 mulr0 addr0.
have shift (f : nat -> R) :
    k * (\sum_(l < n.+1) w (n.+1 - l) * f l) = (\sum_(l < n) w (n - l) * f l) + f n.
  rewrite big_ord_recr /= mulrDr subSnn mulrA wS w0 mul1r; congr (_ + _).
  rewrite mulr_sumr; apply: eq_bigr => l _.
  by rewrite mulrA subSn ?wS // ltnW.
rewrite -(ler_pmul2l k_gt0) mulrDr mulrCA.
have -> : \sum_(l < n.+1) w (n.+1 - l) = \sum_(l < n.+1) w (n.+1 - l) * (fun=> 1) (l : nat).
  by apply: eq_bigr => l _; rewrite mulr1.
rewrite (shift (fun l => A l l)) (shift (fun=> 1)) /=.
have so_far := IH (fun l ln => step l (ltnW ln)).
apply: le_trans (ler_add so_far (lexx (A n n))) _.
rewrite addrAC -[X in X + _ <= _](big_ord_recr n (fun c => A n c)) /=.
apply: le_trans (ler_add (step n (leqnn _)) (lexx _)) _.
have -> : \sum_(l < n) w (n - l) = \sum_(l < n) w (n - l) * 1.
  by apply: eq_bigr => l _; rewrite mulr1.
by rewrite mulrDr mulr1 -addrA [delta + _]addrC.
Qed.

Lemma sum_below (n : nat) (f : nat -> R) (g : 'I_M -> R) : (n <= M)%N ->
  (forall j : 'I_M, f j = g j) -> \sum_(c < n) f c = \sum_(j < M | (j < n)%N) g j.
Proof.
by move=> nM fg; rewrite (big_ord_widen _ f nM); apply: eq_bigr => j _; rewrite fg.
Qed.

Lemma row_below (n : nat) (f : 'I_M -> R) : (n <= M)%N ->
  \sum_(c < n) f (inord c) = \sum_(j < M | (j < n)%N) f j.
Proof.
by move=> nM; rewrite (@sum_below n (fun c => f (inord c)) f) // => j; rewrite inord_val.
Qed.

Lemma half_of_the_diagonal (P : 'I_M -> 'I_M -> R) (r : 'I_M) : private P ->
  \sum_(l < M | (l < r)%N) w (r - l) * P l l <=
  \sum_(j < M | (j < r)%N) P r j + delta * (\sum_(l < M | (l < r)%N) w (r - l)).
Proof.
move=> P_private; have rM := ltnW (ltn_ord r).
have step l : (l < r)%N -> \sum_(c < l.+1) P (inord l) (inord c) <=
    k * (\sum_(c < l.+1) P (inord l.+1) (inord c)) + delta.
  move=> lr; have lM : (l.+1 < M)%N := leq_ltn_trans lr (ltn_ord r).
  rewrite !row_below ?(ltnW lM) //.
  have adjacent : ((inord l.+1 : 'I_M) == (inord l : 'I_M).+1 :> nat).
    by rewrite !inordK // ltnW.
  have := P_private (inord l) (inord l.+1) _ [set j : 'I_M | (j < l.+1)%N].
  rewrite adjacent /prob => /(_ isT).
  by under eq_bigl do rewrite inE; under [X in _ <= _ * X + _]eq_bigl do rewrite inE.
have := @diagonal_towards_the_middle (fun l c => P (inord l) (inord c)) r step.
rewrite (@sum_below r (fun l => w (r - l) * P (inord l) (inord l)) (fun l => w (r - l) * P l l)) //.
  by rewrite (@sum_below r (fun l => w (r - l)) (fun l => w (r - l))) // inord_val row_below.
by move=> j; rewrite inord_val.
Qed.

Lemma mirror_is_private (P : 'I_M -> 'I_M -> R) :
  private P -> private (fun i j => P (rev_ord i) (rev_ord j)).
Proof.
move=> P_private i i' adjacent U.
have mirrored (f : 'I_M -> R) : prob (fun j => f (rev_ord j)) U = prob f [set rev_ord j | j in U].
  by rewrite /prob big_imset //; move=> a b _ _; exact: rev_ord_inj.
rewrite !mirrored; apply: P_private.
by move: adjacent (ltn_ord i) (ltn_ord i') => /=; lia.
Qed.

Lemma other_half_of_the_diagonal (P : 'I_M -> 'I_M -> R) (r : 'I_M) : private P ->
  \sum_(l < M | (r < l)%N) w (l - r) * P l l <=
  \sum_(j < M | (r < j)%N) P r j + delta * (\sum_(l < M | (r < l)%N) w (l - r)).
Proof.
move/mirror_is_private/(half_of_the_diagonal (rev_ord r)).
rewrite !(reindex_inj rev_ord_inj (P := fun l : 'I_M => (l < rev_ord r)%N)) /=.
have side (l : 'I_M) : (M - l.+1 < M - r.+1)%N = (r < l)%N.
  by move: (ltn_ord l) (ltn_ord r); lia.
have gap (l : 'I_M) : (M - r.+1 - (M - l.+1) = l - r)%N.
  by move: (ltn_ord l) (ltn_ord r); lia.
rewrite !(eq_bigl _ _ side) rev_ordK.
under eq_bigr do rewrite gap rev_ordK; under [X in _ <= X + _]eq_bigr do rewrite rev_ordK.
by under [X in _ <= _ + _ * X]eq_bigr do rewrite gap.
Qed.

Lemma split_at (r : 'I_M) (f : 'I_M -> R) :
  \sum_j f j = \sum_(j < M | (j < r)%N) f j + f r + \sum_(j < M | (r < j)%N) f j.
Proof.
rewrite (bigID (fun j : 'I_M => (j < r)%N)) /= -addrA; congr (_ + _).
rewrite (bigD1 r) ?ltnn //=; congr (_ + _); apply: eq_bigl => j.
by rewrite -leqNgt [in RHS]ltn_neqAle andbC eq_sym.
Qed.

Definition middle : 'I_M := inord (M %/ 2).

Lemma distance_from_the_middle (i : 'I_M) :
  cyclic_distance middle i = ((middle - i) + (i - middle))%N.
Proof.
have e : middle = (M %/ 2)%N :> nat by rewrite inordK // ltn_Pdiv.
by rewrite /cyclic_distance e; move: (ltn_ord i); lia.
Qed.

Lemma weighted_diagonal (P : 'I_M -> 'I_M -> R) : stochastic P -> private P ->
  \sum_(l < M) w (cyclic_distance middle l) * P l l <= 1 + delta * (alpha^-1 - 1).
Proof.
move=> P_stochastic P_private.
have total : alpha^-1 = \sum_(l < M) w (cyclic_distance middle l).
  by rewrite sum_over_any_row invrK.
have row : 1 = \sum_j P middle j by case: (P_stochastic middle).
rewrite (split_at middle) distance_from_the_middle subnn w0 mul1r total.
have near (l : 'I_M) : (l < middle)%N -> w (cyclic_distance middle l) = w (middle - l).
  by move=> h; rewrite distance_from_the_middle; congr w; lia.
have far (l : 'I_M) : (middle < l)%N -> w (cyclic_distance middle l) = w (l - middle).
  by move=> h; rewrite distance_from_the_middle; congr w; lia.
rewrite [in X in _ <= X](split_at middle (fun l => w (cyclic_distance middle l))).
rewrite distance_from_the_middle subnn w0.
under eq_bigr => l h do rewrite near //.
under [X in _ + X <= _]eq_bigr => l h do rewrite far //.
under [X in _ <= _ + _ * (X + _ + _ - _)]eq_bigr => l h do rewrite near //.
under [X in _ <= _ + _ * (_ + _ + X - _)]eq_bigr => l h do rewrite far //.
apply: le_trans (ler_add (ler_add (half_of_the_diagonal middle P_private) (lexx _))
                         (other_half_of_the_diagonal middle P_private)) _.
set below := \sum_(l < M | _) w _; set beyond := \sum_(l < M | _) w _.
have -> : below + 1 + beyond - 1 = below + beyond by ring.
rewrite [X in _ <= X + _]row (split_at middle (P middle)).
set a := \sum_(j < M | _) P _ _; set b := \sum_(j < M | _) P _ _.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
Qed.

(** Theorem 1, eq. (10): no consistent private release has a smaller worst-case error. *)
Theorem no_release_is_better (P : 'I_M -> 'I_M -> R) e :
  stochastic P -> private P -> errs_at_most P e -> error <= e.
Proof.
move=> P_stochastic P_private P_errs.
have weighted := weighted_diagonal P_stochastic P_private.
have least l : 1 - e <= P l l by rewrite ler_subl_addl -ler_subl_addr P_errs.
have mean : 1 - e <= alpha * (\sum_(l < M) w (cyclic_distance middle l) * P l l).
  rewrite -[X in X <= _]mul1r -[X in X * _ <= _](alpha_total middle) -mulrA ler_wpmul2l //.
    exact: ltW alpha_gt0.
  by rewrite mulr_suml; apply: ler_sum => l _; rewrite ler_wpmul2l // ltW ?w_gt0.
have bound := le_trans mean (ler_wpmul2l (ltW alpha_gt0) weighted).
rewrite -subr_ge0 in bound; rewrite -subr_ge0.
suff -> : e - error = alpha * (1 + delta * (alpha^-1 - 1)) - (1 - e) by [].
by rewrite /error; field; rewrite gt_eqF ?alpha_gt0.
Qed.

(** Theorem 1, statement 3: all optimal releases share the diagonal of P*, whatever delta. *)
Theorem optimal_releases_share_the_diagonal (P : 'I_M -> 'I_M -> R) :
  stochastic P -> private P -> errs_at_most P error -> forall i, P i i = 1 - error.
Proof.
move=> P_stochastic P_private P_errs.
have least (l : 'I_M) : 0 <= w (cyclic_distance middle l) * (P l l - (1 - error)).
  by rewrite mulr_ge0 ?(ltW (w_gt0 _)) // subr_ge0 ler_subl_addl -ler_subl_addr P_errs.
have none_left : \sum_(l < M) w (cyclic_distance middle l) * (P l l - (1 - error)) <= 0.
  under eq_bigr do rewrite mulrBr.
  rewrite sumrB -mulr_suml (sum_over_any_row middle w) subr_le0.
  apply: le_trans (weighted_diagonal P_stochastic P_private) _.
  rewrite -[X in _ <= X * _]invrK -/alpha le_eqVlt; apply/orP; left; apply/eqP.
  by rewrite /error; field; rewrite gt_eqF ?alpha_gt0.
have all_zero : \sum_(l < M) w (cyclic_distance middle l) * (P l l - (1 - error)) = 0.
  by apply/eqP; rewrite eq_le none_left sumr_ge0.
move=> i; have /eqP := psumr_eq0P (fun l _ => least l) all_zero isT (i := i).
by rewrite mulf_eq0 gt_eqF ?w_gt0 //= subr_eq0 => /eqP.
Qed.

(** ** P* is row-stochastic, private, and errs with probability [error] *)

Hypothesis k_ge1 : 1 <= k.
Hypothesis delta_ge0 : 0 <= delta.
Hypothesis delta_le1 : delta <= 1.

Theorem release_is_stochastic : stochastic release.
Proof.
move=> i; split=> [j|].
  rewrite addr_ge0 ?mulr_ge0 ?subr_ge0 ?ler0n //; first by rewrite ltW ?alpha_gt0.
  by rewrite ltW ?w_gt0.
rewrite big_split /= -mulr_sumr -mulrA -/w alpha_total mulr1.
rewrite -mulr_sumr (bigD1 i) //= eqxx big1 ?addr0 ?mulr1 ?subrK //.
by move=> j; rewrite eq_sym => /negbTE ->.
Qed.

Lemma w_le_kw d d' : (d' <= d.+1)%N -> w d <= k * w d'.
Proof.
move=> h; rewrite -[w d]wS ler_pmul2l //.
by rewrite /w lef_pinv ?posrE ?exprn_gt0 // ler_weexpn2l.
Qed.

Theorem release_is_private : private release.
Proof.
move=> i i' adjacent U; rewrite -ler_subl_addl gap_of_event.
have entry j : release i j - k * release i' j <= delta * (i == j)%:R.
  have lip : (cyclic_distance i' j <= (cyclic_distance i j).+1)%N.
    case/orP: adjacent => /eqP e.
      have inside : (i.+1 < M)%N by rewrite -e.
      by rewrite e; case: (distance_is_lipschitz inside (ltn_ord j)).
    have inside : (i'.+1 < M)%N by rewrite -e.
    by rewrite e; case: (distance_is_lipschitz inside (ltn_ord j)).
  rewrite /release mulrDr opprD addrACA -[X in _ <= X]add0r; apply: ler_add.
    rewrite subr_le0 mulrCA ler_wpmul2l ?w_le_kw //.
    by rewrite mulr_ge0 ?subr_ge0 // ltW ?alpha_gt0.
  rewrite ler_subl_addl ler_addr !mulr_ge0 ?ler0n //; exact: ltW.
apply: le_trans (ler_sum _ (fun j _ => entry j)) _.
rewrite -mulr_sumr ler_pimulr // (le_trans (y := \sum_j (i == j)%:R)) //.
  rewrite [X in _ <= X](bigID (mem U)) /= ler_addl.
  by apply: sumr_ge0 => j _; rewrite ler0n.
rewrite (bigD1 i) //= eqxx big1 ?addr0 //.
by move=> j; rewrite eq_sym => /negbTE ->.
Qed.

(** The privacy of P* is no better than asked: delta is the least one at ln k. *)
Theorem release_needs_its_delta (i i' : 'I_M) delta' :
  (i' == i.+1 :> nat) || (i == i'.+1 :> nat) -> close k delta' (release i) (release i') ->
  delta <= delta'.
Proof.
move=> adjacent /(_ [set i]); rewrite -ler_subl_addl gap_of_event big_set1 => /(le_trans _); apply.
have near : cyclic_distance i' i = 1%N.
  by move: adjacent (ltn_ord i) (ltn_ord i'); rewrite /cyclic_distance; lia.
have here : cyclic_distance i i = 0%N by rewrite /cyclic_distance; lia.
have apart : (i' == i) = false by apply/negbTE; move: adjacent; rewrite -val_eqE /=; lia.
rewrite /release eqxx near here apart mulr1 mulr0 addr0 mulrCA -/(w 1) -/(w 0) wS.
by rewrite addrAC subrr add0r.
Qed.

Theorem release_errs_by_the_error i : 1 - release i i = error.
Proof.
have -> : release i i = (1 - delta) * alpha + delta.
  by rewrite /release /cyclic_distance subnn min0n expr0 invr1 eqxx !mulr1.
by rewrite /error; ring.
Qed.

End Optimum.

(** ** What the claims say *)

(** [counting.distance_changes_by_at_most_one] *)
Theorem distance_changes_by_at_most_one (m i j : nat) : (0 < m)%N -> (i < m)%N -> (j <= m)%N ->
  [/\ (cyclic_distance m i.+1 j <= (cyclic_distance m i j).+1)%N,
      (cyclic_distance m i j <= (cyclic_distance m i.+1 j).+1)%N,
      cyclic_distance m i i.+1 = 1%N, cyclic_distance m 0 m = 1%N &
      i <> j -> (0 < cyclic_distance m i j)%N].
Proof. by move=> m0 im jm; split; rewrite /cyclic_distance; lia. Qed.

(** [counting.canonical_release_is_private] *)
Theorem canonical_release_is_private (R : realFieldType) (m : nat) (k delta : R) :
  1 <= k -> 0 <= delta < 1 -> private k delta (@release R m k delta).
Proof.
move=> k1 /andP[delta0 /ltW delta1].
by apply: release_is_private => //; exact: lt_le_trans ltr01 k1.
Qed.

(** [counting.canonical_release_attains_the_error] *)
Theorem canonical_release_attains_the_error (R : realFieldType) (m : nat) (k delta : R) :
  (2 <= m.+1)%N -> 1 <= k -> 0 <= delta < 1 ->
  [/\ stochastic (@release R m k delta),
      forall delta', private k delta' (@release R m k delta) -> delta <= delta',
      private k delta (@release R m k delta) &
      forall i, 1 - @release R m k delta i i = error m k delta].
Proof.
move=> m2 k1 /[dup] in01 /andP[delta0 /ltW delta1]; have k0 : 0 < k := lt_le_trans ltr01 k1.
split; [exact: release_is_stochastic | | exact: canonical_release_is_private |].
  move=> delta' h; pose i : 'I_m.+1 := ord0; pose i' : 'I_m.+1 := inord 1.
  have next : (i' == i.+1 :> nat) || (i == i'.+1 :> nat) by rewrite /i' inordK.
  exact: release_needs_its_delta next (h i i' next).
exact: release_errs_by_the_error.
Qed.

(** [counting.error_is_optimal], for every field and, k being positive, for k < 1 too *)
Theorem error_is_optimal (R : realFieldType) (m : nat) (k delta : R) :
  0 < k -> forall (P : 'I_m.+1 -> 'I_m.+1 -> R) e,
    stochastic P -> private k delta P -> errs_at_most P e -> error m k delta <= e.
Proof. by move=> k0 P e; exact: no_release_is_better. Qed.

(** Theorem 1: for M >= 2 counts, [error] is the least worst-case error of a consistent
    (ln k, delta)-private release, and P* attains it. *)
Theorem theorem_1 (R : realFieldType) (m : nat) (k delta : R) :
  (2 <= m.+1)%N -> 1 <= k -> 0 <= delta < 1 ->
  [/\ stochastic (@release R m k delta),
      private k delta (@release R m k delta),
      errs_at_most (@release R m k delta) (error m k delta) &
      forall (P : 'I_m.+1 -> 'I_m.+1 -> R) e,
        stochastic P -> private k delta P -> errs_at_most P e -> error m k delta <= e].
Proof.
move=> m2 k1 in01; have [P_stochastic _ P_private P_error] := canonical_release_attains_the_error m2 k1 in01.
split=> // [i | ]; first by rewrite P_error.
by apply: error_is_optimal; exact: lt_le_trans ltr01 k1.
Qed.
