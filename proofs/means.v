(** How far one record moves the mean, the scatter and the covariance of its class. Records are
    vectors in a ball, functions on a finite set of coordinates; a class is a list of them. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify ring.
From provedp Require Import privacy optimum guarantees sensitivities.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Means.
Variable R : realFieldType.
Variable I : finType.
Implicit Types (x y : I -> R) (s t : seq (I -> R)).

Definition count_of s : R := (size s)%:R.
Definition mean s (i : I) : R := (\sum_(x <- s) x i) / count_of s.

(** Σ (x − μ)(x − μ)ᵀ, and the covariance, with N − 1. *)
Definition scatter s (i j : I) : R := \sum_(x <- s) (x i - mean s i) * (x j - mean s j).
Definition covariance s (i j : I) : R := scatter s i j / (count_of s - 1).

Definition in_ball (B : R) s : Prop := forall x, List.In x s -> square x <= B ^+ 2.

(** ** Sums *)

Lemma sum_over (T : Type) (l : seq T) (f g : T -> R) (P : T -> Prop) :
  (forall a, P a -> f a <= g a) -> (forall a, List.In a l -> P a) ->
  \sum_(a <- l) f a <= \sum_(a <- l) g a.
Proof.
move=> h; elim: l => [|a l IH] all; first by rewrite !big_nil.
rewrite !big_cons ler_add ?IH //; first by apply/h/all; left.
by move=> b bl; apply: all; right.
Qed.

Lemma sum_of_constant (T : Type) (l : seq T) (c : R) : \sum_(a <- l) c = (size l)%:R * c.
Proof. by rewrite big_const_seq count_predT iter_addr addr0 mulr_natl. Qed.

Lemma sum_squared (T : Type) (l : seq T) (f : T -> R) :
  (\sum_(a <- l) f a) ^+ 2 <= (size l)%:R * \sum_(a <- l) f a ^+ 2.
Proof.
case: l => [|a0 l]; first by rewrite !big_nil expr0n /= mul0r.
move: (a0 :: l) (ltn0Sn (size l) : (0 < size (a0 :: l))%N) => {a0} {}l nonempty.
set n := (size l)%:R; set S := \sum_(a <- l) f a; set Q := \sum_(a <- l) _.
have n0 : 0 < n by rewrite ltr0n.
have : 0 <= \sum_(a <- l) (n * f a - S) ^+ 2 by apply: sumr_ge0 => a _; exact: sqr_ge0.
have -> : \sum_(a <- l) (n * f a - S) ^+ 2 = n * (n * Q - S ^+ 2).
  transitivity (\sum_(a <- l) (n ^+ 2 * f a ^+ 2 - (1 + 1) * n * S * f a + S ^+ 2)).
    by apply: eq_bigr => a _; ring.
  rewrite big_split sumrB /= -!mulr_sumr -/Q -/S sum_of_constant -/n; ring.
by rewrite pmulr_rge0 // subr_ge0.
Qed.

(** [modes.averaging_does_not_lengthen] *)
Theorem averaging_does_not_lengthen s : square (mean s) <= (\sum_(x <- s) square x) / count_of s.
Proof.
case: s => [|x0 s].
  by rewrite /square /dot big_nil mul0r big1 // => i _; rewrite /mean big_nil !mul0r.
move: (x0 :: s) (ltn0Sn (size s) : (0 < size (x0 :: s))%N) => {x0} {}s nonempty.
have n0 : 0 < count_of s by rewrite ltr0n.
rewrite ler_pdivl_mulr // /square /dot exchange_big /= mulr_suml; apply: ler_sum => i _.
have -> : mean s i * mean s i * count_of s = (\sum_(x <- s) x i) ^+ 2 / count_of s.
  by rewrite /mean; field; rewrite gt_eqF.
rewrite ler_pdivr_mulr // [X in _ <= X]mulrC; under [X in _ <= _ * X]eq_bigr do rewrite -expr2.
exact: sum_squared.
Qed.

Lemma mean_in_ball (B : R) s : (0 < size s)%N -> in_ball B s -> square (mean s) <= B ^+ 2.
Proof.
move=> nonempty inside; apply: le_trans (averaging_does_not_lengthen s) _.
rewrite ler_pdivr_mulr ?ltr0n // mulrC -sum_of_constant.
exact: (sum_over (P := fun x => square x <= B ^+ 2)).
Qed.

Lemma apart_in_ball (B : R) x y : square x <= B ^+ 2 -> square y <= B ^+ 2 ->
  square (fun i => x i - y i) <= ((1 + 1) * B) ^+ 2.
Proof.
move=> hx hy; have := square_ge0 (fun i => 1 * x i - (- 1) * y i).
rewrite square_of_combination => sum.
have -> : square (fun i => x i - y i) = square (fun i => 1 * x i - 1 * y i).
  by apply: eq_bigr => i _; rewrite !mul1r.
rewrite square_of_combination.
apply: (@le_by _ ((1 + 1) * (B ^+ 2 - square x) + (1 + 1) * (B ^+ 2 - square y) +
  (1 ^+ 2 * square x + (- 1) ^+ 2 * square y - (1 + 1) * 1 * (- 1) * dot x y))); first by ring.
by apply: addr_ge0 => //; nonneg.
Qed.

Lemma scaled_square (c : R) x : square (fun i => x i / c) = square x / c ^+ 2.
Proof.
by rewrite /square /dot mulr_suml; apply: eq_bigr => i _; rewrite -exprVn; ring.
Qed.

(** ** A record that leaves or joins *)

Section Leaving.
Variables (s t : seq (I -> R)) (x : I -> R).
Hypothesis others : (0 < size (s ++ t))%N.
Let whole := s ++ x :: t.
Let rest := s ++ t.

Lemma count_of_whole : count_of whole = count_of rest + 1.
Proof. by rewrite /count_of /whole /rest !size_cat /= addnS mulrSr. Qed.

Lemma rest_gt0 : 0 < count_of rest.
Proof. by rewrite ltr0n. Qed.

Lemma whole_gt0 : 0 < count_of whole.
Proof. by rewrite count_of_whole addr_gt0 ?ltr01 ?rest_gt0. Qed.

Lemma sum_of_whole (f : (I -> R) -> R) : \sum_(y <- whole) f y = \sum_(y <- rest) f y + f x.
Proof. by rewrite /whole /rest !big_cat big_cons /=; ring. Qed.

Lemma sum_of_rest i : \sum_(y <- rest) y i = count_of rest * mean rest i.
Proof. by rewrite /mean mulrC divfK // gt_eqF ?rest_gt0. Qed.

Lemma mean_moves i : mean whole i - mean rest i = (x i - mean rest i) / count_of whole.
Proof.
rewrite {1}/mean (sum_of_whole (fun y => y i)) sum_of_rest count_of_whole; field.
by rewrite gt_eqF // -count_of_whole whole_gt0.
Qed.

(** How far the mean moves, for a record in the ball and others in it. *)
Lemma mean_moves_at_most (B : R) : in_ball B whole ->
  square (fun i => mean whole i - mean rest i) <= ((1 + 1) * B / count_of whole) ^+ 2.
Proof.
move=> inside.
have -> : square (fun i => mean whole i - mean rest i) =
          square (fun i => (x i - mean rest i) / count_of whole).
  by apply: eq_bigr => i _; rewrite mean_moves.
rewrite scaled_square expr_div_n ler_pmul2r ?invr_gt0 ?exprn_gt0 ?whole_gt0 //.
have here y : List.In y rest \/ y = x -> square y <= B ^+ 2.
  move=> h; apply: inside; rewrite /whole List.in_app_iff /=.
  by case: h => [|->]; [rewrite /rest List.in_app_iff; case; auto | auto].
apply: apart_in_ball; first by apply: here; right.
by apply: mean_in_ball => // y yr; apply: here; left.
Qed.

Lemma scatter_by_sums (u : seq (I -> R)) i j : (0 < size u)%N ->
  scatter u i j = \sum_(y <- u) y i * y j - count_of u * mean u i * mean u j.
Proof.
move=> nonempty; have n0 : count_of u != 0 by rewrite pnatr_eq0 -lt0n.
have sums l : \sum_(y <- u) y l = count_of u * mean u l by rewrite /mean mulrC divfK.
transitivity (\sum_(y <- u) (y i * y j - (mean u j * y i + mean u i * y j) + mean u i * mean u j)).
  by apply: eq_bigr => y _; ring.
by rewrite big_split sum_of_constant sumrB big_split /= -!mulr_sumr !sums -/(count_of u); ring.
Qed.

Lemma scatter_moves i j : scatter whole i j - scatter rest i j =
  (count_of whole - 1) / count_of whole * ((x i - mean rest i) * (x j - mean rest j)).
Proof.
have nonempty : (0 < size whole)%N by rewrite /whole size_cat /= addnS.
have sums : \sum_(y <- whole) y i * y j = \sum_(y <- rest) y i * y j + x i * x j.
  exact: (sum_of_whole (fun y => y i * y j)).
rewrite !scatter_by_sums // sums.
have m l : mean whole l = mean rest l + (x l - mean rest l) / count_of whole.
  by rewrite -mean_moves addrC subrK.
rewrite !m count_of_whole; move: (\sum_(y <- rest) _) => S; field.
by rewrite gt_eqF // -count_of_whole whole_gt0.
Qed.

End Leaving.

(** [mixture.flips_move_means_by_so_much], of a class that a record leaves or joins: its size
    before is [count_of (s ++ x :: t)], or [count_of (s ++ t)]. *)
Theorem flips_move_means_by_so_much (B : R) s t x : (0 < size (s ++ t))%N ->
  in_ball B (s ++ x :: t) ->
  square (fun i => mean (s ++ x :: t) i - mean (s ++ t) i) <=
    ((1 + 1) * B / count_of (s ++ x :: t)) ^+ 2 /\
  square (fun i => mean (s ++ t) i - mean (s ++ x :: t) i) <=
    ((1 + 1) * B / (count_of (s ++ t) + 1)) ^+ 2.
Proof.
move=> others inside; have h := mean_moves_at_most others inside; split=> //.
rewrite -(count_of_whole s t x); apply: le_trans h; rewrite le_eqVlt; apply/orP; left; apply/eqP.
by apply: eq_bigr => i _; rewrite -mulrNN !opprB.
Qed.

(** Both are attained, by a record on the sphere and all others opposite. *)
Theorem flips_attain_the_move (B : R) (n : nat) x : (0 < n)%N -> square x = B ^+ 2 ->
  let others := nseq n (fun i => - x i) in
  square (fun i => mean (x :: others) i - mean others i) =
    ((1 + 1) * B / count_of (x :: others)) ^+ 2.
Proof.
move=> n0 hx others.
have full : (0 < size ([::] ++ others))%N by rewrite size_nseq.
have m i : mean others i = - x i.
  rewrite /mean (_ : \sum_(y <- others) y i = count_of others * - x i).
    by rewrite mulrC mulKf // pnatr_eq0 size_nseq -lt0n.
  rewrite /others /count_of size_nseq; elim: n {n0 full others} => [|n IH] /=.
    by rewrite big_nil mul0r.
  by rewrite big_cons IH mulrSr; ring.
transitivity (square (fun i => ((1 + 1) * x i) / count_of (x :: others))).
  apply: eq_bigr => i _; rewrite (@mean_moves [::] others x full) m /=; congr (_ * _); ring.
rewrite scaled_square expr_div_n; congr (_ / _); rewrite exprMn -hx /square /dot mulr_sumr.
by apply: eq_bigr => i _; ring.
Qed.

(** [mixture.admissible_flips_move_means_by_half_the_radius]: from a class of at least four to one
    of at least three *)
Theorem admissible_flips_move_means_by_half_the_radius (B : R) s t x : in_ball B (s ++ x :: t) ->
  ((3 < size (s ++ x :: t))%N \/ (2 < size (s ++ t))%N) ->
  square (fun i => mean (s ++ x :: t) i - mean (s ++ t) i) <= (B / (1 + 1)) ^+ 2.
Proof.
move=> inside large; have four : (3 < size (s ++ x :: t))%N.
  by case: large => //; rewrite !size_cat /= addnS.
have others : (0 < size (s ++ t))%N by move: four; rewrite !size_cat /= addnS; lia.
have [h _] := flips_move_means_by_so_much others inside; apply: le_trans h _.
have n4 : (1 + 1) * (1 + 1) <= count_of (s ++ x :: t).
  have -> : (1 + 1) * (1 + 1) = 4%:R :> R by ring.
  by rewrite ler_nat.
have two : (0 : R) < 1 + 1 by positive.
have n0 : 0 < count_of (s ++ x :: t) by apply: lt_le_trans n4; rewrite mulr_gt0.
have -> : ((1 + 1) * B / count_of (s ++ x :: t)) ^+ 2 = B ^+ 2 * ((1 + 1) / count_of (s ++ x :: t)) ^+ 2.
  by rewrite !expr_div_n exprMn; ring.
have -> : (B / (1 + 1)) ^+ 2 = B ^+ 2 * (1 / (1 + 1)) ^+ 2 by rewrite !expr_div_n expr1n; ring.
rewrite ler_wpmul2l ?sqr_ge0 // ler_expn2r ?nnegrE ?divr_ge0 ?ler01 ?(ltW two) ?(ltW n0) //.
by rewrite ler_pdivr_mulr // mulrAC ler_pdivl_mulr // mul1r.
Qed.

(** [mixture.scalable_variant_covers_every_flip]: the noise of variance v in each direction meets
    the condition on the mean, Δᵀ Γ Δ = |Δ|²/v <= ε²/(2 L) with L = ln(4/δ). *)
Theorem scalable_variant_covers_every_flip (B e L : R) s t x : (0 < size (s ++ t))%N ->
  0 < B -> 0 < e -> 0 < L -> in_ball B (s ++ x :: t) ->
  let moved := square (fun i => mean (s ++ x :: t) i - mean (s ++ t) i) in
  let variance n := 8%:R * B ^+ 2 * L / ((n - 1) ^+ 2 * e ^+ 2) in
  moved / variance (count_of (s ++ x :: t)) <= e ^+ 2 / ((1 + 1) * L) /\
  ((1 < size (s ++ t))%N -> moved / variance (count_of (s ++ t)) <= e ^+ 2 / ((1 + 1) * L)).
Proof.
move=> others B0 e0 L0 inside moved variance.
have [h _] := flips_move_means_by_so_much others inside; rewrite -/moved in h.
have whole := count_of_whole s t x; have rest : 0 < count_of (s ++ t) by rewrite ltr0n.
have two : (0 : R) < 1 + 1 by positive.
have one (n : R) : 0 < n - 1 -> n - 1 <= count_of (s ++ x :: t) ->
    moved / variance n <= e ^+ 2 / ((1 + 1) * L).
  move=> n1 small.
  have v0 : 0 < variance n by rewrite divr_gt0 ?mulr_gt0 ?exprn_gt0 ?ltr0n.
  rewrite ler_pdivr_mulr //; apply: le_trans h _.
  have -> : e ^+ 2 / ((1 + 1) * L) * variance n = ((1 + 1) * B / (n - 1)) ^+ 2.
    have -> : variance n = (1 + 1) * (1 + 1) * (1 + 1) * B ^+ 2 * L / ((n - 1) ^+ 2 * e ^+ 2).
      by rewrite /variance; congr (_ * _ * _ / _); ring.
    by field; rewrite !gt_eqF.
  have all0 : 0 <= count_of (s ++ x :: t) by rewrite whole addr_ge0 ?ler01 // ltW.
  rewrite ler_expn2r ?nnegrE ?divr_ge0 ?mulr_ge0 ?(ltW B0) ?(ltW two) ?(ltW n1) //.
  by rewrite ler_pmul2l ?mulr_gt0 // lef_pinv ?posrE // whole addr_gt0 ?ltr01.
split; first by apply: one; rewrite whole addrK // ler_addl ler01.
move=> more; apply: one.
  by rewrite subr_gt0 /count_of ltr1n.
by rewrite whole ler_subl_addr -addrA ler_addl addr_ge0 ?ler01.
Qed.

(** ** Scatter and covariance *)

(** [mixture.flip_moves_the_scatter_by_a_square] *)
Theorem flip_moves_the_scatter_by_a_square (B : R) s t x : (0 < size (s ++ t))%N ->
  0 < B -> in_ball B (s ++ x :: t) ->
  let v i := x i - mean (s ++ t) i in
  let c := (count_of (s ++ x :: t) - 1) / count_of (s ++ x :: t) in
  let E i j := scatter (s ++ x :: t) i j - scatter (s ++ t) i j in
  [/\ forall i j, E i j = c * (v i * v j),
      forall u : I -> R, 0 <= \sum_i \sum_j u i * E i j * u j,
      square (fun ij : I * I => E ij.1 ij.2) = (c * square v) ^+ 2 & 0 <= c * square v < 4%:R * B ^+ 2].
Proof.
move=> others B0 inside v c E.
have whole := count_of_whole s t x; have rest : 0 < count_of (s ++ t) by rewrite ltr0n.
have n0 : 0 < count_of (s ++ x :: t) by rewrite whole addr_gt0 ?ltr01.
have entry i j : E i j = c * (v i * v j) by exact: scatter_moves.
have c0 : 0 < c by rewrite /c divr_gt0 // whole addrK.
have c1 : c < 1 by rewrite ltr_pdivr_mulr // mul1r ltr_subl_addr ltr_addl ltr01.
split=> //.
- move=> u; have -> : \sum_i \sum_j u i * E i j * u j = c * (\sum_i u i * v i) ^+ 2.
    rewrite expr2 mulr_suml mulr_sumr; apply: eq_bigr => i _.
    by rewrite mulr_sumr mulr_sumr; apply: eq_bigr => j _; rewrite entry; ring.
  by rewrite mulr_ge0 ?sqr_ge0 // ltW.
- rewrite exprMn [X in _ = _ * X]expr2 /square /dot -(pair_bigA _ (fun i j => E i j * E i j)) /=.
  rewrite mulr_suml mulr_sumr; apply: eq_bigr => i _; rewrite mulr_sumr mulr_sumr.
  by apply: eq_bigr => j _; rewrite entry; ring.
rewrite mulr_ge0 ?square_ge0 ?(ltW c0) //=.
have far : square v <= 4%:R * B ^+ 2.
  have -> : 4%:R * B ^+ 2 = ((1 + 1) * B) ^+ 2 by ring.
  have here y : List.In y (s ++ t) \/ y = x -> square y <= B ^+ 2.
    move=> h; apply: inside; rewrite List.in_app_iff /=.
    by case: h => [|->]; [rewrite List.in_app_iff; case; auto | auto].
  apply: apart_in_ball; first by apply: here; right.
  by apply: mean_in_ball => // y yr; apply: here; left.
have top : 0 < 4%:R * B ^+ 2 by rewrite mulr_gt0 ?ltr0n ?exprn_gt0.
apply: le_lt_trans (ler_wpmul2l (ltW c0) far) _.
by rewrite gtr_pmull.
Qed.

(** [mixture.changed_record_moves_a_covariance_by_two_squares] *)
Theorem changed_record_moves_a_covariance_by_two_squares s t x y i j : (0 < size (s ++ t))%N ->
  let m := mean (s ++ t) in
  covariance (s ++ y :: t) i j - covariance (s ++ x :: t) i j =
    ((y i - m i) * (y j - m j) - (x i - m i) * (x j - m j)) / count_of (s ++ x :: t).
Proof.
move=> others m; have rest : 0 < count_of (s ++ t) by rewrite ltr0n.
have same : count_of (s ++ y :: t) = count_of (s ++ x :: t) by rewrite /count_of !size_cat.
have := scatter_moves x others i j; have := scatter_moves y others i j.
rewrite same (count_of_whole s t x) addrK => /eqP; rewrite subr_eq => /eqP hy /eqP.
rewrite subr_eq => /eqP hx; rewrite /covariance same (count_of_whole s t x) addrK hx hy /m.
by field; rewrite !gt_eqF // addr_gt0 ?ltr01.
Qed.

(** [mixture.changed_record_moves_a_covariance_by_so_much]: the trace *)
Theorem changed_record_moves_a_trace_by_so_much (B : R) s t x y : (0 < size (s ++ t))%N ->
  in_ball B (s ++ x :: t) -> square y <= B ^+ 2 ->
  `|\sum_i (covariance (s ++ y :: t) i i - covariance (s ++ x :: t) i i)| <=
    4%:R * B ^+ 2 / count_of (s ++ x :: t).
Proof.
move=> others inside hy; have rest : 0 < count_of (s ++ t) by rewrite ltr0n.
have n0 : 0 < count_of (s ++ x :: t) by rewrite count_of_whole addr_gt0 ?ltr01.
set m := mean (s ++ t).
have -> : \sum_i (covariance (s ++ y :: t) i i - covariance (s ++ x :: t) i i) =
    (square (fun i => y i - m i) - square (fun i => x i - m i)) / count_of (s ++ x :: t).
  rewrite /square /dot -sumrB mulr_suml; apply: eq_bigr => i _.
  by rewrite changed_record_moves_a_covariance_by_two_squares.
have here z : List.In z (s ++ t) \/ z = x -> square z <= B ^+ 2.
  move=> h; apply: inside; rewrite List.in_app_iff /=.
  by case: h => [|->]; [rewrite List.in_app_iff; case; auto | auto].
have hm : square m <= B ^+ 2 by apply: mean_in_ball => // z zr; apply: here; left.
have hx : square x <= B ^+ 2 by apply: here; right.
have four : 4%:R * B ^+ 2 = ((1 + 1) * B) ^+ 2 by ring.
have u4 := apart_in_ball hy hm; have v4 := apart_in_ball hx hm; rewrite -four in u4 v4.
have u0 := square_ge0 (fun i => y i - m i); have v0 := square_ge0 (fun i => x i - m i).
rewrite normrM normfV (ger0_norm (ltW n0)) ler_pmul2r ?invr_gt0 // ler_norml; apply/andP; split.
  by rewrite ler_subr_addl ler_subl_addr (le_trans v4) // ler_addr.
by rewrite ler_subl_addr (le_trans u4) // ler_addl.
Qed.

(** ** Norms *)

(** [mixture.second_norm_is_at_most_the_first] *)
Theorem second_norm_is_at_most_the_first x : square x <= (\sum_i `|x i|) ^+ 2.
Proof.
rewrite expr2 mulr_suml; apply: ler_sum => i _.
rewrite -expr2 -real_normK ?num_real // expr2 ler_wpmul2l //.
by rewrite (bigD1 i) //= ler_addl; apply: sumr_ge0.
Qed.

(** [mixture.means_move_at_most_so_far]: in the second norm, and in the first by the number of
    coordinates *)
Theorem means_move_at_most_so_far (B : R) s t x : (0 < size (s ++ t))%N ->
  in_ball B (s ++ x :: t) ->
  let moved i := mean (s ++ x :: t) i - mean (s ++ t) i in
  square moved <= ((1 + 1) * B / count_of (s ++ x :: t)) ^+ 2 /\
  (\sum_i `|moved i|) ^+ 2 <= #|I|%:R * ((1 + 1) * B / count_of (s ++ x :: t)) ^+ 2.
Proof.
move=> others inside moved; have [h _] := flips_move_means_by_so_much others inside; split=> //.
apply: le_trans (ler_wpmul2l (ler0n _ _) h); rewrite cardE -/moved.
have := sum_squared (enum I) (fun i => `|moved i|); rewrite !big_enum /= => /le_trans; apply.
rewrite ler_wpmul2l ?ler0n // le_eqVlt; apply/orP; left; apply/eqP/eq_bigr => i _.
by rewrite real_normK ?num_real // expr2.
Qed.

End Means.
