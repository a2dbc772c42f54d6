(** The mechanisms that the optimal release is compared with: the truncated geometric
    mechanism and randomised response, on M = m + 1 counts. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify ring.
From provedp Require Import privacy optimum guarantees.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Peers.
Variable R : realFieldType.
Variable m : nat.
Notation M := m.+1.
Variable k : R.
Hypothesis k_ge1 : 1 <= k.

Let k_gt0 : 0 < k. Proof. exact: lt_le_trans ltr01 k_ge1. Qed.
Let k1_gt0 : 0 < k + 1. Proof. by rewrite addr_gt0 ?ltr01. Qed.

Definition gap (i j : nat) : nat := ((i - j) + (j - i))%N.

(** Two-sided geometric noise, moved to the nearest count. *)
Definition share (at_end : bool) : R := (if at_end then k else k - 1) / (k + 1).
Definition geometric (i j : 'I_M) : R :=
  share ((j == 0%N :> nat) || (j == m :> nat)) * k ^- gap i j.

(** The true count k times as often as any other one. *)
Definition response (i j : 'I_M) : R := (if i == j then k else 1) / (k + m%:R).

Lemma share_ge0 b : 0 <= share b.
Proof. by case: b; rewrite divr_ge0 ?subr_ge0 //; exact: ltW. Qed.

Lemma beyond (n : nat) :
  \sum_(l < n.+1) share (l == 0%N :> nat) * k ^- (n.+1 - l) = (k + 1)^-1.
Proof.
elim: n => [|n IH].
  by rewrite big_ord_recl big_ord0 /share /= subn0 expr1 addr0; field; rewrite !gt_eqF.
have k0 : k != 0 by rewrite gt_eqF.
rewrite big_ord_recr /= subSnn expr1 /share /=.
transitivity (k^-1 * (\sum_(l < n.+1) share (l == 0%N :> nat) * k ^- (n.+1 - l))
              + (k - 1) / (k + 1) * k^-1).
  congr (_ + _); rewrite mulr_sumr; apply: eq_bigr => l _.
  rewrite mulrCA -invfM -exprS -subSn; last by rewrite ltnW.
  by [].
by rewrite IH; field; rewrite !gt_eqF.
Qed.

Lemma below_a_count (i : 'I_M) : (0 < i)%N ->
  \sum_(j < M | (j < i)%N) geometric i j = (k + 1)^-1.
Proof.
move=> i0; transitivity (\sum_(j < M | (j < i)%N) share (j == 0%N :> nat) * k ^- (i - j)).
  apply: eq_bigr => j ji; rewrite /geometric /gap.
  by congr (share _ * k ^- _); move: ji (ltn_ord i); lia.
rewrite -(@sum_below R m i (fun j => share (j == 0%N) * k ^- (i - j))) ?(ltnW (ltn_ord i)) //.
by case: (nat_of_ord i) i0 => // n _; exact: beyond.
Qed.

Lemma above_a_count (i : 'I_M) : (i < m)%N ->
  \sum_(j < M | (i < j)%N) geometric i j = (k + 1)^-1.
Proof.
move=> im; rewrite (reindex_inj rev_ord_inj) /= -(@below_a_count (rev_ord i)) /=; last by lia.
apply: eq_big => [j|j _]; first by move: (ltn_ord j); lia.
rewrite /geometric /gap /=; congr (share _ * k ^- _); move: (ltn_ord i) (ltn_ord j); lia.
Qed.

Hypothesis m_gt0 : (0 < m)%N.

Lemma geometric_is_stochastic : stochastic geometric.
Proof.
move=> i; split=> [j|].
  by rewrite mulr_ge0 ?share_ge0 // invr_ge0 exprn_ge0 // ltW.
have k1 : k + 1 != 0 by rewrite gt_eqF.
rewrite (split_at i) {2}/geometric /gap subnn addn0 expr0 invr1 mulr1.
have [i0|i0] := posnP i; have [im|im] := ltnP i m.
- rewrite big1 => [|j]; last by rewrite i0.
  by rewrite above_a_count // i0 /share /=; field.
- by move: m_gt0 im i0; lia.
- have inside : (i == m :> nat) = false by move: im; lia.
  by rewrite below_a_count // above_a_count // inside /share /=; field.
have e : i = m :> nat by move: (ltn_ord i); lia.
rewrite below_a_count // [X in _ + X]big1 => [|j]; last by move: (ltn_ord j); lia.
by rewrite e eqxx orbT /share /=; field.
Qed.

Lemma entry_step (d d' : nat) : (d' <= d.+1)%N -> k ^- d <= k * k ^- d'.
Proof. exact: w_le_kw. Qed.

Lemma geometric_is_private : private k 0 geometric.
Proof.
move=> i i' adjacent; apply: close_of_entries => j.
rewrite /geometric mulrCA ler_wpmul2l ?share_ge0 // entry_step // /gap.
by move: adjacent; lia.
Qed.

Lemma response_is_stochastic : stochastic response.
Proof.
have d0 : 0 < k + m%:R by rewrite ltr_paddr ?ler0n.
move=> i; split=> [j|].
  by rewrite divr_ge0 ?(ltW d0) //; case: ifP => _; rewrite ?ler01 // ltW.
rewrite -mulr_suml (bigD1 i) //= eqxx.
rewrite (eq_bigr (fun=> 1)) => [|j]; last by rewrite eq_sym => /negbTE ->.
rewrite sumr_const (_ : #|[pred j | j != i]| = m) ?divff ?gt_eqF //.
by have := cardC1 i; rewrite card_ord.
Qed.

(** Any two rows, neighbouring or not. *)
Lemma response_is_private (i i' : 'I_M) : close k 0 (response i) (response i').
Proof.
apply: close_of_entries => j; rewrite /response mulrA ler_wpmul2r //.
  by rewrite invr_ge0 addr_ge0 ?ler0n // ltW.
have kk : k <= k * k by rewrite ler_pmulr.
by do 2 case: ifP => _; rewrite ?mulr1 // (le_trans k_ge1).
Qed.

End Peers.


(** ** Rounded Laplace noise and the exponential mechanism, r^2 = k *)

Section Halves.
Variable R : realFieldType.
Variable m : nat.
Notation M := m.+1.
Variable r : R.
Hypothesis r_ge1 : 1 <= r.

Let r_gt0 : 0 < r. Proof. exact: lt_le_trans ltr01 r_ge1. Qed.
Let rr_ge0 : 0 <= r - r^-1.
Proof. by rewrite subr_ge0 (le_trans _ r_ge1) // invf_le1. Qed.

(** Laplace noise of scale 1/eps, moved to the nearest count: 1 - 1/r within the cell of the count,
    (r - 1/r)/2 r^(-2d) in the cell at gap d; at an end all beyond the cell gathers too. *)
Definition laplace_at (gap : nat) (at_end : bool) : R :=
  if gap is d.+1 then (if at_end then r else r - r^-1) / (1 + 1) * r ^- (2 * d.+1)
  else (if at_end then 1 - ((1 + 1) * r)^-1 else 1 - r^-1).
Definition laplace (i j : 'I_M) : R :=
  laplace_at (gap i j) ((j == 0%N :> nat) || (j == m :> nat)).

(** Weights r^(-d), divided by their sum. *)
Definition exponential (i : 'I_M) : 'I_M -> R := normalised (fun j : 'I_M => r ^- gap i j).

Lemma exponential_is_law (i : 'I_M) : law (exponential i).
Proof.
have w0 (j : 'I_M) : 0 < r ^- gap i j by positive.
apply: normalised_law => [j|]; first exact: ltW.
by rewrite (bigD1 i) //= ltr_paddr // sumr_ge0 // => j _; exact: ltW.
Qed.

Lemma exponential_is_close : private (r ^+ 2) 0 exponential.
Proof.
move=> i i' adjacent.
have w0 (a b : 'I_M) : 0 < r ^- gap a b by positive.
have sum0 (a : 'I_M) : 0 < \sum_(b < M) r ^- gap a b.
  by rewrite (bigD1 a) //= ltr_paddr // sumr_ge0 // => j _; exact: ltW.
have step (d d' : nat) : (d' <= d.+1)%N -> r ^- d <= r * r ^- d' by exact: w_le_kw.
have up (t : 'I_M) : r ^- gap i t <= r * r ^- gap i' t.
  by apply: step; rewrite /gap; move: adjacent; lia.
have down (t : 'I_M) : r ^- gap i' t <= r * r ^- gap i t.
  by apply: step; rewrite /gap; move: adjacent; lia.
apply: normalised_weights_are_close; last exact: down; last exact: up.
- exact: ltW.
- by move=> t; exact: ltW.
- exact: sum0.
- exact: sum0.
Qed.

(** Away from the count, Laplace noise is a multiple of geometric noise with ratio r^2. *)
Let c := (r ^+ 2 + 1) / ((1 + 1) * r).
Let c_ge0 : 0 <= c. Proof. by rewrite /c; nonneg. Qed.
Let k_ge1 : 1 <= r ^+ 2. Proof. by rewrite exprn_ege1. Qed.

Lemma laplace_is_geometric (i j : 'I_M) : i != j -> laplace i j = c * geometric (r ^+ 2) i j.
Proof.
move=> ij; rewrite /laplace /geometric; move: (_ || _) => b.
have -> : gap i j = (gap i j).-1.+1 by move: ij; rewrite -val_eqE /gap /=; lia.
move: (gap i j).-1 => d; rewrite /laplace_at /share /c -exprM mulnC mulrA; congr (_ * _).
have s0 : 0 < r ^+ 2 + 1 by positive.
have t0 : 0 < (1 + 1 : R) by positive.
by case: b; field; rewrite !gt_eqF.
Qed.

Hypothesis m_gt0 : (0 < m)%N.

Lemma laplace_is_stochastic : stochastic laplace.
Proof.
have s0 : 0 < r ^+ 2 + 1 by positive.
have t0 : 0 < (1 + 1 : R) by positive.
have ri : r^-1 <= 1 by rewrite invf_le1.
move=> i; split=> [j|].
  have [<-|ij] := eqVneq i j; last first.
    rewrite laplace_is_geometric // mulr_ge0 //.
    by case: (geometric_is_stochastic k_ge1 m_gt0 i) => ->.
  rewrite /laplace /gap subnn addn0 /=; case: (_ || _); rewrite subr_ge0 // invfM.
  by rewrite mulr_ile1 ?invr_ge0 ?invf_le1 ?(ltW t0) ?(ltW r_gt0) // ler_addl ler01.
have low (j : 'I_M) : (j < i)%N -> laplace i j = c * geometric (r ^+ 2) i j.
  by move=> ji; rewrite laplace_is_geometric // -val_eqE gtn_eqF.
have high (j : 'I_M) : (i < j)%N -> laplace i j = c * geometric (r ^+ 2) i j.
  by move=> ij; rewrite laplace_is_geometric // -val_eqE ltn_eqF.
rewrite (split_at i) (eq_bigr _ low) [X in _ + X](eq_bigr _ high) -!mulr_sumr.
have below : (0 < i)%N ->
    c * (\sum_(j < M | (j < i)%N) geometric (r ^+ 2) i j) = ((1 + 1) * r)^-1.
  by move=> i0; rewrite below_a_count // /c; field; rewrite !gt_eqF.
have above : (i < m)%N ->
    c * (\sum_(j < M | (i < j)%N) geometric (r ^+ 2) i j) = ((1 + 1) * r)^-1.
  by move=> im; rewrite above_a_count // /c; field; rewrite !gt_eqF.
rewrite /laplace /gap subnn addn0 /=.
have [i0|i0] := posnP i; have [im|im] := ltnP i m.
- rewrite [X in _ * X + _ + _]big1 => [|j]; last by rewrite i0.
  by rewrite above // ?i0 /= mulr0 add0r subrK.
- by move: im; rewrite i0 leqNgt m_gt0.
- have inside : (i == m :> nat) = false by apply/negbTE; rewrite neq_ltn im.
  by rewrite below // above // inside /=; field; rewrite !gt_eqF.
have e : i = m :> nat by apply/eqP; rewrite eqn_leq -ltnS ltn_ord im.
rewrite below // [X in _ + _ * X]big1 => [|j]; last by rewrite e ltnNge -ltnS ltn_ord.
by rewrite mulr0 addr0 e eqxx orbT /= addrC subrK.
Qed.

Lemma laplace_step (b : bool) (d d' : nat) : (d' <= d.+1)%N -> (d <= d'.+1)%N ->
  laplace_at d b <= r ^+ 2 * laplace_at d' b.
Proof.
move=> up down; have t0 : 0 < (1 + 1 : R) by positive.
have r0 : r != 0 by rewrite gt_eqF.
have t_neq0 : (1 + 1 : R) != 0 by rewrite gt_eqF.
have t1 : 0 <= r - 1 by nonneg.
case: d d' up down => [|d] [|d'] up down.
- have two1 : 1 <= (1 + 1 : R) by rewrite ler_addl ler01.
  rewrite /laplace_at ler_pemull //; case: b; rewrite subr_ge0 invf_le1 ?mulr_ege1 //.
  by rewrite mulr_gt0.
- have -> : d' = 0%N by case: d' up {down}.
  rewrite /laplace_at muln1; case: b.
    by apply: (@le_by _ ((r - 1) ^+ 2 / ((1 + 1) * r))); [field; rewrite r0 | nonneg].
  by apply: (@le_by _ ((r - 1) ^+ 2 / ((1 + 1) * r))); [field; rewrite r0 | nonneg].
- have -> : d = 0%N by case: d down {up}.
  rewrite /laplace_at muln1; case: b.
    apply: (@le_by _ ((r ^+ 2 * (r - 1) + (r ^+ 2 * r - 1) + 0) / ((1 + 1) * r)));
      first by field; rewrite r0.
    have r3 : 1 <= r ^+ 2 * r by rewrite mulr_ege1 // exprn_ege1.
    by nonneg.
  apply: (@le_by _ ((r - 1) * ((r ^+ 4 - r) + (r ^+ 4 - 1)) / ((1 + 1) * r ^+ 3)));
    first by field; rewrite r0.
  have r4 : 1 <= r ^+ 4 by rewrite exprn_ege1.
  have r4r : r <= r ^+ 4 by rewrite exprS ler_pemulr // ?exprn_ege1 // ltW.
  by nonneg.
rewrite /laplace_at mulrCA ler_wpmul2l //.
  by case: b; rewrite divr_ge0 // ltW.
rewrite !exprM (_ : _ * _ = r ^+ 2 * (r ^+ 2) ^- d'.+1) //.
by apply: w_le_kw => //; rewrite exprn_gt0.
Qed.

Lemma laplace_is_close : private (r ^+ 2) 0 laplace.
Proof.
move=> i i' adjacent; apply: close_of_entries => j; rewrite /laplace laplace_step // /gap.
  by move: adjacent; lia.
by move: adjacent; lia.
Qed.

End Halves.

(** ** What the claims say *)

(** [counting.truncated_geometric_is_private] *)
Theorem truncated_geometric_is_private (R : realFieldType) (m : nat) (k : R) :
  (0 < m)%N -> 1 <= k -> stochastic (@geometric R m k) /\ private k 0 (@geometric R m k).
Proof. by move=> m0 k1; split; [exact: geometric_is_stochastic | exact: geometric_is_private]. Qed.

(** [counting.randomized_response_is_private]: any two counts, neighbours or not *)
Theorem randomized_response_is_private (R : realFieldType) (m : nat) (k : R) :
  1 <= k -> stochastic (@response R m k) /\
            forall i i', close k 0 (@response R m k i) (@response R m k i').
Proof. by move=> k1; split; [exact: response_is_stochastic | exact: response_is_private]. Qed.

(** [counting.exponential_mechanism_is_private] *)
Theorem exponential_mechanism_is_private (R : realFieldType) (m : nat) (r : R) :
  1 <= r -> stochastic (@exponential R m r) /\ private (r ^+ 2) 0 (@exponential R m r).
Proof. by move=> r1; split; [exact: exponential_is_law | exact: exponential_is_close]. Qed.

(** [counting.rounded_laplace_is_private] *)
Theorem rounded_laplace_is_private (R : realFieldType) (m : nat) (r : R) :
  (0 < m)%N -> 1 <= r -> stochastic (@laplace R m r) /\ private (r ^+ 2) 0 (@laplace R m r).
Proof. by move=> m0 r1; split; [exact: laplace_is_stochastic | exact: laplace_is_close]. Qed.
