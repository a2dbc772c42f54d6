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

Lemma tail_dominates (j : 'I_M) (t : R) : 0 < beyond P j j < 1 ->
  1 - F (t - j%:R) = beyond P j j ->
  (forall i : 'I_M, (i <= j)%N -> 1 - F (t - i%:R) <= beyond P j i) /\
  (forall i : 'I_M, (j <= i)%N -> beyond P j i <= 1 - F (t - i%:R)).
Proof.
move=> /andP[p0 p1] here; have [F01 rises _ _] := F_canonical.
have F_here : F (t - j%:R) = 1 - beyond P j j by rewrite -here opprB addrCA subrr addr0.
split.
  suff down n : (n <= j)%N -> 1 - F (t - (j - n)%:R) <= beyond P j (inord (j - n)).
    by move=> i ij; have := down (j - i)%N (leq_subr _ _); rewrite subKn // inord_val.
  elim: n => [|n IH] nj; first by rewrite subn0 inord_val here.
  have step : (j - n = (j - n.+1).+1)%N by rewrite -subSn // subSS.
  have iM : (j - n < M)%N by rewrite (leq_ltn_trans (leq_subr _ _)).
  have iM' : (j - n.+1 < M)%N by rewrite (leq_ltn_trans (leq_subr _ _)).
  have near : ((inord (j - n.+1) : 'I_M) == (inord (j - n) : 'I_M).+1 :> nat) ||
              ((inord (j - n) : 'I_M) == (inord (j - n.+1) : 'I_M).+1 :> nat).
    by rewrite !inordK // -step eqxx orbT.
  apply: le_trans (not_beyond_moves j near); set x := t - (j - n)%:R.
  have -> : t - (j - n.+1)%:R = x + 1.
    by rewrite /x step mulrS opprD addrA; ring.
  have low : F (t - j%:R) <= F x by apply: rises; rewrite ler_add2l ler_opp2 ler_nat leq_subr.
  have x0 : 0 < F x by apply: lt_le_trans low; rewrite F_here subr_gt0.
  have [x1|x1] := ltP (F x) 1.
    rewrite tail_up ?x0 // opprB addrCA subrr addr0; apply: trade_off_falls.
    by rewrite ler_subl_addr addrC -ler_subl_addr; exact: IH (ltnW nj).
  have up : F x <= F (x + 1) by apply: rises; rewrite ler_addl ler01.
  apply: (@le_trans _ _ 0); first by rewrite subr_le0 (le_trans x1).
  by rewrite /trade_off le_maxr lexx.
suff up n (i : 'I_M) : i = (j + n)%N :> nat -> beyond P j i <= 1 - F (t - i%:R).
  by move=> i ji; apply: (up (i - j)%N); rewrite subnKC.
elim: n i => [|n IH] i e.
  by rewrite addn0 in e; rewrite (val_inj e : i = j) here.
have iM : (j + n < M)%N by apply: leq_ltn_trans (ltn_ord i); rewrite e addnS.
have near : (i == (inord (j + n) : 'I_M).+1 :> nat) || ((inord (j + n) : 'I_M) == i.+1 :> nat).
  by rewrite inordK // e addnS eqxx.
have so_far := IH (inord (j + n)) (inordK iM); rewrite inordK // in so_far.
apply: le_trans (beyond_moves j near) _; set x := t - (j + n)%:R in so_far *.
have -> : t - i%:R = x - 1 by rewrite /x e addnS mulrSr opprD addrA.
have high : F x <= F (t - j%:R) by apply: rises; rewrite ler_add2l ler_opp2 ler_nat leq_addr.
have x1 : F x < 1 by apply: le_lt_trans high _; rewrite F_here ltr_subl_addr ltr_addl.
have [x0|x0] := ltP 0 (F x).
  by rewrite tail_down ?x0 // ler_add2l ler_opp2 trade_off_falls.
have down : F (x - 1) <= F x by apply: rises; rewrite ler_subl_addr ler_addl ler01.
have zero : F (x - 1) <= 0 := le_trans down x0.
apply: (@le_trans _ _ 1); first by rewrite ler_subl_addr ler_addl /trade_off le_maxr lexx.
by rewrite ler_subr_addl -ler_subr_addr subrr.
Qed.

(** ** All thresholds: they ascend *)

Definition tail (t : R) (i : 'I_M) : R := 1 - F (t - i%:R).

Lemma beyond_falls j i : beyond P j.+1 i <= beyond P j i.
Proof.
rewrite /beyond [X in _ <= X](bigID (fun l : 'I_M => (j.+1 < l)%N)) /=.
have -> : \sum_(l < M | (j < l)%N && (j.+1 < l)%N) P i l = \sum_(l < M | (j.+1 < l)%N) P i l.
  by apply: eq_bigl => l; case: (ltnP j.+1 l) => h; rewrite ?andbF // (ltnW h).
by rewrite ler_addl; apply: sumr_ge0 => l _; case: (P_law i).
Qed.

Theorem thresholds_exist : (forall j : 'I_M, (j < m)%N -> 0 < beyond P j j < 1) ->
  exists t : 'I_M -> R,
    (forall j j' : 'I_M, j' = j.+1 :> nat -> (j' < m)%N -> t j <= t j') /\
    forall j : 'I_M, (j < m)%N ->
      (forall i : 'I_M, (i <= j)%N -> tail (t j) i <= beyond P j i) /\
      (forall i : 'I_M, (j < i)%N -> beyond P j i <= tail (t j) i).
Proof.
move=> inside; have [F01 rises _ [strict [values _]]] := F_canonical.
have pick (j : 'I_M) : exists t, (j < m)%N -> tail t j = beyond P j j.
  case: (ltnP j m) => jm; last by exists 0.
  have /andP[p0 p1] := inside j jm.
  have [|x Fx] := values (1 - beyond P j j); first by rewrite subr_gt0 p1 ltr_subl_addr ltr_addl p0.
  exists (x + j%:R) => _; rewrite /tail addrK Fx opprB addrCA subrr addr0 //.
have [t ht] := fin_all_exists pick; exists t; split=> [j j' next jm'|j jm].
  have jm : (j < m)%N by apply: ltnW; rewrite -next.
  have [_ above] := tail_dominates (inside j jm) (ht j jm).
  have order : tail (t j') j' <= tail (t j) j'.
    rewrite (ht j' jm'); apply: le_trans (above j' _); last by rewrite next.
    by rewrite next; exact: beyond_falls.
  rewrite leNgt; apply/negP => less; have /andP[p0 p1] := inside j' jm'.
  have F_there : F (t j' - j'%:R) = 1 - beyond P j' j'.
    by rewrite -(ht j' jm') /tail opprB addrCA subrr addr0.
  have := strict (t j' - j'%:R) (t j - j'%:R); rewrite ltr_add2r less F_there subr_gt0 p1.
  rewrite ltr_subl_addr ltr_addl p0 => /(_ isT isT); rewrite -F_there ltNge => /negP; apply.
  by move: order; rewrite /tail ler_add2l ler_opp2.
have [below above] := tail_dominates (inside j jm) (ht j jm).
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
Definition passes (t : 'I_M -> R) (i : 'I_M) (n : nat) : R :=
  if (n < m)%N then tail (t (inord n)) i else 0.

(** The chance of an output l: above the threshold before l, and not above that of l. *)
Definition rounded (t : 'I_M -> R) (i l : 'I_M) : R :=
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
  (forall j j' : 'I_M, j' = j.+1 :> nat -> (j' < m)%N -> t j <= t j') -> law (rounded t i).
Proof.
move=> ascending; have [F01 rises _ _] := F_canonical.
have tail01 x l : 0 <= tail x l <= 1.
  by have /andP[a b] := F01 (x - l%:R); rewrite /tail subr_ge0 b ler_subl_addr ler_addl.
split=> [l|].
  rewrite /rounded subr_ge0 /passes; case: l => [[|n]] lM /=.
    by case: ifP => _; [case/andP: (tail01 (t (inord 0)) i) | exact: ler01].
  have nm : (n < m)%N by [].
  rewrite nm; case: ltnP => n1m; last by case/andP: (tail01 (t (inord n)) i).
  rewrite /tail ler_add2l ler_opp2; apply: rises; rewrite ler_add2r; apply: ascending.
    by rewrite !inordK // ltnW.
  by rewrite inordK // ltnS ltnW.
rewrite (bigD1 ord0) //= {1}/rounded /=.
have -> : \sum_(l < M | l != ord0) rounded t i l = beyond (rounded t) 0 i.
  by apply: eq_bigl => l; rewrite -val_eqE /= lt0n.
by rewrite beyond_rounded // subrK.
Qed.

Theorem canonical_noise_dominates : (forall j : 'I_M, (j < m)%N -> 0 < beyond P j j < 1) ->
  exists t : 'I_M -> R,
    [/\ forall j j' : 'I_M, j' = j.+1 :> nat -> (j' < m)%N -> t j <= t j',
        forall i, law (rounded t i) &
        forall loss, unimodal loss ->
          forall i, \sum_l loss i l * rounded t i l <= \sum_l loss i l * P i l].
Proof.
move=> inside; have [t [ascending dom]] := thresholds_exist inside; exists t; split=> // [i|loss uni i].
  exact: rounded_law.
apply: dominated_rows_lose_less => // [|j jm]; first exact: rounded_law.
have [below above] := dom j jm; rewrite beyond_rounded ?(ltnW jm) // /passes jm inord_val.
by split; [exact: below | exact: above].
Qed.

End Dominance.

(** [counting.canonical_noise_is_universally_optimal]: for noise that meets the trade-off equation,
    and releases in which P(out > j | j) is neither 0 nor 1. *)
Theorem canonical_noise_is_universally_optimal (R : realFieldType) (m : nat) (k delta : R)
    (F : R -> R) (P : 'I_m.+1 -> 'I_m.+1 -> R) :
  1 <= k -> 0 <= delta < 1 -> canonical k delta F -> stochastic P -> private k delta P ->
  (forall j : 'I_m.+1, (j < m)%N -> 0 < beyond P j j < 1) ->
  exists t : 'I_m.+1 -> R,
    [/\ forall j j' : 'I_m.+1, j' = j.+1 :> nat -> (j' < m)%N -> t j <= t j',
        forall i, law (rounded F t i) &
        forall loss : 'I_m.+1 -> 'I_m.+1 -> R, unimodal loss ->
          forall i, \sum_l loss i l * rounded F t i l <= \sum_l loss i l * P i l].
Proof.
move=> k1 in01 cF P_law priv inside.
exact: (canonical_noise_dominates k1 P_law priv cF inside).
Qed.
