(** How far one record moves what noise is added to: means of vectors in a ball, clipped vectors,
    integers under geometric noise. Vectors are functions on a finite set; norms are squared, or a
    number whose square is the sum of squares. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify ring.
From provedp Require Import privacy optimum guarantees.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Vectors.
Variable R : realFieldType.
Variable I : finType.
Implicit Types v w x y : I -> R.

Definition dot v w : R := \sum_i v i * w i.
Definition square v : R := dot v v.

Lemma square_ge0 v : 0 <= square v.
Proof. by apply: sumr_ge0 => i _; rewrite -expr2 sqr_ge0. Qed.

Lemma square_of_combination (a b : R) v w :
  square (fun i => a * v i - b * w i) =
  a ^+ 2 * square v + b ^+ 2 * square w - (1 + 1) * a * b * dot v w.
Proof.
rewrite /square /dot !mulr_sumr -big_split -sumrB /=; apply: eq_bigr => i _.
by ring.
Qed.

(** Cauchy and Schwarz, with norms r and s. *)
Lemma dot_at_most (r s : R) v w :
  0 <= r -> 0 <= s -> square v = r ^+ 2 -> square w = s ^+ 2 -> dot v w <= r * s.
Proof.
move=> r0 s0 hv hw.
have zero x : square x = 0 -> forall i, x i = 0.
  move=> e i; have /eqP := psumr_eq0P (fun j _ => sqr_ge0 (x j)) e (i := i) isT.
  by rewrite sqrf_eq0 => /eqP.
have [r_eq|r_pos] := eqVneq r 0.
  rewrite r_eq mul0r /dot big1 // => i _.
  by rewrite (zero v) ?mul0r // hv r_eq expr0n.
have [s_eq|s_pos] := eqVneq s 0.
  rewrite s_eq mulr0 /dot big1 // => i _.
  by rewrite (zero w) ?mulr0 // hw s_eq expr0n.
have rs : 0 < r * s by rewrite mulr_gt0 // lt0r ?r_pos ?s_pos.
have := square_ge0 (fun i => s * v i - r * w i); rewrite square_of_combination hv hw.
have -> : s ^+ 2 * r ^+ 2 + r ^+ 2 * s ^+ 2 - (1 + 1) * s * r * dot v w =
          (1 + 1) * (r * s) * (r * s - dot v w) by ring.
by rewrite pmulr_rge0 ?subr_ge0 // mulr_gt0 // addr_gt0 ?ltr01.
Qed.

(** ** A mean of vectors in a ball *)

(** [mixture.changing_features_moves_a_mean_by_so_much]: [s] is the sum of the other records. *)
Theorem changing_features_moves_a_mean (n B : R) x y (s : I -> R) :
  0 < n -> square x <= B ^+ 2 -> square y <= B ^+ 2 ->
  square (fun i => (s i + x i) / n - (s i + y i) / n) <= ((1 + 1) * B / n) ^+ 2.
Proof.
move=> n0 hx hy.
have -> : square (fun i => (s i + x i) / n - (s i + y i) / n) =
          square (fun i => n^-1 * x i - n^-1 * y i).
  by apply: eq_bigr => i _; ring.
rewrite square_of_combination.
have sum := square_ge0 (fun i => 1 * x i - (- 1) * y i); rewrite square_of_combination in sum.
have i0 : 0 <= n^-1 ^+ 2 by rewrite sqr_ge0.
apply: (@le_by _ (n^-1 ^+ 2 * ((1 + 1) * (B ^+ 2 - square x) + (1 + 1) * (B ^+ 2 - square y) +
          (1 ^+ 2 * square x + (- 1) ^+ 2 * square y - (1 + 1) * 1 * (- 1) * dot x y)))).
  by ring.
apply: mulr_ge0 => //; apply: addr_ge0; last exact: sum.
by apply: addr_ge0; nonneg.
Qed.

(** And it is attained, by opposite vectors on the sphere. *)
Theorem changing_features_attains_the_move (n B : R) x (s : I -> R) :
  0 < n -> square x = B ^+ 2 ->
  square (fun i => (s i + x i) / n - (s i + - x i) / n) = ((1 + 1) * B / n) ^+ 2.
Proof.
move=> n0 hx; transitivity (((1 + 1) / n) ^+ 2 * square x); last by rewrite hx; ring.
by rewrite /square /dot mulr_sumr; apply: eq_bigr => i _; ring.
Qed.

(** ** Clipping *)

(** [clip A r v]: the vector v of norm r, no longer than A. *)
Definition clip (A r : R) v : I -> R := fun i => Num.min 1 (A / r) * v i.

Lemma clipped_norm (A r : R) : 0 <= A -> 0 <= r -> Num.min 1 (A / r) * r = Num.min r A.
Proof.
move=> A0 r0; have [->|r_neq] := eqVneq r 0; first by rewrite mulr0 min_l.
have rp : 0 < r by rewrite lt0r r_neq.
by rewrite minr_pmull // mul1r divfK.
Qed.

Lemma min_contracts (A r s : R) : r <= s -> 0 <= Num.min s A - Num.min r A <= s - r.
Proof.
move=> rs; case: (leP r A) => rA; case: (leP s A) => sA.
- by rewrite subr_ge0 rs lexx.
- by rewrite subr_ge0 rA ler_add2r ltW.
- by have := lt_le_trans rA (le_trans rs sA); rewrite ltxx.
- by rewrite subrr lexx subr_ge0.
Qed.

(** [modes.clipping_is_a_contraction] *)
Theorem clipping_is_a_contraction (A r s : R) v w :
  0 <= A -> 0 <= r -> 0 <= s -> square v = r ^+ 2 -> square w = s ^+ 2 ->
  square (fun i => clip A r v i - clip A s w i) <= square (fun i => v i - w i).
Proof.
move=> A0 r0 s0 hv hw.
have ratio (z : R) : 0 <= z -> 0 <= Num.min 1 (A / z) <= 1.
  by move=> z0; rewrite le_minr ler01 divr_ge0 //= le_minl lexx.
have [a0 a1] := andP (ratio r r0); have [b0 b1] := andP (ratio s s0).
have ar := clipped_norm A0 r0; have bs := clipped_norm A0 s0.
rewrite /clip square_of_combination hv hw; move: ar bs a0 a1 b0 b1.
set a := Num.min 1 _; set b := Num.min 1 _ => ar bs a0 a1 b0 b1.
have -> : square (fun i => v i - w i) = r ^+ 2 + s ^+ 2 - (1 + 1) * dot v w.
  have -> : square (fun i => v i - w i) = square (fun i => 1 * v i - 1 * w i).
    by apply: eq_bigr => i _; rewrite !mul1r.
  by rewrite square_of_combination hv hw; ring.
have cs := dot_at_most r0 s0 hv hw.
have ab : 0 <= 1 - a * b by rewrite subr_ge0 mulr_ile1.
have lip : (a * r - b * s) ^+ 2 <= (r - s) ^+ 2.
  rewrite ar bs; have [rs|/ltW sr] := leP r s.
    have [low high] := andP (min_contracts A rs).
    rewrite -[X in X <= _]sqrrN -[X in _ <= X]sqrrN !opprB.
    by rewrite ler_expn2r ?nnegrE // subr_ge0.
  have [low high] := andP (min_contracts A sr).
  by rewrite ler_expn2r ?nnegrE // subr_ge0.
apply: (@le_by _ ((1 + 1) * (1 - a * b) * (r * s - dot v w) +
                  ((r - s) ^+ 2 - (a * r - b * s) ^+ 2))); first by ring.
apply: addr_ge0; last by rewrite subr_ge0.
by apply: mulr_ge0; [nonneg | rewrite subr_ge0].
Qed.

(** [modes.clipping_is_a_contraction]: the clipped vector is the nearest one of the ball, as no
    vector of the ball lies beyond it. *)
Theorem clipping_projects (A r s : R) v w :
  0 <= r -> 0 <= s <= A -> square v = r ^+ 2 -> square w = s ^+ 2 ->
  dot (fun i => v i - clip A r v i) (fun i => w i - clip A r v i) <= 0.
Proof.
move=> r0 /andP[s0 sA] hv hw; set c := Num.min 1 (A / r).
have A0 : 0 <= A := le_trans s0 sA.
have cr : c * r = Num.min r A := clipped_norm A0 r0.
have c1 : 0 <= 1 - c by rewrite subr_ge0 le_minl lexx.
have -> : dot (fun i => v i - clip A r v i) (fun i => w i - clip A r v i) =
          (1 - c) * (dot v w - c * square v).
  rewrite /dot /square /dot mulr_sumr -sumrB mulr_sumr; apply: eq_bigr => i _.
  by rewrite /clip -/c; ring.
have cs := dot_at_most r0 s0 hv hw.
have [rA|Ar] := leP r A.
  have [r_eq|r_neq] := eqVneq r 0.
    rewrite mulr_ge0_le0 // hv r_eq expr0n /= mulr0 subr0.
    by rewrite r_eq mul0r in cs.
  have -> : c = 1 by rewrite /c min_l // ler_pdivl_mulr ?mul1r // lt0r r_neq.
  by rewrite subrr mul0r.
rewrite mulr_ge0_le0 // subr_le0 hv expr2 mulrA cr min_r ?(ltW Ar) //.
by apply: le_trans cs _; rewrite mulrC ler_wpmul2r.
Qed.

End Vectors.

(** ** Geometric noise *)

(** [modes.geometric_noise_hides_steps]: any finite set of outcomes of several integers, each with
    noise of weights c k^(-d); [D] is the sum of the integers' changes. *)
Theorem geometric_noise_hides_steps (R : realFieldType) (k c : R) (n : nat)
    (x y : 'I_n -> int) (outcomes : seq ('I_n -> int)) :
  let away (a b : int) := absz (a - b) in
  let D := (\sum_i away (x i) (y i))%N in
  let chance (z o : 'I_n -> int) : R := \prod_i (c * k ^- away (o i) (z i)) in
  1 <= k -> 0 <= c ->
  \sum_(o <- outcomes) chance x o <= k ^+ D * \sum_(o <- outcomes) chance y o.
Proof.
move=> away D chance k1 c0; have k0 : 0 < k := lt_le_trans ltr01 k1.
rewrite mulr_sumr; apply: ler_sum => o _.
rewrite /chance /D -prodrXr -big_split /=; apply: ler_prod => i _.
have w0 d : 0 <= k ^- d by rewrite invr_ge0 exprn_ge0 // ltW.
rewrite mulr_ge0 //= mulrCA ler_wpmul2l //.
rewrite -(ler_pmul2l (exprn_gt0 (away (o i) (y i)) k0)) mulrCA divff ?gt_eqF ?exprn_gt0 // mulr1.
rewrite -ler_pdivl_mulr ?invr_gt0 ?exprn_gt0 // invrK -exprD ler_weexpn2l //.
by rewrite /away; lia.
Qed.
