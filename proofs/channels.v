(** Section V of the counting paper, at every size: lower and upper bounds on the least error behind
    a channel (Proposition 1, put right), and when a channel costs nothing (Theorem 2). *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify ring.
From provedp Require Import privacy optimum closed_form guarantees.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Channels.
Variable R : realFieldType.
Variable m : nat.
Notation M := m.+1.
Notation matrix := ('I_M -> 'I_M -> R).

Definition times (A B : matrix) : matrix := fun i j => \sum_l A i l * B l j.

(** A release behind the channel T is stochastic, and private once through it. *)
Definition allowed (k delta : R) (T P : matrix) : Prop :=
  stochastic P /\ private k delta (times P T).

(** [S] is the inverse of [T]. *)
Definition inverse (T S : matrix) : Prop :=
  (forall i j, times T S i j = (i == j)%:R) /\ (forall i j, times S T i j = (i == j)%:R).

Definition mixture (a : R) (A B : matrix) : matrix := fun i j => a * A i j + (1 - a) * B i j.

(** ** Products of matrices *)

Lemma timesA (A B C : matrix) i j : times A (times B C) i j = times (times A B) C i j.
Proof.
rewrite /times; under eq_bigr do rewrite mulr_sumr.
rewrite exchange_big /=; apply: eq_bigr => l _; rewrite mulr_suml.
by apply: eq_bigr => l' _; rewrite mulrA.
Qed.

Lemma times_mixture a (A B C : matrix) i j :
  times (mixture a A B) C i j = a * times A C i j + (1 - a) * times B C i j.
Proof.
by rewrite /times /mixture !mulr_sumr -big_split /=; apply: eq_bigr => l _; rewrite mulrDl !mulrA.
Qed.

Lemma times_of_mixture a (A B C : matrix) i j :
  times C (mixture a A B) i j = a * times C A i j + (1 - a) * times C B i j.
Proof.
rewrite /times /mixture !mulr_sumr -big_split /=; apply: eq_bigr => l _.
by rewrite mulrDr !mulrA ![C i l * _]mulrC.
Qed.

Lemma row_of_product (A B : matrix) i :
  (forall l, \sum_j B l j = 1) -> \sum_j times A B i j = \sum_l A i l.
Proof.
move=> B1; rewrite /times exchange_big /=; apply: eq_bigr => l _.
by rewrite -mulr_sumr B1 mulr1.
Qed.

Lemma times_unit (A : matrix) (I : matrix) i j :
  (forall l j', I l j' = (l == j')%:R) -> times A I i j = A i j.
Proof.
move=> one; rewrite /times (bigD1 j) //= one eqxx mulr1 big1 ?addr0 // => l /negbTE lj.
by rewrite one lj mulr0.
Qed.

Lemma unit_times (A : matrix) (I : matrix) i j :
  (forall l j', I l j' = (l == j')%:R) -> times I A i j = A i j.
Proof.
move=> one; rewrite /times (bigD1 i) //= one eqxx mul1r big1 ?addr0 // => l; rewrite eq_sym => /negbTE il.
by rewrite one il mul0r.
Qed.

Lemma inverse_row (T S : matrix) i : stochastic T -> inverse T S -> \sum_j S i j = 1.
Proof.
move=> hT [_ ST]; rewrite -(@row_of_product S T i); last by move=> l; case: (hT l).
rewrite (bigD1 i) //= ST eqxx big1 ?addr0 // => j.
by rewrite eq_sym ST => /negbTE ->.
Qed.

Lemma stochastic_times (A B : matrix) : stochastic A -> stochastic B -> stochastic (times A B).
Proof. by move=> hA hB i; exact: push_law. Qed.

Lemma private_ext k delta (A B : matrix) :
  (forall i j, A i j = B i j) -> private k delta A -> private k delta B.
Proof.
move=> AB hA i i' near U; have := hA i i' near U; rewrite /prob.
by under eq_bigr do rewrite AB; under [X in _ <= _ * X + _]eq_bigr do rewrite AB.
Qed.

Lemma private_times k delta (A B : matrix) :
  stochastic B -> private k delta A -> private k delta (times A B).
Proof.
move=> hB hA i i' near; apply: post_processing_keeps_guarantees => //; exact: hA.
Qed.

Lemma private_mixture k delta a (A B : matrix) : 0 <= a <= 1 ->
  private k delta A -> private k delta B -> private k delta (mixture a A B).
Proof. by move=> a01 hA hB i i' near; apply: mixtures_are_close; [ | exact: hA | exact: hB]. Qed.

(** ** The problem, and lower bounds *)

Variables k delta : R.
Hypothesis k_ge1 : 1 <= k.
Hypothesis delta01 : 0 <= delta < 1.

Let k_gt0 : 0 < k. Proof. exact: lt_le_trans ltr01 k_ge1. Qed.
Notation P_star := (@release R m k delta).
Let star_stochastic : stochastic P_star.
Proof. by case/andP: delta01 => d0 /ltW d1; exact: release_is_stochastic. Qed.
Let star_private : private k delta P_star.
Proof. exact: canonical_release_is_private. Qed.
Let star_error i : 1 - P_star i i = error m k delta.
Proof. exact: release_errs_by_the_error. Qed.

Theorem no_release_behind_a_channel_is_better (T P : matrix) e :
  stochastic T -> allowed k delta T P -> errs_at_most (times P T) e -> error m k delta <= e.
Proof.
move=> hT [hP priv]; apply: error_is_optimal => //; exact: stochastic_times.
Qed.

Theorem column_maxima_bound_the_error (T P : matrix) e i c :
  stochastic P -> (forall l, T l i <= c) -> errs_at_most (times P T) e -> 1 - c <= e.
Proof.
move=> hP top /(_ i); apply: le_trans; rewrite ler_add2l ler_opp2.
have [P0 P1] := hP i; rewrite -[c]mul1r -P1 mulr_suml /times.
by apply: ler_sum => l _; rewrite ler_wpmul2l.
Qed.

(** ** Upper bounds *)

Theorem sent_release_is_allowed (T : matrix) : stochastic T -> allowed k delta T P_star.
Proof. by move=> hT; split=> //; exact: private_times. Qed.

Theorem undone_channel_costs_nothing (T S : matrix) :
  stochastic T -> inverse T S -> (forall i j, 0 <= times P_star S i j) ->
  allowed k delta T (times P_star S) /\
  errs_at_most (times (times P_star S) T) (error m k delta).
Proof.
move=> hT inv pos; have [_ ST] := inv.
have back i j : P_star i j = times (times P_star S) T i j.
  by rewrite -timesA times_unit.
split; first split.
- move=> i; split=> //; rewrite row_of_product; last by move=> l; exact: inverse_row inv.
  by case: (star_stochastic i).
- exact: private_ext back star_private.
- by move=> i; rewrite -back star_error.
Qed.

(** u_1: a share [a] of the undone channel. *)
Theorem first_mixture_is_allowed (T S : matrix) a u :
  stochastic T -> inverse T S -> 0 <= a <= 1 ->
  (forall i j, 0 <= mixture a (times P_star S) P_star i j) ->
  [/\ allowed k delta T (mixture a (times P_star S) P_star),
      forall i, times (mixture a (times P_star S) P_star) T i i =
                a * P_star i i + (1 - a) * times P_star T i i &
      errs_at_most (times P_star T) u ->
      errs_at_most (times (mixture a (times P_star S) P_star) T) u].
Proof.
move=> hT inv /[dup] a01 /andP[a0 a1] pos; have [_ ST] := inv.
have back i j : times (times P_star S) T i j = P_star i j by rewrite -timesA times_unit.
have diag i : times (mixture a (times P_star S) P_star) T i i =
              a * P_star i i + (1 - a) * times P_star T i i.
  by rewrite times_mixture back.
split=> // [|worst i].
  split.
    move=> i; split=> //; rewrite /mixture big_split /= -!mulr_sumr row_of_product; last first.
      by move=> l; exact: inverse_row inv.
    by case: (star_stochastic i) => _ ->; ring.
  apply: (@private_ext _ _ (mixture a P_star (times P_star T))).
    by move=> i j; rewrite times_mixture back.
  exact: private_mixture a01 star_private (private_times hT star_private).
have least : error m k delta <= u.
  exact: no_release_behind_a_channel_is_better hT (sent_release_is_allowed hT) worst.
rewrite diag; have := worst i; rewrite -(star_error i) in least.
have b0 : 0 <= 1 - a by rewrite subr_ge0.
move=> here; have := ler_add (ler_wpmul2l a0 least) (ler_wpmul2l b0 here).
by congr (_ <= _); ring.
Qed.

(** u_2: a step [t] along T' v v', with v orthogonal to the ones and u = P*^-1 T' v. *)
Theorem second_step_is_allowed (T : matrix) (v w : 'I_M -> R) t u :
  let a j := \sum_l T l j * v l in let G : matrix := fun i j => P_star i j + t * a i * v j in
  stochastic T -> 0 <= t -> \sum_l v l = 0 -> (forall i, \sum_l P_star i l * w l = a i) ->
  (forall i j, 0 <= G i j) -> (forall i j, 0 <= T i j + t * w i * a j) ->
  [/\ allowed k delta T G, forall i, times G T i i = times P_star T i i + t * a i ^+ 2 &
      errs_at_most (times P_star T) u -> errs_at_most (times G T) u].
Proof.
move=> a G hT t0 v0 w_solves G0 T0.
pose T2 : matrix := fun i j => T i j + t * w i * a j.
have a_sum : \sum_j a j = 0.
  rewrite /a exchange_big /= -[RHS]v0; apply: eq_bigr => l _.
  by rewrite -mulr_suml; case: (hT l) => _ ->; rewrite mul1r.
have T2_stochastic : stochastic T2.
  move=> i; split=> [j|]; first exact: T0.
  rewrite /T2 big_split /= -mulr_sumr a_sum mulr0 addr0.
  by case: (hT i).
have GT i j : times G T i j = times P_star T i j + t * a i * a j.
  rewrite /times /G; under eq_bigr do rewrite mulrDl.
  rewrite big_split /=; congr (_ + _); rewrite [a j]/a mulr_sumr.
  by apply: eq_bigr => l _; rewrite -mulrA [v l * _]mulrC.
have PT2 i j : times P_star T2 i j = times G T i j.
  rewrite GT /times /T2; under eq_bigr do rewrite mulrDr.
  rewrite big_split /=; congr (_ + _); rewrite -[in RHS](w_solves i) mulr_sumr mulr_suml.
  by apply: eq_bigr => l _; ring.
have diag i : times G T i i = times P_star T i i + t * a i ^+ 2 by rewrite GT expr2 mulrA.
split=> // [|worst i].
  split; last by apply: private_ext PT2 _; exact: private_times.
  move=> i; split=> [j|]; first exact: G0.
  rewrite /G big_split /= -mulr_sumr v0 mulr0 addr0.
  by case: (star_stochastic i).
rewrite diag; apply: le_trans (worst i); rewrite ler_add2l ler_opp2 ler_addl.
by rewrite mulr_ge0 // sqr_ge0.
Qed.

(** [Q] has one 1 in each row i, at a largest entry of column i of [T], eq. (32). *)
Definition assignment_of (T Q : matrix) : Prop :=
  exists s : 'I_M -> 'I_M,
    (forall i j, Q i j = (j == s i)%:R) /\ (forall i l, T l i <= T (s i) i).

Lemma assigned (T Q : matrix) (s : 'I_M -> 'I_M) i j :
  (forall i j, Q i j = (j == s i)%:R) -> times Q T i j = T (s i) j.
Proof.
move=> hQ; rewrite /times (bigD1 (s i)) //= hQ eqxx mul1r big1 ?addr0 // => l /negbTE ls.
by rewrite hQ ls mul0r.
Qed.

(** u_3, with a share [b] in [0, 1]: the repaired third bound. *)
Theorem third_mixture_is_allowed (T Q S : matrix) b u :
  stochastic T -> assignment_of T Q -> inverse P_star S -> 0 <= b <= 1 ->
  (forall i j, 0 <= mixture b (times S (times Q T)) T i j) ->
  [/\ allowed k delta T (mixture b Q P_star),
      forall i, times (mixture b Q P_star) T i i =
                b * times Q T i i + (1 - b) * times P_star T i i &
      errs_at_most (times P_star T) u -> errs_at_most (times (mixture b Q P_star) T) u].
Proof.
move=> hT [s [hQ top]] inv /[dup] b01 /andP[b0 b1] T2_pos.
have b0' : 0 <= 1 - b by rewrite subr_ge0.
have Q_stochastic : stochastic Q.
  move=> i; split=> [j|]; first by rewrite hQ ler0n.
  by rewrite (bigD1 (s i)) //= hQ eqxx big1 ?addr0 // => j /negbTE js; rewrite hQ js.
set T2 := mixture b _ T in T2_pos.
have QT1 l : \sum_j times Q T l j = 1 by case: (stochastic_times Q_stochastic hT l).
have T2_stochastic : stochastic T2.
  move=> i; split=> //; rewrite /T2 /mixture big_split /= -!mulr_sumr row_of_product //.
  by rewrite (inverse_row i star_stochastic inv); case: (hT i) => _ ->; ring.
have [PS _] := inv.
have same i j : times P_star T2 i j = times (mixture b Q P_star) T i j.
  by rewrite times_of_mixture times_mixture timesA unit_times.
have diag i : times (mixture b Q P_star) T i i =
              b * times Q T i i + (1 - b) * times P_star T i i by rewrite times_mixture.
split=> // [|worst i].
  split; last by apply: private_ext same _; exact: private_times.
  move=> i; split=> [j|].
    rewrite /mixture addr_ge0 ?mulr_ge0 //; first by case: (Q_stochastic i).
    by case: (star_stochastic i).
  rewrite /mixture big_split /= -!mulr_sumr; case: (Q_stochastic i) => _ ->.
  by case: (star_stochastic i) => _ ->; ring.
rewrite diag; apply: le_trans (worst i); rewrite ler_add2l ler_opp2.
have larger : times P_star T i i <= times Q T i i.
  rewrite (assigned _ _ _ hQ) /times; have [P0 P1] := star_stochastic i.
  by rewrite -[X in _ <= X]mul1r -P1 mulr_suml; apply: ler_sum => l _; rewrite ler_wpmul2l.
have := ler_wpmul2l b0 larger; rewrite -(ler_add2r ((1 - b) * times P_star T i i)).
by congr (_ <= _); ring.
Qed.

(** ** Theorem 2: channels that cost something, and that cost nothing *)

Lemma bounded_product (f x : 'I_M -> R) (top : R) : (forall l, `|x l| <= top) ->
  `|\sum_l f l * x l| <= top * \sum_l `|f l|.
Proof.
move=> h; apply: le_trans (ler_norm_sum _ _ _) _; rewrite mulr_sumr; apply: ler_sum => l _.
by rewrite normrM mulrC ler_wpmul2r.
Qed.

(** Statement 1: with all optimal releases within [r] of P* in every entry, an entry of P* T^-1
    below - r times the absolute sum of its column of T^-1 costs something. *)
Theorem entry_below_the_threshold_costs (T S P : matrix) r i j e :
  stochastic T -> inverse T S ->
  (forall Q, stochastic Q -> private k delta Q -> errs_at_most Q (error m k delta) ->
     forall i j, `|Q i j - P_star i j| <= r) ->
  times P_star S i j < - (r * \sum_l `|S l j|) ->
  allowed k delta T P -> errs_at_most (times P T) e -> error m k delta < e.
Proof.
move=> hT [TS _] radius low [hP priv] errs; rewrite ltNge; apply/negP => small.
have opt : errs_at_most (times P T) (error m k delta) by move=> l; exact: le_trans (errs l) small.
have near := radius _ (stochastic_times hP hT) priv opt.
have P_back : P i j = times (times P T) S i j by rewrite -timesA times_unit.
have [P0 _] := hP i; have := P0 j; rewrite P_back leNgt => /negP; apply.
have -> : times (times P T) S i j =
          times P_star S i j + \sum_l (S l j) * (times P T i l - P_star i l).
  by rewrite /(times P_star S) -big_split /=; apply: eq_bigr => l _; rewrite mulrBr ![S l j * _]mulrC addrC subrK.
have := bounded_product (fun l => S l j) (near i); rewrite ler_norml => /andP[_ high].
by apply: lt_le_trans (ltr_le_add low high) _; rewrite addNr.
Qed.

(** Statement 2: entries of T^-1 - I of at most [phi], a lower bound on those of P*. *)
Theorem channel_near_the_identity_costs_nothing (T S : matrix) phi :
  stochastic T -> inverse T S -> (forall i j, phi <= P_star i j) ->
  (forall i j, `|S i j - (i == j)%:R| <= phi) ->
  allowed k delta T (times P_star S) /\
  errs_at_most (times (times P_star S) T) (error m k delta).
Proof.
move=> hT inv low near; apply: undone_channel_costs_nothing => // i j.
have -> : times P_star S i j = P_star i j + \sum_l P_star i l * (S l j - (l == j)%:R).
  rewrite -[in RHS](times_unit P_star i j (fun l j' => erefl (l == j')%:R)) /times -big_split /=.
  by apply: eq_bigr => l _; rewrite mulrBr addrC subrK.
have := bounded_product (P_star i) (fun l => near l j); rewrite ler_norml => /andP[least _].
have [P0 P1] := star_stochastic i.
have total : \sum_l `|P_star i l| = 1 by rewrite -[RHS]P1; apply: eq_bigr => l _; rewrite ger0_norm.
rewrite total mulr1 in least.
by apply: le_trans (ler_add (low i j) least); rewrite addrN.
Qed.

Theorem least_entry_of_the_release i j : (1 - delta) * alpha m k * k ^- (M %/ 2) <= P_star i j.
Proof.
case/andP: delta01 => d0 /ltW d1.
have a0 : 0 <= (1 - delta) * alpha m k by rewrite mulr_ge0 ?subr_ge0 ?(ltW (alpha_gt0 _ k_gt0)).
have far : (cyclic_distance m i j <= M %/ 2)%N.
  by rewrite /cyclic_distance; move: (ltn_ord i) (ltn_ord j); lia.
rewrite /release -[X in X <= _]addr0 ler_add ?mulr_ge0 ?ler0n // ler_wpmul2l //.
by rewrite lef_pinv ?posrE ?exprn_gt0 // ler_weexpn2l.
Qed.

(** Statement 3, where every entry of P* is within [c] of 1/M. *)
Theorem one_inside_the_cone_costs_nothing (T S : matrix) s n c :
  stochastic T -> inverse T S -> (forall j, s <= \sum_i S i j) -> (forall i j, `|S i j| <= n) ->
  (forall i j, `|P_star i j - M%:R^-1| <= c) -> M%:R * (c * n) <= s / M%:R ->
  allowed k delta T (times P_star S) /\
  errs_at_most (times (times P_star S) T) (error m k delta).
Proof.
move=> hT inv cone top near small; apply: undone_channel_costs_nothing => // i j.
have -> : times P_star S i j = (\sum_l S l j) / M%:R + \sum_l (P_star i l - M%:R^-1) * S l j.
  rewrite mulr_suml -big_split /=; apply: eq_bigr => l _.
  by rewrite mulrBl [S l j / _]mulrC addrC subrK.
have := bounded_product (fun l => P_star i l - M%:R^-1) (fun l => top l j).
rewrite ler_norml => /andP[least _].
have sum_near : \sum_l `|P_star i l - M%:R^-1| <= M%:R * c.
  have -> : M%:R * c = \sum_(l < M) c by rewrite sumr_const card_ord mulr_natl.
  by apply: ler_sum.
have n0 : 0 <= n := le_trans (normr_ge0 _) (top i j).
have M0 : 0 < (M%:R : R) by rewrite ltr0Sn.
have first : s / M%:R <= (\sum_l S l j) / M%:R by rewrite ler_pmul2r ?invr_gt0.
have second : - (M%:R * (c * n)) <= \sum_l (P_star i l - M%:R^-1) * S l j.
  by apply: le_trans least; rewrite ler_opp2 mulrA [X in _ <= X]mulrC ler_wpmul2l.
by apply: le_trans (ler_add first second); rewrite subr_ge0.
Qed.

End Channels.

(** ** What the claims say *)

Section Claims.
Variable R : realFieldType.
Variable m : nat.
Notation M := m.+1.
Notation matrix := ('I_M -> 'I_M -> R).

(** [counting.no_channel_helps_at_every_size] *)
Theorem no_channel_helps (k delta : R) (T P : matrix) e :
  1 <= k -> 0 <= delta < 1 -> stochastic T -> allowed k delta T P ->
  errs_at_most (times P T) e -> error m k delta <= e.
Proof. by move=> k1 in01; exact: no_release_behind_a_channel_is_better. Qed.

(** [counting.error_is_at_least_both_lower_bounds_at_every_size]: [c] is the largest entry of a
    column, so that 1 - c is at most l(T), and is l(T) for the least of these. *)
Theorem error_is_at_least_both_lower_bounds (k delta : R) (T P : matrix) e :
  1 <= k -> 0 <= delta < 1 -> stochastic T -> allowed k delta T P ->
  errs_at_most (times P T) e ->
  error m k delta <= e /\ (forall i c, (forall l, T l i <= c) -> 1 - c <= e).
Proof.
move=> k1 in01 hT hP errs; split; first exact: no_channel_helps hP errs.
by move=> i c top; case: hP => hP _; exact: column_maxima_bound_the_error top errs.
Qed.

(** [counting.channel_near_the_identity_costs_nothing_at_every_size]: the largest entry of
    X = T^-1 - I, its largest absolute row sum (27), or M gamma times its largest entry (28). *)
Theorem channel_near_the_identity (k delta : R) (T S : matrix) :
  let phi := (1 - delta) * alpha m k * k ^- (M %/ 2) in
  let gamma := 1 - error m k delta in
  let X : matrix := fun i j => S i j - (i == j)%:R in
  1 <= k -> 0 <= delta < 1 -> stochastic T -> inverse T S ->
  (forall i j, `|X i j| <= phi) \/ (forall i, \sum_j `|X i j| <= phi) \/
    (forall i j, `|X i j| <= phi / (M%:R * gamma)) ->
  allowed k delta T (times (@release R m k delta) S) /\
  errs_at_most (times (times (@release R m k delta) S) T) (error m k delta).
Proof.
move=> phi gamma X k1 in01 hT inv near; have k0 : 0 < k := lt_le_trans ltr01 k1.
have low i j : phi <= @release R m k delta i j := least_entry_of_the_release k1 in01 i j.
apply: (channel_near_the_identity_costs_nothing k1 in01 hT inv low).
move=> i j; case: near => [-> //|[rows|entries]].
  apply: le_trans (rows i); rewrite (bigD1 j) //= ler_addl.
  by apply: sumr_ge0 => l _; exact: normr_ge0.
have entry_gamma (a b : 'I_M) : @release R m k delta a b <= gamma.
  have e := release_errs_by_the_error k delta a.
  rewrite /gamma -e opprB addrC subrK /release.
  have [d0 d1] : 0 <= delta /\ delta <= 1 by case/andP: in01 => d0 /ltW.
  rewrite ler_add ?ler_wpmul2l // ?mulr_ge0 ?subr_ge0 ?(ltW (alpha_gt0 _ k0)) //.
    rewrite (_ : cyclic_distance m a a = 0%N); last by rewrite /cyclic_distance; lia.
    by rewrite expr0 invr1 invf_le1 ?exprn_gt0 // exprn_ege1.
  by rewrite eqxx ler_nat; case: (_ == _).
have one : 1 <= M%:R * gamma.
  have [_ P1] := (release_is_stochastic k0 (proj1 (andP in01)) (ltW (proj2 (andP in01)))) i.
  rewrite mulr_natl -[X in gamma *+ X](card_ord M) -sumr_const -[X in X <= _]P1.
  apply: ler_sum => l _.
  exact: entry_gamma.
have phi0 : 0 <= phi.
  case/andP: in01 => d0 /ltW d1; rewrite /phi !mulr_ge0 ?subr_ge0 ?(ltW (alpha_gt0 _ k0)) //.
  by rewrite invr_ge0 exprn_ge0 // ltW.
apply: le_trans (entries i j) _; rewrite ler_pdivr_mulr; first by rewrite ler_pemulr.
exact: lt_le_trans ltr01 one.
Qed.

(** [counting.channel_with_one_outside_the_cone_costs_at_every_size]: w_j = sum_i S_ij is the weight
    of row j of T in the vector of ones. *)
Theorem one_outside_the_cone_costs (T S P : matrix) j e :
  stochastic T -> inverse T S -> \sum_i S i j < 0 -> allowed 1 0 T P ->
  errs_at_most (times P T) e -> error m 1 0 < e.
Proof.
have in01 : 0 <= (0 : R) < 1 by rewrite lexx ltr01.
have one : 1 <= (1 : R) by [].
move=> hT inv outside hP errs.
have uniform (a b : 'I_M) : @release R m 1 0 a b = M%:R^-1.
  by rewrite /release subr0 alpha_at_one expr1n invr1 mul0r addr0 mulr1 mul1r.
have same (Q : matrix) : private 1 0 Q -> forall a b c : 'I_M, Q a c = Q b c.
  move=> priv; have up (a b c : 'I_M) : (b == a.+1 :> nat) || (a == b.+1 :> nat) -> Q a c <= Q b c.
    by move=> near; have := priv a b near [set c]; rewrite /prob !big_set1 mul1r addr0.
  have step (a b c : 'I_M) : b = a.+1 :> nat -> Q a c = Q b c.
    by move=> ab; apply: eq_by; apply: up; rewrite ab eqxx ?orbT.
  have first (n : nat) (c : 'I_M) : (n < M)%N -> Q (inord n) c = Q ord0 c.
    elim: n => [|n IH] nM; first by congr (Q _ c); apply: val_inj; rewrite /= inordK.
    rewrite -(IH (ltnW nM)); symmetry; apply: step.
    by rewrite !inordK // ltnW.
  by move=> a b c; rewrite -(inord_val a) -(inord_val b) !first.
apply: (@entry_below_the_threshold_costs R m 1 0 T S P 0 ord0 j e) => //.
  move=> Q hQ privQ errsQ a b; have k0 : 0 < (1 : R) := ltr01.
  rewrite (same Q privQ a b b) (optimal_releases_share_the_diagonal k0 hQ privQ errsQ).
  have star := release_errs_by_the_error (1 : R) 0 b.
  have -> : 1 - error m (1 : R) 0 = @release R m 1 0 b b by rewrite -star opprB addrC subrK.
  by rewrite !uniform subrr normr0.
rewrite mul0r oppr0 /times; under eq_bigr do rewrite uniform.
by rewrite -mulr_sumr pmulr_rlt0 // invr_gt0 ltr0Sn.
Qed.

End Claims.
