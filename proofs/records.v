(** What one record moves: counts and sums over records, of which one is replaced, comes or goes.
    A data set is a list of records; what a record adds depends on nothing else. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify ring.
From provedp Require Import privacy optimum guarantees sensitivities.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** ** Neighbouring data *)

Section Neighbours.
Variable X : Type.

(** One record of [D] is another in [D']. *)
Definition replaced (D D' : seq X) : Prop :=
  exists s t x y, D = s ++ x :: t /\ D' = s ++ y :: t.

(** [D'] lacks one record of [D]. *)
Definition removed (D D' : seq X) : Prop := exists s t x, D = s ++ x :: t /\ D' = s ++ t.

(** How data may differ: a label, or all of a record, is another; a record comes or goes. *)
Inductive adjacency := label | replace_one | add_remove.

Definition neighbours (how : adjacency) (D D' : seq X) : Prop :=
  match how with add_remove => removed D D' \/ removed D' D | _ => replaced D D' end.

Variable R : realFieldType.

(** What a record costs that adds no more than c: twice as much where it is replaced. *)
Definition record_cost (how : adjacency) (c : R) : R :=
  match how with add_remove => c | _ => (1 + 1) * c end.

Variable I : finType.
Variable w : X -> I -> R.

(** The sum of what the records add, place by place. *)
Definition sums (D : seq X) (i : I) : R := \sum_(x <- D) w x i.

Lemma sums_of_replaced s t x y i :
  sums (s ++ x :: t) i - sums (s ++ y :: t) i = w x i - w y i.
Proof. by rewrite /sums !big_cat /= !big_cons; ring. Qed.

Lemma sums_of_removed s t x i : sums (s ++ x :: t) i - sums (s ++ t) i = w x i.
Proof. by rewrite /sums !big_cat /= !big_cons; ring. Qed.

(** [modes.parts_bound_what_one_record_moves] *)
Theorem parts_bound_what_one_record_moves (W : R) :
  (forall x i, 0 <= w x i) -> (forall x, \sum_i w x i = W) ->
  (forall how D D', neighbours how D D' ->
     \sum_i `|sums D i - sums D' i| <= record_cost how W) /\
  (forall D D', removed D D' -> \sum_i `|sums D i - sums D' i| = W).
Proof.
move=> w0 whole.
have gone D D' : removed D D' -> \sum_i `|sums D i - sums D' i| = W.
  case=> s [t [x [-> ->]]]; rewrite -(whole x); apply: eq_bigr => i _.
  by rewrite sums_of_removed ger0_norm.
have changed D D' : replaced D D' -> \sum_i `|sums D i - sums D' i| <= (1 + 1) * W.
  case=> s [t [x [y [-> ->]]]]; rewrite mulrDl !mul1r -{1}(whole x) -(whole y) -big_split /=.
  apply: ler_sum => i _; rewrite sums_of_replaced (le_trans (ler_norm_sub _ _)) //.
  by rewrite !ger0_norm.
split=> // -[] D D' /= near; rewrite ?changed //.
case: near => h; first by rewrite gone.
by under eq_bigr do rewrite distrC; rewrite gone.
Qed.

(** [modes.parts_bound_what_one_record_moves]: records without a common place attain it. *)
Theorem parts_apart_attain_the_move (W : R) s t x y :
  (forall x i, 0 <= w x i) -> (forall x, \sum_i w x i = W) -> (forall i, w x i * w y i = 0) ->
  \sum_i `|sums (s ++ x :: t) i - sums (s ++ y :: t) i| = (1 + 1) * W.
Proof.
move=> w0 whole none; rewrite mulrDl !mul1r -{1}(whole x) -(whole y) -big_split /=.
apply: eq_bigr => i _; rewrite sums_of_replaced; have /eqP := none i.
by rewrite mulf_eq0 => /orP[] /eqP ->; rewrite ?sub0r ?subr0 ?normrN ger0_norm ?add0r ?addr0.
Qed.

(** [modes.weights_bound_what_one_record_moves] *)
Theorem weights_bound_what_one_record_moves (L : R) :
  (forall x i, 0 <= w x i) -> (forall x, square (w x) <= L) ->
  forall how D D', neighbours how D D' ->
    square (fun i => sums D i - sums D' i) <= record_cost how L.
Proof.
move=> w0 short.
have changed D D' : replaced D D' -> square (fun i => sums D i - sums D' i) <= (1 + 1) * L.
  case=> s [t [x [y [-> ->]]]].
  have -> : square (fun i => sums (s ++ x :: t) i - sums (s ++ y :: t) i) =
            square (w x) + square (w y) - (1 + 1) * dot (w x) (w y).
    rewrite /square /dot mulr_sumr -big_split -sumrB /=; apply: eq_bigr => i _.
    by rewrite sums_of_replaced; ring.
  have apart : 0 <= dot (w x) (w y) by apply: sumr_ge0 => i _; rewrite mulr_ge0.
  rewrite ler_subl_addr mulrDl !mul1r ler_paddr ?mulr_ge0 ?addr_ge0 ?ler01 //.
  exact: ler_add.
have gone D D' : removed D D' -> square (fun i => sums D i - sums D' i) <= L.
  case=> s [t [x [-> ->]]]; apply: le_trans (short x).
  by rewrite le_eqVlt; apply/orP; left; apply/eqP/eq_bigr => i _; rewrite sums_of_removed.
have back D D' : square (fun i => sums D i - sums D' i) = square (fun i => sums D' i - sums D i).
  by apply: eq_bigr => i _; rewrite -mulrNN !opprB.
case=> D D' /= near; rewrite ?changed //.
by case: near => h; [exact: gone | rewrite back; exact: gone].
Qed.

(** [modes.weights_bound_what_one_record_moves]: records whose weights do not overlap attain it. *)
Theorem weights_apart_attain_the_move (L : R) s t x y :
  square (w x) = L -> square (w y) = L -> (forall i, w x i * w y i = 0) ->
  square (fun i => sums (s ++ x :: t) i - sums (s ++ y :: t) i) = (1 + 1) * L.
Proof.
move=> hx hy none; rewrite mulrDl !mul1r -{1}hx -hy /square /dot -big_split /=.
apply: eq_bigr => i _; rewrite sums_of_replaced; have e := none i.
by transitivity (w x i * w x i + w y i * w y i - (1 + 1) * (w x i * w y i)); [ring|rewrite e; ring].
Qed.

End Neighbours.

(** ** Counts *)

(** [modes.counts_of_half_lines_move_by_at_most_one]: how many records are at most [c]; any record
    may go to any place, come or go. *)
Definition at_most (R : realFieldType) (c : R) : pred R := fun x => x <= c.

Theorem counts_of_half_lines_move_by_at_most_one (R : realFieldType) (c : R) (D D' : seq R) :
  replaced D D' \/ removed D D' \/ removed D' D ->
  (count (at_most c) D <= (count (at_most c) D').+1)%N /\
  (count (at_most c) D' <= (count (at_most c) D).+1)%N.
Proof.
case=> [[s [t [x [y [-> ->]]]]]|[[s [t [x [-> ->]]]]|[s [t [x [-> ->]]]]]]; rewrite !count_cat /=.
- by case: (at_most c x); case: (at_most c y); lia.
- by case: (at_most c x); lia.
- by case: (at_most c x); lia.
Qed.

(** [mixture.histograms_bound_what_one_record_moves]: every record is in one cell. *)
Definition histogram (R : realFieldType) (X : Type) (C : finType) (cell : X -> C) : X -> C -> R :=
  fun x c => (cell x == c)%:R.

Lemma one_cell (R : realFieldType) (C : finType) (c : C) (f : C -> R) :
  \sum_d (c == d)%:R * f d = f c.
Proof.
rewrite (bigD1 c) //= eqxx mul1r big1 ?addr0 // => d; rewrite eq_sym => /negbTE ->.
by rewrite mul0r.
Qed.

Theorem histograms_move_by_so_much (R : realFieldType) (X : Type) (C : finType)
    (cell : X -> C) s t x y :
  let w := @histogram R X C cell in
  square (fun c => sums w (s ++ x :: t) c - sums w (s ++ y :: t) c) =
    (if cell x == cell y then 0 else 1 ^+ 2 + (- 1) ^+ 2) /\
  square (fun c => sums w (s ++ x :: t) c - sums w (s ++ t) c) = 1.
Proof.
move=> w; have itself (c : C) : square (fun d => (c == d)%:R) = 1 :> R.
  by rewrite /square /dot one_cell eqxx.
split.
  have -> : square (fun c => sums w (s ++ x :: t) c - sums w (s ++ y :: t) c) =
            square (fun c => 1 * (cell x == c)%:R - 1 * (cell y == c)%:R) :> R.
    by apply: eq_bigr => c _; rewrite sums_of_replaced /w /histogram; ring.
  rewrite square_of_combination !itself /dot one_cell eq_sym.
  by case: eqP => _ /=; ring.
by rewrite -(itself (cell x)); apply: eq_bigr => c _; rewrite sums_of_removed.
Qed.

Theorem histograms_bound_what_one_record_moves (R : realFieldType) (X : Type) (C : finType)
    (cell : X -> C) (n : R) how (D D' : seq X) : 0 <= n -> neighbours how D D' ->
  n * square (fun c => sums (@histogram R X C cell) D c - sums (@histogram R X C cell) D' c) <=
  record_cost how n.
Proof.
move=> n0 near; have cost : record_cost how n = n * record_cost how 1.
  by case: how {near} => /=; ring.
rewrite cost ler_wpmul2l //; apply: weights_bound_what_one_record_moves near.
  by move=> x c; rewrite ler0n.
by move=> x; rewrite /square /dot /histogram one_cell eqxx.
Qed.

(** ** Products over coordinates *)

(** [modes.parts_of_a_record_sum_to_the_same]: [f i] of the whole [P] go to the upper of the two
    nodes of coordinate i; nodes of d coordinates are their choices. *)
Theorem parts_of_a_record_sum_to_the_same (R : realFieldType) (d : nat) (P : R) (f : 'I_d -> R) :
  \sum_(node : {ffun 'I_d -> bool}) \prod_i (if node i then f i else P - f i) = P ^+ d.
Proof.
rewrite -(bigA_distr_bigA (fun i (b : bool) => if b then f i else P - f i)) /=.
have each (i : 'I_d) : \sum_(b : bool) (if b then f i else P - f i) = P.
  by rewrite big_bool /=; ring.
by rewrite (eq_bigr (fun=> P)) // prodr_const card_ord.
Qed.

(** [modes.lengths_of_products_are_products] *)
Theorem lengths_of_products_are_products (R : realFieldType) (I J : finType)
    (u : I -> R) (v : J -> R) :
  square (fun ij : I * J => u ij.1 * v ij.2) = square u * square v.
Proof.
rewrite /square /dot -(pair_bigA _ (fun i j => u i * v j * (u i * v j))) /= mulr_suml.
apply: eq_bigr => i _; rewrite mulr_sumr; apply: eq_bigr => j _; ring.
Qed.

(** ** Counts, sums and second moments of classes *)

Section Moments.
Variable R : realFieldType.

(** In units of the noise: 1/σ² of counts, R²/σ² of sums, R⁴/σ² of second moments. *)
Definition moment_cost (how : adjacency) (n a b : R) : R :=
  match how with
  | label => (1 + 1) * (n + a + b)
  | replace_one => (1 + 1) * (a + b) + (1 + 1) * Num.max a n
  | add_remove => n + a + b
  end.

Definition pooled_cost (how : adjacency) (s b : R) : R :=
  match how with add_remove => s + b | _ => s + (1 + 1) * b end.

Variables (X : Type) (K I : finType).
Variable class : X -> K.
Variable z : X -> I -> R.

(** What a record adds: 1, z and z zᵀ to its class. Its z may depend on its class. *)
Definition counted (x : X) (c : K) : R := (class x == c)%:R.
Definition summed (x : X) (ci : K * I) : R := (class x == ci.1)%:R * z x ci.2.
Definition squared (x : X) (cij : K * (I * I)) : R :=
  (class x == cij.1)%:R * (z x cij.2.1 * z x cij.2.2).

Definition shift (J : finType) (w : X -> J -> R) (D D' : seq X) : R :=
  square (fun j => sums w D j - sums w D' j).

(** How far all moments move, in units of the noise, for vectors of share_of_ball at most r. *)
Definition moments_move (r n a b : R) (D D' : seq X) : R :=
  n * shift counted D D' + a / r ^+ 2 * shift summed D D' + b / r ^+ 4 * shift squared D D'.

(** What a label flip does: a record goes to another class. *)
Definition adjacent (how : adjacency) (D D' : seq X) : Prop :=
  match how with
  | label => exists s t x y, [/\ D = s ++ x :: t, D' = s ++ y :: t & class x != class y]
  | replace_one => replaced D D'
  | add_remove => removed D D' \/ removed D' D
  end.

(** [mixture.products_of_moments_are_squares] *)
Lemma product_of_moments (u v : I -> R) :
  dot (fun ij : I * I => u ij.1 * u ij.2) (fun ij => v ij.1 * v ij.2) = dot u v ^+ 2.
Proof.
rewrite /dot -(pair_bigA _ (fun i j => u i * u j * (v i * v j))) /= expr2 mulr_suml.
apply: eq_bigr => i _; rewrite mulr_sumr; apply: eq_bigr => j _; ring.
Qed.

Theorem products_of_moments_are_squares (u v : I -> R) :
  [/\ dot (fun ij : I * I => u ij.1 * u ij.2) (fun ij => v ij.1 * v ij.2) = dot u v ^+ 2,
      square (fun ij : I * I => u ij.1 * u ij.2) = square u ^+ 2 &
      square (fun ij : I * I => u ij.1 * u ij.2 - v ij.1 * v ij.2) =
        square u ^+ 2 + square v ^+ 2 - (1 + 1) * dot u v ^+ 2].
Proof.
have itself := product_of_moments u u.
split; [exact: product_of_moments | exact: itself |].
have -> : square (fun ij : I * I => u ij.1 * u ij.2 - v ij.1 * v ij.2) =
          square (fun ij : I * I => 1 * (u ij.1 * u ij.2) - 1 * (v ij.1 * v ij.2)).
  by apply: eq_bigr => ij _; rewrite !mul1r.
rewrite square_of_combination product_of_moments /square !product_of_moments; ring.
Qed.

(** Sums over classes of what two records add. *)
Lemma by_class (J : finType) (f g : J -> R) (c d : K) :
  \sum_(cj : K * J) ((c == cj.1)%:R * f cj.2 * ((d == cj.1)%:R * g cj.2)) = (c == d)%:R * dot f g.
Proof.
rewrite -(pair_bigA _ (fun e j => (c == e)%:R * f j * ((d == e)%:R * g j))) /=.
rewrite (eq_bigr (fun e => (c == e)%:R * ((d == e)%:R * dot f g))) ?one_cell 1?eq_sym //.
move=> e _; rewrite mulrA /dot mulr_sumr; apply: eq_bigr => j _; ring.
Qed.

Lemma moved_by_replacing (J : finType) (f : X -> J -> R) (w : X -> K * J -> R) s t x y :
  (forall x cj, w x cj = (class x == cj.1)%:R * f x cj.2) ->
  shift w (s ++ x :: t) (s ++ y :: t) =
  square (f x) + square (f y) - (1 + 1) * ((class x == class y)%:R * dot (f x) (f y)).
Proof.
move=> e; rewrite /shift.
have -> : square (fun cj => sums w (s ++ x :: t) cj - sums w (s ++ y :: t) cj) =
          square (fun cj => 1 * w x cj - 1 * w y cj).
  by apply: eq_bigr => cj _; rewrite sums_of_replaced; ring.
have same u v : dot (w u) (w v) = (class u == class v)%:R * dot (f u) (f v).
  by rewrite -by_class; apply: eq_bigr => cj _; rewrite !e.
by rewrite square_of_combination /square !same !eqxx /=; ring.
Qed.

Lemma moved_by_removing (J : finType) (f : X -> J -> R) (w : X -> K * J -> R) s t x :
  (forall x cj, w x cj = (class x == cj.1)%:R * f x cj.2) ->
  shift w (s ++ x :: t) (s ++ t) = square (f x).
Proof.
move=> e; transitivity (dot (w x) (w x)).
  by apply: eq_bigr => cj _; rewrite sums_of_removed.
rewrite -[RHS]mul1r -[1]/((true : bool)%:R) -(eqxx (class x)) -by_class.
by apply: eq_bigr => cj _; rewrite !e.
Qed.

Lemma moved_back (J : finType) (w : X -> J -> R) D D' : shift w D D' = shift w D' D.
Proof. by apply: eq_bigr => j _; rewrite -mulrNN !opprB. Qed.

Lemma counts_by_replacing s t x y :
  shift counted (s ++ x :: t) (s ++ y :: t) = (1 + 1) * (1 - (class x == class y)%:R).
Proof.
have [h _] := histograms_move_by_so_much R class s t x y.
by move: h; rewrite /shift /counted /histogram => ->; case: eqP => _ /=; ring.
Qed.

Lemma counts_by_removing s t x : shift counted (s ++ x :: t) (s ++ t) = 1.
Proof. by have [_ h] := histograms_move_by_so_much R class s t x x. Qed.

(** In units of the radius: the squared share_of_ball of a record's z, and the angle of two. *)
Definition share_of_ball (r : R) x : R := square (z x) / r ^+ 2.
Definition angle (r : R) x y : R := dot (z x) (z y) / r ^+ 2.

Lemma cauchy (u v : I -> R) : dot u v ^+ 2 <= square u * square v.
Proof.
have [e|v0] := eqVneq (square v) 0.
  have none i : v i = 0.
    have /eqP := psumr_eq0P (fun j _ => sqr_ge0 (v j)) e (i := i) isT.
    by rewrite sqrf_eq0 => /eqP.
  by rewrite e mulr0 /dot big1 ?expr0n // => i _; rewrite none mulr0.
have pos : 0 < square v by rewrite lt0r v0 square_ge0.
have := square_ge0 (fun i => square v * u i - dot u v * v i).
rewrite square_of_combination.
have -> : square v ^+ 2 * square u + dot u v ^+ 2 * square v -
    (1 + 1) * square v * dot u v * dot u v = square v * (square u * square v - dot u v ^+ 2).
  by ring.
by rewrite pmulr_rge0 // subr_ge0.
Qed.

Let q x (ij : I * I) := z x ij.1 * z x ij.2.

(** [mixture.moments_bound_what_one_record_moves]: exactly how far *)
Theorem moments_move_by_so_much (r n a b : R) s t x y : 0 < r ->
  let same := (class x == class y)%:R in
  moments_move r n a b (s ++ x :: t) (s ++ y :: t) =
    n * ((1 + 1) * (1 - same)) +
    a * (share_of_ball r x + share_of_ball r y - (1 + 1) * (same * angle r x y)) +
    b * (share_of_ball r x ^+ 2 + share_of_ball r y ^+ 2 - (1 + 1) * (same * angle r x y ^+ 2)) /\
  moments_move r n a b (s ++ x :: t) (s ++ t) = n + a * share_of_ball r x + b * share_of_ball r x ^+ 2.
Proof.
move=> r0 same; rewrite /share_of_ball /angle.
have first u cj : summed u cj = (class u == cj.1)%:R * z u cj.2 by [].
have second u cj : squared u cj = (class u == cj.1)%:R * q u cj.2 by [].
have long u : square (q u) = square (z u) ^+ 2 := product_of_moments (z u) (z u).
rewrite /moments_move counts_by_replacing counts_by_removing.
rewrite (moved_by_replacing _ _ _ _ first) (moved_by_replacing _ _ _ _ second).
rewrite (moved_by_removing _ _ _ first) (moved_by_removing _ _ _ second).
rewrite !long (product_of_moments (z x) (z y)) -/same.
by split; field; rewrite gt_eqF.
Qed.

Lemma length_is_a_share (r : R) x : 0 < r -> square (z x) <= r ^+ 2 ->
  0 <= share_of_ball r x <= 1 /\ share_of_ball r x ^+ 2 <= 1.
Proof.
move=> r0 short; have u0 : 0 <= share_of_ball r x by rewrite divr_ge0 ?square_ge0 ?sqr_ge0.
have u1 : share_of_ball r x <= 1 by rewrite ler_pdivr_mulr ?exprn_gt0 // mul1r.
by rewrite u0 u1 exprn_ile1.
Qed.

Lemma product_is_bounded (r : R) x y : 0 < r ->
  angle r x y ^+ 2 <= share_of_ball r x * share_of_ball r y /\
  0 <= share_of_ball r x + share_of_ball r y + (1 + 1) * angle r x y.
Proof.
move=> r0; have r2 : 0 < r ^+ 2 := exprn_gt0 2 r0; split.
  rewrite /angle /share_of_ball expr_div_n mulf_div -expr2 ler_pmul2r ?invr_gt0 ?exprn_gt0 //.
  exact: cauchy.
have := square_ge0 (fun i => 1 * z x i - (- 1) * z y i); rewrite square_of_combination => h.
have -> : share_of_ball r x + share_of_ball r y + (1 + 1) * angle r x y =
    (1 ^+ 2 * square (z x) + (- 1) ^+ 2 * square (z y) -
     (1 + 1) * 1 * (- 1) * dot (z x) (z y)) / r ^+ 2 by rewrite /share_of_ball /angle; ring.
by rewrite divr_ge0 // ltW.
Qed.

(** [mixture.moments_bound_what_one_record_moves] *)
Theorem moments_bound_what_one_record_moves (how : adjacency) (r n a b : R) D D' :
  0 < r -> 0 <= n -> 0 <= a -> 0 <= b -> (forall x, square (z x) <= r ^+ 2) ->
  adjacent how D D' -> moments_move r n a b D D' <= moment_cost how n a b.
Proof.
move=> r0 n0 a0 b0 short.
have gone s t x : moments_move r n a b (s ++ x :: t) (s ++ t) <= n + a + b.
  have [_ ->] := moments_move_by_so_much n a b s t x x r0.
  have [/andP[u0 u1] uu] := length_is_a_share r0 (short x).
  by rewrite ler_add ?ler_add // ?mulr1 ler_pimulr.
have apart s t x y : class x != class y ->
    moments_move r n a b (s ++ x :: t) (s ++ y :: t) <= (1 + 1) * (n + a + b).
  move=> /negbTE xy; have [-> _] := moments_move_by_so_much n a b s t x y r0; rewrite xy /=.
  have [/andP[u0 u1] uu] := length_is_a_share r0 (short x).
  have [/andP[v0 v1] vv] := length_is_a_share r0 (short y).
  apply: (@le_by _ (a * (1 - share_of_ball r x) + a * (1 - share_of_ball r y) +
                    b * (1 - share_of_ball r x ^+ 2) + b * (1 - share_of_ball r y ^+ 2))); first by ring.
  by do ?[apply: addr_ge0]; apply: mulr_ge0; rewrite ?subr_ge0.
case: how => /=.
- by case=> s [t [x [y [-> -> xy]]]]; exact: apart.
- case=> s [t [x [y [-> ->]]]].
  have [nm am] : n <= Num.max a n /\ a <= Num.max a n by rewrite !le_maxr !lexx orbT.
  have [xy|xy] := eqVneq (class x) (class y); last first.
    apply: le_trans (apart s t x y xy) _.
    apply: (@le_by _ ((1 + 1) * (Num.max a n - n))); first by ring.
    by rewrite mulr_ge0 ?subr_ge0 ?addr_ge0 ?ler01.
  have [-> _] := moments_move_by_so_much n a b s t x y r0; rewrite xy eqxx /=.
  have [/andP[_ u1] uu] := length_is_a_share r0 (short x).
  have [/andP[_ v1] vv] := length_is_a_share r0 (short y).
  have [_ both] := product_is_bounded x y r0; have c2 := sqr_ge0 (angle r x y).
  move: (share_of_ball r x) (share_of_ball r y) (angle r x y) u1 uu v1 vv both c2 => u v c u1 uu v1 vv both c2.
  apply: (@le_by _ ((1 + 1) * (Num.max a n - a) + a * (u + v + (1 + 1) * c) +
     (1 + 1) * (a * (1 - u) + a * (1 - v)) +
     b * (1 - u ^+ 2) + b * (1 - v ^+ 2) + (1 + 1) * (b * c ^+ 2))); first by ring.
  by move: (c ^+ 2) c2 => cc c2; nonneg.
- case=> [[s [t [x [-> ->]]]]|[s [t [x [-> ->]]]]]; first exact: gone.
  by rewrite /moments_move !(moved_back _ (s ++ t)); exact: gone.
Qed.

(** ** Second moments of all classes together *)

Definition lengths (x : X) (i : 'I_1) : R := square (z x).

(** How far Σ ‖z‖² and Σ z zᵀ over all records move, in units of the noise. *)
Definition pooled_move (r s b : R) (D D' : seq X) : R :=
  s / r ^+ 4 * shift lengths D D' + b / r ^+ 4 * shift q D D'.

(** [mixture.pooled_moments_bound_what_one_record_moves]: exactly how far *)
Theorem pooled_moments_move_by_so_much (r c b : R) s t x y : 0 < r ->
  pooled_move r c b (s ++ x :: t) (s ++ y :: t) =
    c * (share_of_ball r x - share_of_ball r y) ^+ 2 +
    b * (share_of_ball r x ^+ 2 + share_of_ball r y ^+ 2 - (1 + 1) * angle r x y ^+ 2) /\
  pooled_move r c b (s ++ x :: t) (s ++ t) = c * share_of_ball r x ^+ 2 + b * share_of_ball r x ^+ 2.
Proof.
move=> r0; rewrite /pooled_move /share_of_ball /angle.
have [_ long diff] := products_of_moments_are_squares (z x) (z y).
have -> : shift q (s ++ x :: t) (s ++ y :: t) =
    square (z x) ^+ 2 + square (z y) ^+ 2 - (1 + 1) * dot (z x) (z y) ^+ 2.
  by rewrite -diff; apply: eq_bigr => ij _; rewrite sums_of_replaced.
have -> : shift q (s ++ x :: t) (s ++ t) = square (z x) ^+ 2.
  by rewrite -long; apply: eq_bigr => ij _; rewrite sums_of_removed.
have -> : shift lengths (s ++ x :: t) (s ++ y :: t) = (square (z x) - square (z y)) ^+ 2.
  by rewrite /shift /square /dot big_ord1 sums_of_replaced /lengths expr2.
have -> : shift lengths (s ++ x :: t) (s ++ t) = square (z x) ^+ 2.
  by rewrite /shift /square /dot big_ord1 sums_of_removed /lengths expr2.
by split; field; rewrite gt_eqF.
Qed.

(** [mixture.pooled_moments_bound_what_one_record_moves]: a label flip, or any change, of one
    record; a record that comes or goes. *)
Theorem pooled_moments_bound_what_one_record_moves (how : adjacency) (r c b : R) D D' :
  0 < r -> 0 <= c -> 0 <= b -> (forall x, square (z x) <= r ^+ 2) ->
  adjacent how D D' -> pooled_move r c b D D' <= pooled_cost how c b.
Proof.
move=> r0 c0 b0 short.
have gone s t x : pooled_move r c b (s ++ x :: t) (s ++ t) <= c + b.
  have [_ ->] := pooled_moments_move_by_so_much c b s t x x r0.
  have [_ uu] := length_is_a_share r0 (short x).
  by rewrite ler_add // ler_pimulr.
have changed s t x y : pooled_move r c b (s ++ x :: t) (s ++ y :: t) <= c + (1 + 1) * b.
  have [-> _] := pooled_moments_move_by_so_much c b s t x y r0.
  have [/andP[u0 u1] uu] := length_is_a_share r0 (short x).
  have [/andP[v0 v1] vv] := length_is_a_share r0 (short y).
  have c2 := sqr_ge0 (angle r x y).
  move: (share_of_ball r x) (share_of_ball r y) (angle r x y ^+ 2) u0 u1 uu v0 v1 vv c2.
  move=> u v p u0 u1 uu v0 v1 vv c2.
  apply: (@le_by _ (c * (1 - (u - v) ^+ 2) + b * (1 - u ^+ 2) + b * (1 - v ^+ 2) +
                    (1 + 1) * (b * p))); first by ring.
  have gap : 0 <= 1 - (u - v) ^+ 2.
    have -> : 1 - (u - v) ^+ 2 = (1 - u + v) * (1 - v + u) by ring.
    by rewrite mulr_ge0 // addr_ge0 // subr_ge0.
  by nonneg.
by case: how => /= [[s [t [x [y [-> -> _]]]]]|[s [t [x [y [-> ->]]]]]|
    [[s [t [x [-> ->]]]]|[s [t [x [-> ->]]]]]]; rewrite ?changed ?gone //;
   rewrite /pooled_move !(moved_back _ (s ++ t)); exact: gone.
Qed.

End Moments.
