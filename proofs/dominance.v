(** One release of a count for every receiver: noise that meets the trade-off equation dominates
    every private release, at every count and for every loss that does not fall away from it. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify ring.
From provedp Require Import privacy optimum guarantees.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Dominance.
Variable R : realFieldType.
Variables k delta : R.

(** ** Definitions *)

(** The trade-off function of (ln k, delta)-privacy. *)
Definition trade_off (a : R) : R := Num.max 0 (Num.max (1 - delta - k * a) ((1 - delta - a) / k)).

(** [F] is the distribution function of symmetric noise, continuous and increasing where it is
    neither 0 nor 1, which meets the trade-off equation there. *)
Definition canonical (F : R -> R) : Prop :=
  [/\ forall x, 0 <= F x <= 1, forall x y, x <= y -> F x <= F y, forall x, F (- x) = 1 - F x &
      (forall x y, x < y -> 0 < F x < 1 -> F x < F y) /\
      (forall p, 0 < p < 1 -> exists x, F x = p) /\
      (forall x, 0 < F x < 1 -> F (x - 1) = trade_off (1 - F x))].

Variable m : nat.
Notation M := m.+1.

(** The probability of an output above [j]. *)
Definition beyond (P : 'I_M -> 'I_M -> R) (j : nat) (i : 'I_M) : R := \sum_(l < M | (j < l)%N) P i l.

(** A threshold, which may be below or above every count plus noise, and the order of two. *)
Inductive threshold := at_value of R | always | never.
Definition ascends (c c' : threshold) : bool :=
  match c, c' with
  | always, _ | _, never => true
  | at_value t, at_value t' => t <= t'
  | _, _ => false
  end.

(** A loss that does not fall away from the count, on either side. *)
Definition unimodal (loss : 'I_M -> 'I_M -> R) : Prop :=
  forall i j j' : 'I_M, j' = j.+1 :> nat ->
    ((i <= j)%N -> loss i j <= loss i j') /\ ((j' <= i)%N -> loss i j' <= loss i j).

(** ** Trade-offs *)

Hypothesis k_ge1 : 1 <= k.
Hypothesis delta01 : 0 <= delta < 1.

Let k_gt0 : 0 < k. Proof. exact: lt_le_trans ltr01 k_ge1. Qed.

Lemma trade_off_falls a b : a <= b -> trade_off b <= trade_off a.
Proof.
move=> ab; rewrite /trade_off !le_maxl !le_maxr lexx /=.
rewrite (_ : 1 - delta - k * b <= 1 - delta - k * a) ?orbT /=; last first.
  by rewrite ler_add2l ler_opp2 ler_wpmul2l // ltW.
by rewrite (_ : (1 - delta - b) / k <= (1 - delta - a) / k) ?orbT // ler_pmul2r ?invr_gt0 // ler_add2l ler_opp2.
Qed.

(** What privacy leaves of an event, from its probability [a] at one count, [b] at a neighbour. *)
Lemma private_event (a b : R) : 0 <= b <= 1 ->
  b <= k * a + delta -> 1 - a <= k * (1 - b) + delta -> b <= 1 - trade_off a.
Proof.
move=> /andP[b0 b1] up down; rewrite ler_subr_addr -ler_subr_addl /trade_off.
rewrite !le_maxl subr_ge0 b1 /=; apply/andP; split.
  by apply: (@le_by _ (k * a + delta - b)); [ring | rewrite subr_ge0].
rewrite ler_pdivr_mulr //.
by apply: (@le_by _ (k * (1 - b) + delta - (1 - a))); [ring | rewrite subr_ge0].
Qed.

Variable P : 'I_M -> 'I_M -> R.
Hypothesis P_law : forall i, law (P i).
Hypothesis P_private : private k delta P.

Lemma beyond_event j i : beyond P j i = prob (P i) [set l : 'I_M | (j < l)%N].
Proof. by rewrite /beyond /prob; apply: eq_bigl => l; rewrite inE. Qed.

Lemma beyond_within j i : 0 <= beyond P j i <= 1.
Proof. by rewrite beyond_event prob_ge0 // prob_le1. Qed.

Lemma not_beyond j i : 1 - beyond P j i = prob (P i) (~: [set l : 'I_M | (j < l)%N]).
Proof.
have [_ <-] := P_law i; rewrite beyond_event /prob (bigID (mem [set l : 'I_M | (j < l)%N])) /=.
by rewrite addrC addKr; apply: eq_bigl => l; rewrite !inE.
Qed.

Lemma beyond_moves j (i i' : 'I_M) : (i' == i.+1 :> nat) || (i == i'.+1 :> nat) ->
  beyond P j i' <= 1 - trade_off (beyond P j i).
Proof.
move=> near; have back : (i == i'.+1 :> nat) || (i' == i.+1 :> nat) by rewrite orbC.
apply: private_event; first exact: beyond_within.
  by rewrite !beyond_event; apply: P_private.
by rewrite !not_beyond; apply: P_private.
Qed.

Lemma not_beyond_moves j (i i' : 'I_M) : (i' == i.+1 :> nat) || (i == i'.+1 :> nat) ->
  trade_off (1 - beyond P j i) <= beyond P j i'.
Proof.
move=> near; have back : (i == i'.+1 :> nat) || (i' == i.+1 :> nat) by rewrite orbC.
have [b0 b1] := andP (beyond_within j i').
rewrite -[X in _ <= X](subKr 1) ler_subr_addl -ler_subr_addr.
apply: private_event; first by rewrite subr_ge0 b1 ler_subl_addr ler_addl b0.
  by rewrite !not_beyond; apply: P_private.
by rewrite !subKr !beyond_event; apply: P_private.
Qed.

(** ** One threshold *)

Variable F : R -> R.
Hypothesis F_canonical : canonical F.

Lemma tail_down x : 0 < F x < 1 -> 1 - F (x - 1) = 1 - trade_off (1 - F x).
Proof. by have [_ _ _ [_ [_ meets]]] := F_canonical => inside; rewrite meets. Qed.

Lemma tail_up x : 0 < F x < 1 -> F (x + 1) = 1 - trade_off (F x).
Proof.
have [_ _ sym [_ [_ meets]]] := F_canonical => /andP[x0 x1].
have := meets (- x); rewrite sym subr_gt0 x1 ltr_subl_addr ltr_addl x0 => /(_ isT).
by rewrite -opprD sym opprB addrCA subrr addr0 => <-; rewrite opprB addrCA subrr addr0.
Qed.

(** The trade-off equation one step down from [x]; at [- x] it is that one step up. *)
Definition meets (x : R) : Prop := F (x - 1) = trade_off (1 - F x).

Lemma trade_off_ge0 a : 0 <= trade_off a.
Proof. by rewrite /trade_off le_maxr lexx. Qed.

Lemma trade_off_at0 : trade_off 0 = 1 - delta.
Proof.
have [_ d1] := andP delta01; have d0 : 0 <= 1 - delta by rewrite subr_ge0 ltW.
have less : (1 - delta) / k <= 1 - delta by rewrite ler_pdivr_mulr // ler_pemulr.
by rewrite /trade_off mulr0 !subr0 (max_l less) max_r.
Qed.

Lemma trade_off_at1 : trade_off 1 = 0.
Proof.
have [d0 _] := andP delta01; rewrite /trade_off mulr1 max_l // le_maxl; apply/andP; split.
  by rewrite subr_le0 ler_subl_addr (le_trans k_ge1) // ler_addl.
by rewrite pmulr_lle0 ?invr_gt0 // addrAC subrr add0r oppr_le0.
Qed.

Lemma trade_off_ge a : (1 - delta - a) / k <= trade_off a.
Proof. by rewrite /trade_off !le_maxr lexx !orbT. Qed.

Lemma next_down x : F (x - 1) <= trade_off (1 - F x) -> F (x - 1 - 1) <= trade_off (1 - F (x - 1)).
Proof.
have [F01 rises _ [_ [_ inside]]] := F_canonical; set y := x - 1 => so_far.
have down : F (y - 1) <= F y by apply: rises; rewrite ler_subl_addr ler_addl ler01.
have [y0|y0] := ltP 0 (F y); last exact: le_trans down (le_trans y0 (trade_off_ge0 _)).
have [y1|y1] := ltP (F y) 1; first by rewrite inside ?y0.
apply: le_trans down (le_trans so_far _); apply: trade_off_falls; rewrite ler_add2l ler_opp2.
by apply: le_trans y1; have /andP[] := F01 x.
Qed.

Lemma all_down x n : meets x -> F (x - n%:R - 1) <= trade_off (1 - F (x - n%:R)).
Proof.
move=> at_x; elim: n => [|n IH]; first by rewrite subr0 at_x.
by rewrite mulrSr opprD addrA; exact: next_down.
Qed.

Lemma all_up x n : meets (- x) -> 1 - trade_off (F (x + n%:R)) <= F (x + n%:R + 1).
Proof.
have [_ _ sym _] := F_canonical => /all_down - /(_ n).
rewrite -!opprD !sym subKr ler_subl_addr => h.
by rewrite ler_subl_addr addrC -ler_subl_addr ler_subl_addr.
Qed.

(** What the induction away from the count [j] needs of the chances 1 - G of passing. *)
Lemma chances_dominate (j : 'I_M) (G : nat -> R) : 1 - G j = beyond P j j ->
  (forall i, (i < j)%N -> 1 - trade_off (G i.+1) <= G i) ->
  (forall i, (j <= i)%N -> G i.+1 <= trade_off (1 - G i)) ->
  (forall i : 'I_M, (i <= j)%N -> 1 - G i <= beyond P j i) /\
  (forall i : 'I_M, (j <= i)%N -> beyond P j i <= 1 - G i).
Proof.
move=> here below above; split.
  suff down n : (n <= j)%N -> 1 - G (j - n)%N <= beyond P j (inord (j - n)).
    by move=> i ij; have := down (j - i)%N (leq_subr _ _); rewrite subKn // inord_val.
  elim: n => [|n IH] nj; first by rewrite subn0 inord_val here.
  have step : (j - n = (j - n.+1).+1)%N by rewrite -subSn // subSS.
  have iM : (j - n < M)%N by rewrite (leq_ltn_trans (leq_subr _ _)).
  have iM' : (j - n.+1 < M)%N by rewrite (leq_ltn_trans (leq_subr _ _)).
  have near : ((inord (j - n.+1) : 'I_M) == (inord (j - n) : 'I_M).+1 :> nat) ||
              ((inord (j - n) : 'I_M) == (inord (j - n.+1) : 'I_M).+1 :> nat).
    by rewrite !inordK // -step eqxx orbT.
  have before : (j - n.+1 < j)%N by rewrite -step leq_subr.
  apply: le_trans (not_beyond_moves j near); have := below _ before; rewrite -step => bound.
  apply: (@le_trans _ _ (trade_off (G (j - n)%N))).
    by rewrite ler_subl_addr addrC -ler_subl_addr.
  by apply: trade_off_falls; rewrite ler_subl_addr addrC -ler_subl_addr; exact: IH (ltnW nj).
suff up n (i : 'I_M) : i = (j + n)%N :> nat -> beyond P j i <= 1 - G i.
  by move=> i ji; apply: (up (i - j)%N); rewrite subnKC.
elim: n i => [|n IH] i e.
  by rewrite addn0 in e; rewrite (val_inj e : i = j) here.
have iM : (j + n < M)%N by apply: leq_ltn_trans (ltn_ord i); rewrite e addnS.
have near : (i == (inord (j + n) : 'I_M).+1 :> nat) || ((inord (j + n) : 'I_M) == i.+1 :> nat).
  by rewrite inordK // e addnS eqxx.
have so_far := IH (inord (j + n)) (inordK iM); rewrite inordK // in so_far.
apply: le_trans (beyond_moves j near) _; rewrite ler_add2l ler_opp2 e addnS.
by apply: le_trans (above _ (leq_addr _ _)) _; exact: trade_off_falls.
Qed.

(** The chance that a count plus noise is above a threshold. *)
Definition tail (c : threshold) (i : nat) : R :=
  match c with at_value t => 1 - F (t - i%:R) | always => 1 | never => 0 end.

(** A threshold with the chance [p] at [j], at which the trade-off equation holds both ways. *)
Definition suits (c : threshold) (j : nat) (p : R) : Prop :=
  match c with
  | at_value t => [/\ 1 - F (t - j%:R) = p, meets (t - j%:R), meets (- (t - j%:R)) &
                      0 < delta \/ 0 < p < 1]
  | always => delta = 0 /\ p = 1
  | never => delta = 0 /\ p = 0
  end.

Lemma tail_suits c j p : suits c j p -> tail c j = p.
Proof. by case: c => [t [] | [] | []]. Qed.

Lemma tail_dominates (j : 'I_M) c : suits c j (beyond P j j) ->
  (forall i : 'I_M, (i <= j)%N -> tail c i <= beyond P j i) /\
  (forall i : 'I_M, (j <= i)%N -> beyond P j i <= tail c i).
Proof.
case: c => [t [here down up _]|[d0 here]|[d0 here]].
- apply: (chances_dominate (G := fun i => F (t - i%:R))) here _ _ => i ij.
    have e : (t - i.+1%:R = t - j%:R + (j - i.+1)%:R) by rewrite natrB //; ring.
    have e' : t - i%:R = t - i.+1%:R + 1 by rewrite mulrSr; ring.
    by rewrite e' e; exact: all_up.
  have e : (t - i%:R = t - j%:R - (i - j)%:R) by rewrite natrB //; ring.
  have e' : t - i.+1%:R = t - i%:R - 1 by rewrite mulrSr; ring.
  by rewrite e' e; exact: all_down.
- have := chances_dominate (j := j) (G := fun=> 0); rewrite subr0 here trade_off_at0 d0 subr0 subrr.
  by apply=> // i _; exact: trade_off_ge0.
have := chances_dominate (j := j) (G := fun=> 1); rewrite subrr here trade_off_at0 d0 subr0.
by apply=> // i _; rewrite ler_subl_addr ler_addl trade_off_ge0.
Qed.

Lemma some_threshold_suits (j : nat) p : 0 <= p <= 1 -> exists c, suits c j p.
Proof.
have [F01 rises sym [_ [values inside]]] := F_canonical; move=> /andP[p0 p1].
have [d0 d1] := andP delta01.
have [/andP[q0 q1]|extreme] := boolP (0 < p < 1).
  have [|x Fx] := values (1 - p); first by rewrite subr_gt0 q1 ltr_subl_addr ltr_addl q0.
  exists (at_value (x + j%:R)); rewrite /suits /meets addrK Fx; split; rewrite ?subKr ?q0 ?q1 //.
  - by rewrite inside Fx ?subKr // subr_gt0 q1 ltr_subl_addr ltr_addl q0.
  - by rewrite inside // sym Fx subKr q0 q1.
  - by right.
have {extreme} {p0 p1} ends : p = 0 \/ p = 1.
  move: extreme; rewrite negb_and -!leNgt => /orP[le0|ge1]; [left | right]; apply/eqP.
    by rewrite eq_le le0 p0.
  by rewrite eq_le ge1 p1.
have [dz|dpos] := leP delta 0.
  have {dz} {d0} dz : delta = 0 by apply/eqP; rewrite eq_le dz d0.
  by case: ends => ->; [exists never | exists always].
have [|y Fy] := values (1 - delta); first by rewrite subr_gt0 d1 ltr_subl_addr ltr_addl dpos.
have F_end : F (y + 1) = 1.
  rewrite tail_up Fy; last by rewrite subr_gt0 d1 ltr_subl_addr ltr_addl dpos.
  rewrite /trade_off subrr mul0r max_l ?subr0 // le_maxl lexx andbT.
  by rewrite subr_le0 ler_pemull // subr_ge0 ltW.
have down : meets (y + 1) by rewrite /meets addrK F_end subrr trade_off_at0.
have up : meets (- (y + 1)).
  rewrite /meets sym F_end subrr subr0 trade_off_at1; apply/eqP; rewrite eq_le.
  have /andP[-> _] := F01 (- (y + 1) - 1); rewrite andbT.
  apply: le_trans (_ : F (- (y + 1)) <= _); last by rewrite sym F_end subrr.
  by apply: rises; rewrite ler_subl_addr ler_addl ler01.
case: ends => ->.
  by exists (at_value (y + 1 + j%:R)); split; rewrite ?addrK ?F_end ?subrr //; left.
exists (at_value (- (y + 1) + j%:R)); split; rewrite ?addrK ?opprK ?sym ?F_end ?subrr ?subr0 //.
by left.
Qed.

Lemma suiting_thresholds_ascend c c' j p p' : suits c j p -> suits c' j.+1 p' ->
  tail c' j.+1 <= tail c j.+1 -> ascends c c'.
Proof.
have [F01 rises sym [strict [_ inside]]] := F_canonical; have [d0 d1] := andP delta01.
have low t : meets (t - j%:R) -> F (t - j.+1%:R) <= 0 -> F (t - j%:R) <= delta.
  rewrite /meets (_ : t - j%:R - 1 = t - j.+1%:R); last by rewrite mulrSr; ring.
  move=> at_t F0; have := le_trans (trade_off_ge (1 - F (t - j%:R))); rewrite -at_t => /(_ _ F0).
  rewrite pmulr_lle0 ?invr_gt0 // (_ : 1 - delta - (1 - F (t - j%:R)) = F (t - j%:R) - delta).
    by rewrite subr_le0.
  by ring.
move=> at_j at_j'; case: c' at_j' => [t' [here' down' up' in']|[dz _]|//];
  case: c at_j => [t [here down up ins]|//|[dn _]] //=; last first.
- by rewrite ler10.
- rewrite ler_subr_addr -ler_subr_addl subrr => /low Fu.
  case: ins => [|/andP[_]]; first by rewrite dz ltxx.
  by rewrite -here ltr_subl_addr ltr_addl ltNge (le_trans (Fu down)) // dz.
- rewrite subr_le0 => top; case: in' => [|/andP[]]; first by rewrite dn ltxx.
  by rewrite -here' subr_gt0 ltNge top.
rewrite ler_add2l ler_opp2 => le'; rewrite leNgt; apply/negP => less.
have less' : t' - j.+1%:R < t - j.+1%:R by rewrite ltr_add2r.
have [F0' F1'] := andP (F01 (t' - j.+1%:R)).
have [x0|x0] := ltP 0 (F (t' - j.+1%:R)).
  have [x1|x1] := ltP (F (t' - j.+1%:R)) 1.
    by have := strict _ _ less'; rewrite x0 x1 ltNge le' => /(_ isT).
  have dpos : 0 < delta by case: in' => // /andP[]; rewrite -here' subr_gt0 ltNge x1.
  have top : 1 <= F (t - j.+1%:R) := le_trans x1 (rises _ _ (ltW less')).
  have Fu : F (t - j%:R) = 1.
    apply/eqP; rewrite eq_le; have /andP[_ ->] := F01 (t - j%:R); apply: le_trans top _.
    by apply: rises; rewrite ler_add2l ler_opp2 ler_nat.
  move: down top; rewrite /meets Fu subrr trade_off_at0.
  rewrite (_ : t - j%:R - 1 = t - j.+1%:R); last by rewrite mulrSr; ring.
  by move=> ->; rewrite leNgt ltr_subl_addr ltr_addl dpos.
have Fx' : F (t' - j.+1%:R) = 0 by apply/eqP; rewrite eq_le x0 F0'.
have Fu : F (t - j%:R) <= delta by apply: low => //; rewrite -Fx'.
have dpos : 0 < delta by case: in' => // /andP[_]; rewrite -here' Fx' subr0 ltxx.
have Fv : F (t' - j%:R) = delta.
  move: up'; rewrite /meets sym Fx' subr0 subrr trade_off_at0.
  rewrite (_ : - (t' - j.+1%:R) - 1 = - (t' - j%:R)); last by rewrite mulrSr; ring.
  by rewrite sym => /(congr1 (fun a => 1 - a)); rewrite !subKr.
have := strict (t' - j%:R) (t - j%:R); rewrite ltr_add2r less Fv dpos d1 => /(_ isT isT).
by rewrite ltNge Fu.
Qed.

(** ** All thresholds: they ascend *)

Lemma beyond_falls j i : beyond P j.+1 i <= beyond P j i.
Proof.
rewrite /beyond [X in _ <= X](bigID (fun l : 'I_M => (j.+1 < l)%N)) /=.
have -> : \sum_(l < M | (j < l)%N && (j.+1 < l)%N) P i l = \sum_(l < M | (j.+1 < l)%N) P i l.
  by apply: eq_bigl => l; case: (ltnP j.+1 l) => h; rewrite ?andbF // (ltnW h).
by rewrite ler_addl; apply: sumr_ge0 => l _; case: (P_law i).
Qed.

Theorem thresholds_exist : exists c : 'I_M -> threshold,
  (forall j j' : 'I_M, j' = j.+1 :> nat -> ascends (c j) (c j')) /\
  forall j : 'I_M, (forall i : 'I_M, (i <= j)%N -> tail (c j) i <= beyond P j i) /\
                   (forall i : 'I_M, (j < i)%N -> beyond P j i <= tail (c j) i).
Proof.
have [c hc] := fin_all_exists (fun j : 'I_M => some_threshold_suits j (beyond_within j j)).
exists c; split=> [j j' next|j]; have [below above] := tail_dominates (hc j).
  have there := hc j'; rewrite next in there.
  apply: (suiting_thresholds_ascend (hc j) there); rewrite (tail_suits there) -next.
  apply: le_trans (above j' _); last by rewrite next.
  by rewrite next; exact: beyond_falls.
by split=> i ij; [exact: below | apply: above; exact: ltnW].
Qed.

(** ** From probabilities to losses *)

Lemma by_layers (f q : 'I_M -> R) : law q ->
  \sum_l f l * q l =
  f ord0 + \sum_(j < m) (f (inord j.+1) - f (inord j)) * (\sum_(l < M | (j < l)%N) q l).
Proof.
move=> [_ q1].
have -> : \sum_(j < m) (f (inord j.+1) - f (inord j)) * (\sum_(l < M | (j < l)%N) q l) =
    \sum_l (f l - f ord0) * q l.
  transitivity (\sum_(j < m) \sum_(l < M)
      if (j < l)%N then (f (inord j.+1) - f (inord j)) * q l else 0).
    by apply: eq_bigr => j _; rewrite mulr_sumr big_mkcond.
  rewrite exchange_big /=; apply: eq_bigr => l _; rewrite -big_mkcond /= -mulr_suml; congr (_ * _).
  rewrite -(big_ord_widen _ (fun j => f (inord j.+1) - f (inord j))); last by rewrite -ltnS.
  rewrite -(big_mkord xpredT (fun j => f (inord j.+1) - f (inord j))) telescope_sumr // inord_val.
  by congr (_ - f _); apply: val_inj; rewrite /= inordK.
have -> : \sum_l (f l - f ord0) * q l = \sum_l f l * q l - f ord0; last by rewrite addrC subrK.
by under eq_bigr do rewrite mulrBl; rewrite sumrB -mulr_sumr q1 mulr1.
Qed.

Lemma dominated_rows_lose_less (loss Q : 'I_M -> 'I_M -> R) (i : 'I_M) : unimodal loss -> law (Q i) ->
  (forall j : 'I_M, (j < m)%N -> ((i <= j)%N -> beyond Q j i <= beyond P j i) /\
                                 ((j < i)%N -> beyond P j i <= beyond Q j i)) ->
  \sum_l loss i l * Q i l <= \sum_l loss i l * P i l.
Proof.
move=> uni lawQ dom; rewrite !by_layers // ler_add2l; apply: ler_sum => j _.
have jM : (j < M)%N by rewrite ltnW // ltnS.
have jv : (inord j : 'I_M) = j :> nat by rewrite inordK.
have next : (inord j.+1 : 'I_M) = (inord j : 'I_M).+1 :> nat by rewrite jv inordK // ltnS.
have [low high] := uni i (inord j) (inord j.+1) next.
have [below above] := dom (inord j) (eq_ind_r (fun n => (n < m)%N) (ltn_ord j) jv).
rewrite -/(beyond Q j i) -/(beyond P j i); rewrite jv in below above low.
have [ij|ji] := leqP i j.
  by rewrite ler_wpmul2l ?subr_ge0 ?low ?below.
rewrite -ler_opp2 -!mulNr opprB ler_wpmul2l ?above ?subr_ge0 // high // next jv //.
Qed.

(** ** The rounding by thresholds *)

(** The count plus noise is above the threshold [t n]; there is none from [m] on. *)
Definition passes (t : 'I_M -> threshold) (i : 'I_M) (n : nat) : R :=
  if (n < m)%N then tail (t (inord n)) i else 0.

(** The chance of an output l: above the threshold before l, and not above that of l. *)
Definition rounded (t : 'I_M -> threshold) (i l : 'I_M) : R :=
  (if (l : nat) is n.+1 then passes t i n else 1) - passes t i l.

Lemma beyond_rounded t i (j : nat) : (j <= m)%N -> beyond (rounded t) j i = passes t i j.
Proof.
move=> jm; pose h (l : nat) : R := (if l is n.+1 then passes t i n else 1) - passes t i l.
have -> : beyond (rounded t) j i = \sum_(j.+1 <= l < M) h l by rewrite big_geq_mkord.
rewrite big_add1 /= /h.
under eq_bigr do rewrite -opprB; rewrite sumrN telescope_sumr // opprB.
by rewrite [passes t i m]/passes ltnn subr0.
Qed.

Lemma rounded_law t i :
  (forall j j' : 'I_M, j' = j.+1 :> nat -> ascends (t j) (t j')) -> law (rounded t i).
Proof.
move=> ascending; have [F01 rises _ _] := F_canonical.
have tail01 c l : 0 <= tail c l <= 1.
  case: c => [x| |]; rewrite ?lexx ?ler01 //=.
  by have /andP[a b] := F01 (x - l%:R); rewrite subr_ge0 b ler_subl_addr ler_addl.
split=> [l|].
  rewrite /rounded subr_ge0 /passes; case: l => [[|n]] lM /=.
    by case: ifP => _; [case/andP: (tail01 (t (inord 0)) i) | exact: ler01].
  have nm : (n < m)%N by [].
  rewrite nm; case: ltnP => n1m; last by case/andP: (tail01 (t (inord n)) i).
  have : ascends (t (inord n)) (t (inord n.+1)) by apply: ascending; rewrite !inordK // ltnW.
  have /andP[a0 _] := tail01 (t (inord n)) i; have /andP[_ b1] := tail01 (t (inord n.+1)) i.
  case: (t (inord n)) a0 => [x| |] a0; case: (t (inord n.+1)) b1 => [y| |] b1 //= xy.
  by rewrite ler_add2l ler_opp2; apply: rises; rewrite ler_add2r.
rewrite (bigD1 ord0) //= {1}/rounded /=.
have -> : \sum_(l < M | l != ord0) rounded t i l = beyond (rounded t) 0 i.
  by apply: eq_bigl => l; rewrite -val_eqE /= lt0n.
by rewrite beyond_rounded // subrK.
Qed.

Theorem canonical_noise_dominates :
  exists t : 'I_M -> threshold,
    [/\ forall j j' : 'I_M, j' = j.+1 :> nat -> ascends (t j) (t j'),
        forall i, law (rounded t i) &
        forall loss, unimodal loss ->
          forall i, \sum_l loss i l * rounded t i l <= \sum_l loss i l * P i l].
Proof.
have [t [ascending dom]] := thresholds_exist; exists t; split=> // [i|loss uni i].
  exact: rounded_law.
apply: dominated_rows_lose_less => // [|j jm]; first exact: rounded_law.
have [below above] := dom j; rewrite beyond_rounded ?(ltnW jm) // /passes jm inord_val.
by split; [exact: below | exact: above].
Qed.

End Dominance.

(** [counting.canonical_noise_is_universally_optimal]: for noise that meets the trade-off equation,
    and every private release. *)
Theorem canonical_noise_is_universally_optimal (R : realFieldType) (m : nat) (k delta : R)
    (F : R -> R) (P : 'I_m.+1 -> 'I_m.+1 -> R) :
  1 <= k -> 0 <= delta < 1 -> canonical k delta F -> stochastic P -> private k delta P ->
  exists t : 'I_m.+1 -> threshold R,
    [/\ forall j j' : 'I_m.+1, j' = j.+1 :> nat -> ascends (t j) (t j'),
        forall i, law (rounded F t i) &
        forall loss : 'I_m.+1 -> 'I_m.+1 -> R, unimodal loss ->
          forall i, \sum_l loss i l * rounded F t i l <= \sum_l loss i l * P i l].
Proof.
move=> k1 in01 cF P_law priv.
exact: (canonical_noise_dominates k1 in01 P_law priv cF).
Qed.
