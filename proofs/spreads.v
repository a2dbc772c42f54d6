(** How far one record moves the covariance of its class, in the second norm and in the first, that
    the bounds are attained, and what a changed label does to the weights. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify ring.
From provedp Require Import privacy optimum guarantees sensitivities records means.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Combinations.
Variable R : realFieldType.
Variable d : nat.
Notation I := 'I_d.
Implicit Types (u v w : I -> R) (l : seq (R * (I -> R))).

(** ** Definitions *)

(** Sums over the entries on and above the diagonal: of squares, and of absolute values. *)
Definition upper_square (E : I -> I -> R) : R := \sum_(i : I) \sum_(j : I | (i <= j)%N) E i j ^+ 2.
Definition upper_sum (E : I -> I -> R) : R := \sum_(i : I) \sum_(j : I | (i <= j)%N) `|E i j|.

(** ** Weighted sums of squares u uᵀ *)

Definition combination l (i j : I) : R := \sum_(r <- l) r.1 * (r.2 i * r.2 j).
Definition trace_bound l : R := \sum_(r <- l) `|r.1| * square r.2.

Lemma trace_bound_ge0 l : 0 <= trace_bound l.
Proof. by apply: sumr_ge0 => r _; rewrite mulr_ge0 ?square_ge0. Qed.

Lemma combination_in_frobenius l :
  \sum_i \sum_j combination l i j ^+ 2 <= trace_bound l ^+ 2.
Proof.
have -> : \sum_i \sum_j combination l i j ^+ 2 =
    \sum_(r <- l) \sum_(s <- l) r.1 * s.1 * dot r.2 s.2 ^+ 2.
  transitivity (\sum_i \sum_j \sum_(r <- l) \sum_(s <- l)
      r.1 * (r.2 i * r.2 j) * (s.1 * (s.2 i * s.2 j))).
    by apply: eq_bigr => i _; apply: eq_bigr => j _; rewrite expr2 /combination big_distrlr.
  under eq_bigr do rewrite exchange_big; rewrite exchange_big; apply: eq_bigr => r _.
  under eq_bigr do rewrite exchange_big; rewrite exchange_big; apply: eq_bigr => s _.
  rewrite expr2 /dot big_distrlr mulr_sumr; apply: eq_bigr => i _.
  by rewrite mulr_sumr; apply: eq_bigr => j _ /=; ring.
rewrite expr2 /trace_bound big_distrlr; apply: ler_sum => r _; apply: ler_sum => s _ /=.
apply: (@le_trans _ _ (`|r.1 * s.1| * dot r.2 s.2 ^+ 2)).
  by rewrite ler_wpmul2r ?sqr_ge0 // ler_norm.
rewrite normrM [X in _ <= X]mulrACA; apply: ler_wpmul2l (cauchy _ _); exact: mulr_ge0.
Qed.

Lemma upper_square_at_most E : upper_square E <= \sum_i \sum_j E i j ^+ 2.
Proof.
apply: ler_sum => i _; rewrite [X in _ <= X](bigID (fun j : I => (i <= j)%N)) /= ler_addl.
by apply: sumr_ge0 => j _; exact: sqr_ge0.
Qed.

Lemma sum_over_pairs (f : I -> R) :
  \sum_(i : I) \sum_(j : I | (i <= j)%N) (f i + f j) = d.+1%:R * \sum_i f i.
Proof.
transitivity (\sum_(i : I) \sum_(j : I) ((i <= j)%N%:R + (j <= i)%N%:R) * f i).
  transitivity (\sum_(i : I) \sum_(j : I) (i <= j)%N%:R * f i +
                \sum_(i : I) \sum_(j : I) (i <= j)%N%:R * f j).
    rewrite -big_split /=; apply: eq_bigr => i _; rewrite -big_split [LHS]big_mkcond /=.
    by apply: eq_bigr => j _; case: ifP => _; rewrite ?mul1r ?mul0r ?addr0.
  rewrite [X in _ + X]exchange_big -big_split /=; apply: eq_bigr => i _.
  by rewrite -big_split /=; apply: eq_bigr => j _; rewrite mulrDl.
rewrite mulr_sumr; apply: eq_bigr => i _; rewrite -mulr_suml; congr (_ * _).
transitivity (\sum_(j < d) (1 + (j == i)%:R) : R).
  apply: eq_bigr => j _; rewrite -val_eqE /=.
  by case: (ltngtP i j) => _; rewrite ?addr0 ?add0r.
rewrite big_split /= sumr_const card_ord -mulr_natl mulr1 mulrSr; congr (_ + _).
rewrite (bigD1 i) //= eqxx big1 ?addr0 // => j /negbTE ->.
by [].
Qed.

Lemma upper_sum_of_square v : (1 + 1) * upper_sum (fun i j => v i * v j) <= d.+1%:R * square v.
Proof.
rewrite -sum_over_pairs mulr_sumr; apply: ler_sum => i _; rewrite mulr_sumr; apply: ler_sum => j _.
rewrite normrM; apply: (@le_by _ ((`|v i| - `|v j|) ^+ 2)); last exact: sqr_ge0.
have own (a : R) : a * a = `|a| ^+ 2 by rewrite real_normK ?num_real // expr2.
by rewrite /= !own; move: `|v i| `|v j| => a b; ring.
Qed.

Lemma combination_in_sum l :
  (1 + 1) * upper_sum (combination l) <= d.+1%:R * trace_bound l.
Proof.
apply: (@le_trans _ _ (\sum_(r <- l) `|r.1| * ((1 + 1) * upper_sum (fun i j => r.2 i * r.2 j)))).
  under [X in _ <= X]eq_bigr do rewrite mulrCA; rewrite -mulr_sumr ler_pmul2l ?addr_gt0 ?ltr01 //.
  have -> : \sum_(r <- l) `|r.1| * upper_sum (fun i j => r.2 i * r.2 j) =
      \sum_(r <- l) \sum_(i : I) \sum_(j : I | (i <= j)%N) `|r.1| * `|r.2 i * r.2 j|.
    by apply: eq_bigr => r _; rewrite mulr_sumr; apply: eq_bigr => i _; rewrite mulr_sumr.
  rewrite [X in _ <= X]exchange_big; apply: ler_sum => i _.
  rewrite [X in _ <= X]exchange_big; apply: ler_sum => j _ /=.
  apply: le_trans (ler_norm_sum _ _ _) _; rewrite le_eqVlt; apply/orP; left; apply/eqP.
  by apply: eq_bigr => r _; rewrite normrM.
rewrite /trace_bound mulr_sumr; apply: ler_sum => r _; rewrite [X in _ <= X]mulrCA.
by rewrite ler_wpmul2l // upper_sum_of_square.
Qed.

End Combinations.

Section Covariances.
Variable R : realFieldType.
Variable d : nat.
Notation I := 'I_d.
Implicit Types (s t : seq (I -> R)) (x u : I -> R).

Lemma covariance_moves s t x i j : (1 < size (s ++ t))%N ->
  let n := count_of (s ++ t) in let m := mean (s ++ t) in
  covariance (s ++ x :: t) i j - covariance (s ++ t) i j =
  (x i - m i) * (x j - m j) / (n + 1) - scatter (s ++ t) i j / (n * (n - 1)).
Proof.
move=> more n m; have others : (0 < size (s ++ t))%N by apply: ltnW.
have n0 : 0 < n by rewrite ltr0n.
have n1 : 0 < n - 1 by rewrite subr_gt0 /n /count_of ltr1n.
have /eqP := scatter_moves x others i j; rewrite subr_eq => /eqP moved.
rewrite /covariance moved count_of_whole -/n -/m addrK.
move: (scatter _ _ _) (x i - m i) (x j - m j) n0 n1 => S a b; move: (n) => p p0 p1.
by field; rewrite !gt_eqF // addr_gt0 ?ltr01.
Qed.

(** [vvᵀ] and the scatter of the others, with their weights. *)
Let parts s t x : seq (R * (I -> R)) :=
  let n := count_of (s ++ t) in let m := mean (s ++ t) in
  ((n + 1)^-1, fun i => x i - m i) ::
  [seq (- (n * (n - 1))^-1, fun i => y i - m i) | y <- s ++ t].

Lemma covariance_moves_by_parts s t x i j : (1 < size (s ++ t))%N ->
  covariance (s ++ x :: t) i j - covariance (s ++ t) i j = combination (parts s t x) i j.
Proof.
move=> more; rewrite covariance_moves // /combination /parts big_cons big_map /= -mulr_sumr.
by rewrite -/(scatter (s ++ t) i j); ring.
Qed.

Lemma squares_around_mean t : (0 < size t)%N ->
  \sum_(y <- t) square (fun i => y i - mean t i) = \sum_(y <- t) square y - count_of t * square (mean t).
Proof.
move=> nonempty; rewrite /square /dot [LHS]exchange_big [X in _ = X - _]exchange_big /= mulr_sumr -sumrB.
by apply: eq_bigr => i _; rewrite -/(scatter t i i) scatter_by_sums // mulrA.
Qed.

(** The traces together, for a class of at least four. *)
Lemma traces_at_most (B : R) s t x : (2 < size (s ++ t))%N -> in_ball B (s ++ x :: t) ->
  trace_bound (parts s t x) <= 4%:R * B ^+ 2 / count_of (s ++ x :: t).
Proof.
move=> many inside; have others : (0 < size (s ++ t))%N by apply: ltn_trans many.
set n := count_of (s ++ t); set m := mean (s ++ t).
have n0 : 0 < n by rewrite ltr0n.
have n1 : 0 < n - 1 by rewrite subr_gt0 /n /count_of ltr1n (ltn_trans _ many).
have whole : 0 < n + 1 by rewrite addr_gt0 ?ltr01.
have n3 : 1 + 1 + 1 <= n by rewrite (_ : 1 + 1 + 1 = 3%:R :> R) ?ler_nat //; ring.
have here y : List.In y (s ++ t) \/ y = x -> square y <= B ^+ 2.
  move=> h; apply: inside; rewrite List.in_app_iff /=.
  by case: h => [|->]; [rewrite List.in_app_iff; case; auto | auto].
have hx : square x <= B ^+ 2 by apply: here; right.
have sum : \sum_(y <- s ++ t) square y <= n * B ^+ 2.
  rewrite /n /count_of -sum_of_constant; apply: (sum_over (P := fun y => square y <= B ^+ 2)) => // y ys.
  by apply: here; left.
have -> : trace_bound (parts s t x) = square (fun i => x i - m i) / (n + 1) +
    (\sum_(y <- s ++ t) square y - n * square m) / (n * (n - 1)).
  rewrite /trace_bound big_cons big_map /= -mulr_sumr squares_around_mean // normrN.
  by rewrite !gtr0_norm ?invr_gt0 ?mulr_gt0 // -/n -/m; congr (_ + _); rewrite mulrC.
have total := square_ge0 (fun i => 1 * x i - (- 1) * m i); rewrite square_of_combination in total.
have -> : square (fun i => x i - m i) = square (fun i => 1 * x i - 1 * m i).
  by apply: eq_bigr => i _; rewrite !mul1r.
rewrite square_of_combination count_of_whole -/n.
have hm : square m <= B ^+ 2 by apply: mean_in_ball => // y ys; apply: here; left.
move: (square x) (square m) (dot x m) (\sum_(y <- _) _) hx hm sum total => a b e T hx hm sum total.
apply: (@le_trans _ _ ((1 ^+ 2 * a + 1 ^+ 2 * b - (1 + 1) * 1 * 1 * e) / (n + 1) +
                       (1 + 1) * (B ^+ 2 - b) / (n + 1))).
  rewrite ler_add2l ler_pdivl_mulr // mulrAC ler_pdivr_mulr ?mulr_gt0 //.
  apply: (@le_by _ ((n * B ^+ 2 - T) * (n + 1) + n * (B ^+ 2 - b) * (n - (1 + 1 + 1)))); first by ring.
  by apply: addr_ge0; rewrite !mulr_ge0 ?subr_ge0 // ltW.
rewrite -mulrDl ler_pmul2r ?invr_gt0 //.
by apply: (@le_by _ (_ + (1 + 1) * (B ^+ 2 - a)) _ _ _ (addr_ge0 total _)); [ring | nonneg].
Qed.

(** [mixture.covariances_move_at_most_so_far] *)
Theorem covariances_move_at_most_so_far (B : R) s t x : (2 < size (s ++ t))%N ->
  in_ball B (s ++ x :: t) ->
  let moved i j := covariance (s ++ x :: t) i j - covariance (s ++ t) i j in
  let most := 4%:R * B ^+ 2 / count_of (s ++ x :: t) in
  [/\ \sum_i \sum_j moved i j ^+ 2 <= most ^+ 2, upper_square moved <= most ^+ 2 &
      upper_sum moved <= d.+1%:R / (1 + 1) * most].
Proof.
move=> many inside moved most; have more : (1 < size (s ++ t))%N by apply: ltn_trans many.
have e i j : moved i j = combination (parts s t x) i j by exact: covariance_moves_by_parts.
have bound := traces_at_most many inside; rewrite -/most in bound.
have two : (0 : R) < 1 + 1 by positive.
have all : \sum_i \sum_j moved i j ^+ 2 <= most ^+ 2.
  apply: le_trans (_ : trace_bound (parts s t x) ^+ 2 <= _).
    apply: le_trans (combination_in_frobenius _); rewrite le_eqVlt; apply/orP; left; apply/eqP.
    by apply: eq_bigr => i _; apply: eq_bigr => j _; rewrite e.
  by rewrite ler_expn2r ?nnegrE ?trace_bound_ge0 // (le_trans (trace_bound_ge0 _) bound).
split=> //; first exact: le_trans (upper_square_at_most _) all.
rewrite -(ler_pmul2l two) mulrA (mulrC (1 + 1) (_ / _)) divfK ?gt_eqF //.
apply: le_trans (ler_wpmul2l (ler0n _ _) bound); apply: le_trans (combination_in_sum _).
rewrite ler_pmul2l // le_eqVlt; apply/orP; left; apply/eqP.
by apply: eq_bigr => i _; apply: eq_bigr => j _; rewrite e.
Qed.

(** ** The bounds are attained *)

Section Attained.
Variables (B : R) (n : nat) (u : I -> R).
Let others : seq (I -> R) := nseq n (fun i => B * u i).
Let leaving : I -> R := fun i => - (B * u i).
Hypothesis n0 : (0 < n)%N.

Let full : (0 < size ([::] ++ others))%N. Proof. by rewrite size_nseq. Qed.

Lemma mean_of_same i : mean others i = B * u i.
Proof.
rewrite /mean (_ : \sum_(y <- others) y i = count_of others * (B * u i)).
  by rewrite mulrC mulKf // pnatr_eq0 size_nseq -lt0n.
rewrite /others /count_of size_nseq; elim: (n) => [|p IH] /=; first by rewrite big_nil mul0r.
by rewrite big_cons IH mulrSr mulrDl mul1r addrC.
Qed.

Lemma scatter_of_same i j : scatter others i j = 0.
Proof.
rewrite /scatter; under eq_bigr do rewrite !mean_of_same.
rewrite /others; elim: (n) => [|p IH] /=; first by rewrite big_nil.
by rewrite big_cons IH subrr mul0r addr0.
Qed.

Lemma means_attain i :
  mean (leaving :: others) i - mean others i = - ((1 + 1) * B * u i / count_of (leaving :: others)).
Proof. by rewrite (@mean_moves _ _ [::] others leaving full) mean_of_same /leaving /=; ring. Qed.

Lemma covariances_attain i j : (1 < n)%N ->
  covariance (leaving :: others) i j - covariance others i j =
  4%:R * B ^+ 2 / count_of (leaving :: others) * (u i * u j).
Proof.
move=> n1; have more : (1 < size ([::] ++ others))%N by rewrite size_nseq.
rewrite (@covariance_moves [::] others leaving i j more) /= scatter_of_same mul0r subr0.
rewrite !mean_of_same /leaving (@count_of_whole _ _ [::] others leaving) /=; ring.
Qed.

End Attained.

(** [mixture.mean_sensitivity_is_attained], in the first norm *)
Theorem means_attain_the_first_norm (B a : R) (n : nat) : (0 < n)%N -> d%:R * a ^+ 2 = 1 ->
  let others := nseq n (fun _ : I => B * a) in let whole := (fun _ : I => - (B * a)) :: others in
  (\sum_i `|mean whole i - mean others i|) ^+ 2 = d%:R * ((1 + 1) * B / count_of whole) ^+ 2.
Proof.
move=> n0 unit others whole.
have e i : `|mean whole i - mean others i| = `|(1 + 1) * B * a / count_of whole|.
  by rewrite (means_attain B (fun=> a) n0) normrN.
rewrite (eq_bigr _ (fun i _ => e i)) sumr_const card_ord -[X in X ^+ 2 = _]mulr_natl.
rewrite exprMn real_normK ?num_real //.
rewrite -[RHS]mul1r -[X in _ = X * _]unit; move: (count_of _) => N; ring.
Qed.

(** [mixture.covariance_sensitivity_is_attained] *)
Theorem covariances_attain_both_norms (B : R) (n : nat) : (1 < n)%N ->
  let most := 4%:R * B ^+ 2 / n.+1%:R in
  let moved u i j := let others := nseq n (fun i : I => B * u i) in
    covariance ((fun i => - (B * u i)) :: others) i j - covariance others i j in
  (forall k : I, upper_square (moved (fun i => (i == k)%:R)) = most ^+ 2) /\
  (forall a, d%:R * a ^+ 2 = 1 -> upper_sum (moved (fun=> a)) = d.+1%:R / (1 + 1) * most).
Proof.
move=> n1 most moved; have n0 : (0 < n)%N by apply: ltnW.
have two : (0 : R) < 1 + 1 by positive.
have e u i j : moved u i j = most * (u i * u j).
  by rewrite /moved covariances_attain // /most /count_of /= size_nseq.
split=> [k|a unit].
  rewrite /upper_square (bigD1 k) //= [X in _ + X]big1 ?addr0 => [|i /negbTE ik].
    rewrite (bigD1 k) //= big1 => [|j /andP[_ /negbTE jk]]; first by rewrite addr0 e eqxx !mulr1.
    by rewrite e jk !mulr0 expr0n.
  by rewrite big1 // => j _; rewrite e ik mul0r mulr0 expr0n.
have most0 : 0 <= most by rewrite /most; apply: divr_ge0; rewrite ?ler0n // mulr_ge0 ?ler0n ?sqr_ge0.
clearbody most; pose c (_ : I) := most * a ^+ 2 / (1 + 1).
transitivity (\sum_(i : I) \sum_(j : I | (i <= j)%N) (c i + c j)).
  apply: eq_bigr => i _; apply: eq_bigr => j _; rewrite e /= -expr2 ger0_norm; last exact: mulr_ge0 most0 (sqr_ge0 a).
  by rewrite /c; field.
rewrite sum_over_pairs sumr_const card_ord -[X in _ * X = _]mulr_natl -[RHS]mulr1 -[X in _ = _ * X]unit /c.
by field.
Qed.

End Covariances.

(** [mixture.every_flip_moves_the_weights_equally]: the label of one of N records changes *)
Theorem every_flip_moves_the_weights_equally (R : realFieldType) (K : finType) (s t : seq K) (a b : K) :
  a != b ->
  let weight l k : R := (count_mem k l)%:R / (size l)%:R in
  let moved k := weight (s ++ a :: t) k - weight (s ++ b :: t) k in
  let N := (size (s ++ a :: t))%:R in
  \sum_k `|moved k| = (1 + 1) / N /\ \sum_k moved k ^+ 2 = (1 + 1) / N ^+ 2.
Proof.
move=> ab weight moved N.
have N0 : 0 < N by rewrite ltr0n size_cat /= addnS.
have e k : moved k = ((a == k)%:R - (b == k)%:R) / N.
  have same : size (s ++ b :: t) = size (s ++ a :: t) by rewrite !size_cat.
  rewrite /moved /weight same -mulrBl -/N; congr (_ / _); rewrite !count_cat /= !natrD; ring.
have sum (f : R -> R) : f 0 = 0 -> \sum_k f (moved k) = f N^-1 + f (- N^-1).
  move=> f0; rewrite (bigD1 a) //= (bigD1 b) /= 1?eq_sym // big1 => [|k /andP[ka kb]].
    by rewrite !e !eqxx (negbTE ab) eq_sym (negbTE ab) sub0r subr0 mulNr !mul1r addr0.
  by rewrite e ![_ == k]eq_sym (negbTE ka) (negbTE kb) subrr mul0r.
split; first by rewrite (sum (fun y => `|y|)) ?normr0 // normrN gtr0_norm ?invr_gt0 // mulrDl mul1r.
by rewrite (sum (fun y => y ^+ 2)) ?expr0n // sqrrN exprVn mulrDl mul1r.
Qed.
