(** A lower bound for every graph of neighbours: what P* attains on the path is a bound wherever
    shortest paths lead. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify ring.
From provedp Require Import privacy optimum peers.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Graphs.
Variable R : realFieldType.
Variable T : finType.
Variables k delta : R.
Hypothesis k_gt0 : 0 < k.
Variable P : T -> T -> R.
Variable v : T.

(** [d] is the distance from [v], and [toward] a neighbour that is nearer. *)
Variable d : T -> nat.
Variable toward : T -> T.
Hypothesis only_v : forall j, d j = 0%N -> j = v.
Hypothesis nearer : forall j, (0 < d j)%N -> d (toward j) = (d j).-1.
Hypothesis on_edges : forall j, (0 < d j)%N -> close k delta (P j) (P (toward j)).

Let w (n : nat) : R := k ^- n.
Let w0 : w 0 = 1. Proof. by rewrite /w expr0 invr1. Qed.
Let wS n : w n.+1 = k^-1 * w n. Proof. by rewrite /w exprS invfM. Qed.

(** The place at distance [t] on the way from [j] to [v]. *)
Definition place (t : nat) (j : T) : T := iter (d j - t) toward j.

Lemma distance_of_iter n j : (n <= d j)%N -> d (iter n toward j) = (d j - n)%N.
Proof.
elim: n => [|n IH] nd; first by rewrite subn0.
by rewrite iterS nearer ?IH ?(ltnW nd) ?subn_gt0 // subnS.
Qed.

Lemma distance_of_place t j : (t <= d j)%N -> d (place t j) = t.
Proof. by move=> td; rewrite /place distance_of_iter ?leq_subr // subKn. Qed.

Lemma place_step t j : (t < d j)%N -> place t j = toward (place t.+1 j).
Proof. by move=> td; rewrite /place -iterS subnS prednK // subn_gt0. Qed.

(** All places at distance t + 1 pass what they hold one step on. *)
Lemma one_step t : \sum_(j | (t < d j)%N) P (place t.+1 j) j <=
  k * (\sum_(j | (t < d j)%N) P (place t j) j) + delta * (\sum_(u | d u == t.+1) 1).
Proof.
have by_place (f : T -> T -> R) : \sum_(j | (t < d j)%N) f (place t.+1 j) j =
    \sum_(u | d u == t.+1) \sum_(j in [set j | (t < d j)%N && (place t.+1 j == u)]) f u j.
  rewrite (partition_big (place t.+1) (fun u => d u == t.+1)) /=; last first.
    by move=> j td; rewrite distance_of_place.
  apply: eq_bigr => u _; rewrite (eq_bigl (fun j => (t < d j)%N && (place t.+1 j == u))).
    by under [RHS]eq_bigl do rewrite inE; apply: eq_bigr => j /andP[_ /eqP ->].
  by [].
have -> : \sum_(j | (t < d j)%N) P (place t j) j =
          \sum_(j | (t < d j)%N) (fun u => P (toward u)) (place t.+1 j) j.
  by apply: eq_bigr => j td; rewrite place_step.
rewrite (by_place P) (by_place (fun u => P (toward u))) !mulr_sumr -big_split /=.
apply: ler_sum => u /eqP du; rewrite mulr1.
by apply: (on_edges (j := u)); rewrite du.
Qed.

Lemma weighted_from (n t : nat) : (forall j, (d j <= t + n)%N) ->
  \sum_(j | (t <= d j)%N) w (d j - t) * P j j <=
  \sum_(j | (t <= d j)%N) P (place t j) j + delta * (\sum_(j | (t < d j)%N) w (d j - t)).
Proof.
have split_at (f : T -> R) s : \sum_(j | (s <= d j)%N) f j =
    \sum_(j | d j == s) f j + \sum_(j | (s < d j)%N) f j.
  rewrite (bigID (fun j => d j == s)) /=; congr (_ + _); apply: eq_bigl => j; lia.
have place_here s j : d j = s -> place s j = j by move=> dj; rewrite /place dj subnn.
elim: n t => [|n IH] t far.
  have nothing (f : T -> R) : \sum_(j | (t < d j)%N) f j = 0.
    by rewrite big_pred0 // => j; rewrite ltnNge -[X in (_ <= X)%N](addn0 t) far.
  rewrite (split_at (fun j => w (d j - t) * P j j) t) (split_at (fun j => P (place t j) j) t).
  rewrite !nothing mulr0 !addr0.
  by apply: ler_sum => j /eqP dj; rewrite dj subnn w0 mul1r place_here.
have IHt := IH t.+1.
rewrite (split_at (fun j => w (d j - t) * P j j) t) (split_at (fun j => P (place t j) j) t).
have -> : \sum_(j | d j == t) w (d j - t) * P j j = \sum_(j | d j == t) P (place t j) j.
  by apply: eq_bigr => j /eqP dj; rewrite dj subnn w0 mul1r place_here.
rewrite -addrA ler_add2l.
have shift (f : T -> R) : \sum_(j | (t < d j)%N) w (d j - t) * f j =
    k^-1 * \sum_(j | (t < d j)%N) w (d j - t.+1) * f j.
  rewrite mulr_sumr; apply: eq_bigr => j td.
  by rewrite (_ : d j - t = (d j - t.+1).+1)%N ?wS ?mulrA // subnS prednK // subn_gt0.
have weights : \sum_(j | (t < d j)%N) w (d j - t) =
    k^-1 * (\sum_(u | d u == t.+1) 1 + \sum_(j | (t.+1 < d j)%N) w (d j - t.+1)).
  have := shift (fun=> 1); under eq_bigr do rewrite mulr1; move=> ->; congr (_ * _).
  under eq_bigr do rewrite mulr1; rewrite (split_at (fun j => w (d j - t.+1)) t.+1); congr (_ + _).
  by apply: eq_bigr => j /eqP dj; rewrite dj subnn w0.
rewrite (shift (fun j => P j j)) weights -(ler_pmul2l k_gt0) mulrDr mulrA divff ?gt_eqF // mul1r.
rewrite mulrCA [k * (k^-1 * _)]mulrA divff ?gt_eqF // mul1r mulrDr addrA.
apply: le_trans (IHt _) _; first by move=> j; rewrite addSnnS.
by rewrite ler_add2r; exact: one_step.
Qed.

Theorem distances_bound_the_error e : law (P v) -> (forall i, 1 - P i i <= e) ->
  (1 - delta) * (1 - (\sum_j k ^- d j)^-1) <= e.
Proof.
move=> [_ Pv1] errs; set S := \sum_j k ^- d j.
have bound : \sum_j w (d j) * P j j <= 1 + delta * (S - 1).
  have far : forall j, (d j <= 0 + \max_i d i)%N by move=> j; rewrite add0n leq_bigmax.
  have := weighted_from far; under eq_bigr do rewrite subn0; move=> /le_trans; apply.
  have root j : place 0 j = v by apply: only_v; rewrite distance_of_place.
  under eq_bigr do rewrite root; rewrite Pv1 ler_add2l.
  under eq_bigr do rewrite subn0.
  rewrite le_eqVlt; apply/orP; left; apply/eqP; congr (_ * _).
  have -> : S = \sum_(j | (0 < d j)%N) w (d j) + 1; last by rewrite addrK.
  rewrite /S (bigID (fun j => 0 < d j)%N) /=; congr (_ + _).
  have dv : d v = 0%N by rewrite -(root v) distance_of_place.
  rewrite (bigD1 v) /= ?dv // expr0 invr1 big1 ?addr0 // => j /andP[]; rewrite -leqNgt leqn0.
  by move=> /eqP /only_v ->; rewrite eqxx.
have S0 : 0 < S.
  have dv : d v = 0%N.
    by rewrite -(only_v (distance_of_place (leq0n (d v)))) distance_of_place.
  rewrite /S (bigD1 v) //= dv expr0 invr1 ltr_paddr ?ltr01 //.
  by apply: sumr_ge0 => j _; rewrite invr_ge0 exprn_ge0 // ltW.
have mean : S * (1 - e) <= \sum_j w (d j) * P j j.
  rewrite /S mulr_suml; apply: ler_sum => j _; rewrite ler_pmul2l ?invr_gt0 ?exprn_gt0 //.
  by rewrite ler_subl_addl -ler_subl_addr; exact: errs.
have all := le_trans mean bound; rewrite -(ler_pmul2l S0).
rewrite -subr_ge0 in all; rewrite -subr_ge0.
suff -> : S * e - S * ((1 - delta) * (1 - S^-1)) = 1 + delta * (S - 1) - S * (1 - e) by [].
by field; rewrite gt_eqF.
Qed.

End Graphs.

(** ** What the claims say *)

(** [counting.graph_distances_bound_the_error]: [d] is the distance from [v] along edges, finite for
    every vertex. *)
Theorem graph_distances_bound_the_error (R : realFieldType) (T : finType) (k delta : R)
  (edge : rel T) (v : T) (d : T -> nat) (P : T -> T -> R) e :
  0 < k -> (forall j, d j = 0%N -> j = v) ->
  (forall j, (0 < d j)%N -> exists2 i, edge j i & d i = (d j).-1) ->
  (forall i, law (P i)) -> (forall i j, edge i j -> close k delta (P i) (P j)) ->
  (forall i, 1 - P i i <= e) -> (1 - delta) * (1 - (\sum_j k ^- d j)^-1) <= e.
Proof.
move=> k0 only_v steps P_law P_close errs.
pose toward j := odflt j [pick i | edge j i && (d i == (d j).-1)].
have near j : (0 < d j)%N -> edge j (toward j) && (d (toward j) == (d j).-1).
  move=> /steps [i ji di]; rewrite /toward; case: pickP => [//|/(_ i)].
  by rewrite ji di eqxx.
apply: (@distances_bound_the_error R T k delta k0 P v d toward) => // j /near /andP[ji /eqP] //.
by move=> _; exact: P_close.
Qed.

(** On the path, about a middle vertex, the bound is the error of P*. *)
Theorem bound_on_the_path_is_the_error (R : realFieldType) (m : nat) (k delta : R) : 0 < k ->
  (1 - delta) * (1 - (\sum_(j < m.+1) k ^- ((m.+1 %/ 2 - j) + (j - m.+1 %/ 2)))^-1) = error m k delta.
Proof.
move=> k0; rewrite /error /alpha -(sum_over_any_row (middle m) (fun d => k ^- d)).
congr (_ * (1 - _^-1)); apply: eq_bigr => j _; rewrite (distance_from_the_middle k0).
by rewrite [middle m : nat]inordK ?ltn_Pdiv.
Qed.

(** On the complete graph it is, without delta, the error of randomised response. *)
Theorem bound_on_the_complete_graph_is_that_of_response (R : realFieldType) (m : nat) (k : R)
  (v : 'I_m.+1) : 1 <= k ->
  (1 - 0) * (1 - (\sum_(j < m.+1) k ^- (j != v))^-1) = 1 - @response R m k v v.
Proof.
move=> k1; have k0 : 0 < k := lt_le_trans ltr01 k1.
rewrite subr0 mul1r /response eqxx; congr (1 - _); rewrite (bigD1 v) //= eqxx expr0 invr1.
have -> : \sum_(j < m.+1 | j != v) k ^- (j != v) = m%:R / k.
  under eq_bigr => j -> do rewrite expr1.
  by rewrite sumr_const cardC1 card_ord mulr_natl.
rewrite -[RHS]invrK invf_div; congr (_^-1); move: (m%:R : R) => z; field.
by rewrite gt_eqF.
Qed.
