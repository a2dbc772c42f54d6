(** Releases as a whole: what they keep and lose in steps. Thresholds that leave out cells, weights
    of classes from one matrix, and binned counts with geometric noise. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import zify ring.
From provedp Require Import privacy optimum guarantees sensitivities records.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** ** Every event, whatever the outcomes are: a law is the probability that it gives each event *)

Section Events.
Variable R : realFieldType.
Variable event : Type.
Implicit Types (P Q : event -> R) (k delta beta : R).

(** [mixture.pure_privacy_is_enough] *)
Theorem pure_privacy_is_enough P Q k delta : 0 <= delta ->
  (forall U, P U <= k * Q U) -> forall U, P U <= k * Q U + delta.
Proof. by move=> d0 h U; apply: le_trans (h U) _; rewrite ler_addl. Qed.

(** [mixture.two_squares_are_two_steps]: the laws before, between and after *)
Theorem two_squares_are_two_steps P Q S k delta : 0 <= k ->
  (forall U, P U <= k * Q U + delta) -> (forall U, Q U <= k * S U + delta) ->
  forall U, P U <= k ^+ 2 * S U + (1 + k) * delta.
Proof.
move=> k0 h h' U; apply: le_trans (h U) _.
have := ler_wpmul2l k0 (h' U); rewrite -(ler_add2r delta) => /le_trans; apply.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
Qed.

(** [modes.threshold_hides_which_cells_are_occupied]: the fuller release is the release unless
    noise takes the added empty cell over the threshold, which has probability at most beta; then
    it has some other law. *)
Theorem threshold_hides_which_cells_are_occupied P P' Q Q' k delta beta b b' :
  0 <= k -> 0 <= b <= beta -> 0 <= b' <= beta ->
  (forall U, [/\ 0 <= P U <= 1, 0 <= P' U <= 1, 0 <= Q U <= 1 & 0 <= Q' U <= 1]) ->
  let fuller U := (1 - b) * P U + b * P' U in let other U := (1 - b') * Q U + b' * Q' U in
  (forall U, fuller U <= k * other U + delta) ->
  [/\ forall U, `|P U - fuller U| <= beta, forall U, `|Q U - other U| <= beta &
      forall U, P U <= k * Q U + (delta + (1 + k) * beta)].
Proof.
move=> k0 hb hb' laws fuller other h.
have near (u v a : R) : 0 <= u <= 1 -> 0 <= v <= 1 -> 0 <= a <= beta ->
    `|u - ((1 - a) * u + a * v)| <= beta.
  move=> /andP[u0 u1] /andP[v0 v1] /andP[a0 ab].
  have -> : u - ((1 - a) * u + a * v) = a * (u - v) by ring.
  rewrite normrM ger0_norm //; apply: le_trans ab; rewrite ler_pimulr // ler_norml.
  apply/andP; split; last by rewrite ler_subl_addr (le_trans u1) // ler_addl.
  by rewrite ler_subr_addl ler_subl_addr (le_trans v1) // ler_addr.
have up U : `|P U - fuller U| <= beta by case: (laws U) => *; exact: near.
have down U : `|Q U - other U| <= beta by case: (laws U) => *; exact: near.
split=> // U; have := up U; rewrite ler_norml => /andP[_]; rewrite ler_subl_addr => first.
have := down U; rewrite ler_norml => /andP[]; rewrite ler_subr_addl ler_subl_addr addrC.
move=> /(ler_wpmul2l k0) second _; apply: le_trans first _.
apply: le_trans (ler_add (lexx beta) (h U)) _.
apply: le_trans (ler_add (lexx beta) (ler_add second (lexx delta))) _.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
Qed.

End Events.

Section Steps.
Variable R : realFieldType.
Variable T : finType.
Implicit Types (p q r : T -> R) (k delta : R).

(** [privacy.release_beyond_a_threshold_is_private], between one user and none: [None] is what is
    released if there is nothing over the threshold. *)
Theorem release_beyond_a_threshold_is_private (p : option T -> R) k delta :
  1 <= k -> law p -> 1 - p None <= delta ->
  let nothing (o : option T) := (o == None)%:R in
  close k delta p nothing /\ close k delta nothing p.
Proof.
move=> k1 [p0 p1] shown nothing.
have sure (U : {set option T}) : prob nothing U = (None \in U)%:R.
  rewrite /prob big_mkcond (bigD1 None) //= big1 ?addr0; first by case: (_ \in _).
  by move=> o /negbTE h; rewrite /nothing h if_same.
have rest : \sum_(o | o != None) p o = 1 - p None by move: p1; rewrite (bigD1 None) //= => <-; rewrite addrC addKr.
have d0 : 0 <= delta by rewrite (le_trans _ shown) // -rest sumr_ge0.
have some (U : {set option T}) : prob p U = (None \in U)%:R * p None + \sum_(o in U | o != None) p o.
  rewrite /prob (bigID (fun o => o == None)) /= addrC [RHS]addrC; congr (_ + _).
  have [h|/negbTE h] := boolP (None \in U).
    by rewrite mul1r (big_pred1 None) // => o; rewrite /= andbC; case: eqP => // ->; rewrite h.
  rewrite mul0r big1 // => o /andP[oU /eqP e]; by rewrite -e oU in h.
have part (U : {set option T}) : 0 <= \sum_(o in U | o != None) p o <= delta.
  rewrite sumr_ge0 //= (le_trans _ shown) // -rest [X in _ <= X](bigID (mem U)) /=.
  rewrite [X in X <= _](eq_bigl (fun o => (o != None) && (o \in U))) => [|o]; last exact: andbC.
  by rewrite ler_addl sumr_ge0.
split=> U; rewrite sure some; have /andP[low high] := part U.
  case: (_ \in _) => /=; last by rewrite mul0r add0r mulr0 add0r.
  rewrite mulr1 mul1r ler_add // (le_trans _ k1) // -p1 (bigD1 None) //= ler_addl.
  exact: sumr_ge0.
case: (_ \in _) => /=; last by rewrite addr_ge0 // mulr_ge0 ?mul0r ?add0r // (le_trans ler01).
rewrite mul1r (le_trans (y := p None + delta)) ?ler_add2r -?ler_subl_addl //.
rewrite (le_trans (y := p None + \sum_(o in U | o != None) p o)) ?ler_addl //.
by rewrite ler_pemull // addr_ge0.
Qed.

(** [mixture.ratio_bound_in_one_matrix_is_privacy_of_the_weights]: columns of one matrix, of which
    each data set uses one *)
Theorem ratio_bound_in_one_matrix_is_privacy (J : finType) (F : J -> T -> R) (flip : rel J) k :
  (forall i j, flip i j -> forall t, F i t <= k * F j t) <->
  (forall i j, flip i j -> close k 0 (F i) (F j)).
Proof.
split=> h i j ij; first by apply: close_of_entries; exact: h.
by move=> t; have := h i j ij [set t]; rewrite /prob !big_set1 addr0.
Qed.

(** [mixture.reduced_constraint_gives_the_original_one_in_one_matrix] *)
Theorem reduced_constraint_gives_the_original_one p q k a (n : nat) :
  1 <= k -> 0 <= a <= 1 -> (forall t, p t <= k * q t) ->
  forall t, (1 - a) * p t + a / n%:R <= k * ((1 - a) * q t + a / n%:R).
Proof.
move=> k1 /andP[a0 a1] h t; rewrite mulrDr mulrCA ler_add ?ler_wpmul2l ?subr_ge0 //.
by rewrite ler_pemull // divr_ge0 // ler0n.
Qed.

End Steps.

(** ** Weights of classes *)

Section Weights.
Variable R : realFieldType.

(** How far two histograms are apart: half of the records that are in another class. *)
Definition steps_apart (K : finType) (h h' : K -> nat) : nat :=
  (\sum_c ((h c - h' c) + (h' c - h c)))./2%N.

(** [mixture.fixed_channel_is_private_for_every_size]: a flip takes one record from class s to
    class t; outputs are histograms, with weights r^(−d). *)
Theorem fixed_channel_is_private (K : finType) (T : finType) (output : T -> K -> nat)
    (h h' : K -> nat) (s t : K) (r : R) :
  1 <= r -> (0 < #|T|)%N -> s != t -> h s = (h' s).+1 -> h' t = (h t).+1 ->
  (forall c, c != s -> c != t -> h c = h' c) ->
  let weight g := normalised (fun o => r ^- steps_apart (output o) g) in
  [/\ law (weight h), close (r ^+ 2) 0 (weight h) (weight h') &
      forall o, (steps_apart (output o) h <= (steps_apart (output o) h').+1)%N].
Proof.
move=> r1 some st hs ht same weight; have r0 : 0 < r := lt_le_trans ltr01 r1.
have near o : (steps_apart (output o) h <= (steps_apart (output o) h').+1)%N /\
              (steps_apart (output o) h' <= (steps_apart (output o) h).+1)%N.
  have split (g : K -> nat) : (\sum_c (output o c - g c + (g c - output o c)) =
      output o s - g s + (g s - output o s) + (output o t - g t + (g t - output o t) +
      \sum_(c | (c != s) && (c != t)) (output o c - g c + (g c - output o c))))%N.
    by rewrite (bigD1 s) //= (bigD1 t) 1?eq_sym.
  rewrite /steps_apart !split hs ht.
  rewrite (eq_bigr (fun c => (output o c - h' c + (h' c - output o c))%N)); last first.
    by move=> c /andP[cs ct]; rewrite same.
  move: (\sum_(c | _) _)%N => rest.
  by move: (output o s) (output o t) (h' s) (h t) => a b c d; split; lia.
have up (d d' : nat) : (d' <= d.+1)%N -> r ^- d <= r * r ^- d'.
  move=> dd; rewrite -[r ^- d]mul1r -(divff (lt0r_neq0 r0)) -mulrA -invfM -exprS.
  by rewrite ler_pmul2l // lef_pinv ?posrE ?exprn_gt0 // ler_weexpn2l.
have w0 g o : 0 <= r ^- steps_apart (output o) g by rewrite invr_ge0 exprn_ge0 // ltW.
have full g : 0 < \sum_o r ^- steps_apart (output o) g.
  case/card_gt0P: some => o _.
  rewrite (bigD1 o) //= ltr_paddr ?sumr_ge0 ?invr_gt0 ?exprn_gt0 //.
split; [exact: normalised_law | | by move=> o; case: (near o)].
apply: normalised_weights_are_close => //; first exact: ltW.
- by move=> o; apply: up; case: (near o).
- by move=> o; apply: up; case: (near o).
Qed.

(** [mixture.bounds_of_the_column_are_those_of_the_matrix], eq. (29): [f] the entry of the true
    histogram, s its neighbours, each with (1 − f)/s *)
Theorem bounds_of_the_column_are_those_of_the_matrix (T : finType) (s : nat) (k f : R) (F : T -> R) :
  (0 < s)%N -> 1 <= k -> #|T| = s -> \sum_t F t = 1 - f ->
  ((forall t, f / k <= F t <= k * f) -> 1 / (1 + s%:R * k) <= f <= k / (k + s%:R)) /\
  (1 / (1 + s%:R * k) <= f <= k / (k + s%:R) ->
     f / k <= (1 - f) / s%:R <= k * f) /\
  \sum_(t : T) (1 - f) / s%:R = 1 - f.
Proof.
move=> s0 k1 size whole; have k0 : 0 < k := lt_le_trans ltr01 k1.
have n0 : 0 < s%:R :> R by rewrite ltr0n.
have a0 : 0 < 1 + s%:R * k by rewrite addr_gt0 ?ltr01 ?mulr_gt0.
have b0 : 0 < k + s%:R by rewrite addr_gt0.
have ends : (1 / (1 + s%:R * k) <= f <= k / (k + s%:R)) =
            (s%:R * (f / k) <= 1 - f <= s%:R * (k * f)).
  rewrite andbC ler_pdivr_mulr // ler_pdivl_mulr //; congr (_ && _).
    rewrite mulrA ler_pdivr_mulr // -[in LHS]subr_ge0 -[in RHS]subr_ge0; congr (_ <= _); ring.
  by rewrite -[in LHS]subr_ge0 -[in RHS]subr_ge0; congr (_ <= _); ring.
split=> [h|]; last split.
- rewrite ends -whole; have sum c : \sum_(t : T) c = s%:R * c :> R.
    by rewrite sumr_const size mulr_natl.
  by rewrite -!sum; apply/andP; split; apply: ler_sum => t _; case/andP: (h t).
- rewrite ends => /andP[low high].
  by rewrite ler_pdivl_mulr // ler_pdivr_mulr // mulrC low [k * f * _]mulrC.
- by rewrite sumr_const size -mulr_natl mulrC divfK // gt_eqF.
Qed.

(** [mixture.larger_budget_for_weights_is_never_worse]: the columns that (26) allows become more,
    so that a least cost over them does not rise *)
Theorem larger_budget_for_weights_is_never_worse (T : finType) (s : nat) (k k' : R) (g F : T -> R)
    (least : R) :
  1 <= k -> k <= k' ->
  let allowed k (F : T -> R) := forall t, 1 / (1 + s%:R * k) <= F t <= k / (k + s%:R) in
  (forall F, allowed k' F -> \sum_t F t = 1 -> least <= \sum_t F t * g t) ->
  allowed k F -> \sum_t F t = 1 -> least <= \sum_t F t * g t.
Proof.
move=> k1 kk allowed best h whole; apply: best => // t; case/andP: (h t) => low high.
have k0 : 0 < k := lt_le_trans ltr01 k1; have k0' : 0 < k' := lt_le_trans k0 kk.
have n0 : 0 <= s%:R :> R by rewrite ler0n.
have pos x : 0 < x -> 0 < 1 + s%:R * x by move=> x0; rewrite ltr_paddr ?mulr_ge0 ?ltr01 // ltW.
have pos' x : 0 < x -> 0 < x + s%:R by move=> x0; rewrite ltr_paddr.
apply/andP; split.
  apply: le_trans low; rewrite !mul1r lef_pinv ?posrE ?pos // ler_add2l ler_wpmul2l //.
apply: le_trans high _; rewrite ler_pdivr_mulr ?pos' // mulrAC ler_pdivl_mulr ?pos' //.
rewrite !mulrDr [k' * k]mulrC ler_add2l [k * _]mulrC [k' * _]mulrC.
by rewrite ler_wpmul2l.
Qed.

(** [mixture.cheap_outputs_are_filled_first]: mass goes from the dearer output b to a *)
Theorem cheap_outputs_are_filled_first (T : finType) (g F : T -> R) (low high z : R) (a b : T) :
  a != b -> g a < g b -> F a < high -> low < F b ->
  0 < z -> z <= high - F a -> z <= F b - low -> (forall t, low <= F t <= high) ->
  let G t := F t + z * (t == a)%:R - z * (t == b)%:R in
  [/\ \sum_t G t = \sum_t F t, forall t, low <= G t <= high &
      \sum_t G t * g t = \sum_t F t * g t - z * (g b - g a) /\
      \sum_t G t * g t < \sum_t F t * g t].
Proof.
move=> ab gab up down z0 za zb inside G.
have one (c : T) (f : T -> R) : \sum_t (t == c)%:R * f t = f c.
  by under eq_bigr do rewrite eq_sym; exact: one_cell.
have cost : \sum_t G t * g t = \sum_t F t * g t - z * (g b - g a).
  transitivity (\sum_t (F t * g t + z * ((t == a)%:R * g t) - z * ((t == b)%:R * g t))).
    by apply: eq_bigr => t _; rewrite /G; ring.
  by rewrite sumrB big_split /= -!mulr_sumr !one; ring.
split.
- rewrite /G sumrB big_split /= -!mulr_sumr.
  have alone (c : T) : \sum_t (t == c)%:R = 1 :> R.
    by rewrite -[RHS](one c (fun=> 1)); apply: eq_bigr => t _; rewrite mulr1.
  by rewrite !alone; ring.
- move=> t; case/andP: (inside t) => lo hi; rewrite /G.
  have [ta|ta] := eqVneq t a.
    rewrite ta (negbTE ab) mulr1 mulr0 subr0 -ler_subr_addl za andbT.
    by rewrite -ta (le_trans lo) // ler_addl ltW.
  have [tb|tb] := eqVneq t b; last by rewrite !mulr0 addr0 subr0 lo hi.
  rewrite mulr0 mulr1 addr0 tb; apply/andP; split; first by rewrite ler_subr_addr -ler_subr_addl.
  by rewrite ler_subl_addr -tb (le_trans hi) // ler_addl ltW.
- by split=> //; rewrite cost gtr_addl oppr_lt0 mulr_gt0 // subr_gt0.
Qed.

(** [privacy.exponential_mechanism_reaches_the_square]: n candidates, weights r^s *)
Theorem exponential_mechanism_reaches_the_square (r c : R) (n : nat) :
  1 < r -> (0 < n)%N ->
  n%:R * r ^+ 2 / (r ^+ 2 + n%:R - 1) =
    r ^+ 2 - r ^+ 2 * (r ^+ 2 - 1) / (r ^+ 2 + n%:R - 1) /\
  (c < 1 -> c * (r ^+ 2 - 1) < n%:R * (1 - c) ->
     c * r ^+ 2 < n%:R * r ^+ 2 / (r ^+ 2 + n%:R - 1)).
Proof.
move=> r1 n0; have s1 : 1 < r ^+ 2 by rewrite exprn_egt1.
have s0 : 0 < r ^+ 2 := lt_trans ltr01 s1.
have d0 : 0 < r ^+ 2 + n%:R - 1.
  by rewrite addrAC addr_gt0 ?subr_gt0 // ltr0n.
split=> [|c1 large]; first by field; rewrite gt_eqF.
rewrite ltr_pdivl_mulr // mulrAC ltr_pmul2r //.
by apply: (@lt_by _ (n%:R * (1 - c) - c * (r ^+ 2 - 1))); [ring | rewrite subr_gt0].
Qed.

End Weights.

(** ** Binned counts with geometric noise *)

Section Bins.
Variable R : realFieldType.

(** [modes.two_sided_geometric_law_is_one]: partial sums, and those of both tails from n on *)
Theorem two_sided_geometric_law_is_one (k : R) : 1 < k ->
  let chance (n : int) : R := (k - 1) / (k + 1) * k ^- absz n in
  (forall N, \sum_(i < N) (chance i.+1 + chance (- i.+1%:Z)) + chance 0 =
     1 - (1 + 1) / (k + 1) * k ^- N) /\
  (forall n N, (0 < n)%N -> \sum_(i < N) (chance (n + i)%N + chance (- (n + i)%N%:Z)) =
     (1 + 1) * k ^- n / (1 + k^-1) - (1 + 1) * k ^- (n + N) / (1 + k^-1)).
Proof.
move=> k1 chance; have k0 : 0 < k := lt_trans ltr01 k1.
have p0 n : k ^+ n != 0 by rewrite expf_neq0 // gt_eqF.
have s0 : k + 1 != 0 by rewrite gt_eqF // addr_gt0 ?ltr01.
have even n : chance (- n%:Z) = chance n by rewrite /chance abszN.
have from n N : \sum_(i < N) (chance (n + i)%N + chance (- (n + i)%N%:Z)) =
     (1 + 1) * k / (k + 1) * (k ^- n - k ^- (n + N)).
  elim: N => [|N IH]; first by rewrite big_ord0 addn0 subrr mulr0.
  rewrite big_ord_recr /= IH even /chance absz_nat addnS exprS.
  by field; rewrite ?p0 ?s0 ?(gt_eqF k0).
split=> [N|n N n0].
  have -> : \sum_(i < N) (chance i.+1 + chance (- i.+1%:Z)) =
            \sum_(i < N) (chance (1 + i)%N + chance (- (1 + i)%N%:Z)) by [].
  rewrite from /chance absz0 add1n !exprS !expr0.
  by field; rewrite ?p0 ?s0 ?(gt_eqF k0).
by rewrite from; field; rewrite ?p0 ?s0 ?(gt_eqF k0).
Qed.

(** What answers and counts say with two-sided geometric noise of ratio k, up to a constant. *)
Definition noisy (k c : R) (d : nat) (x o : 'I_d -> int) : R :=
  \prod_i (c * k ^- absz (o i - x i)).

(** What records add, as integers. *)
Definition parts_of (X : Type) (d : nat) (w : X -> 'I_d -> nat) (D : seq X) (i : 'I_d) : int :=
  (\sum_(x <- D) w x i)%N%:Z.

Lemma noisy_ge0 (k c : R) d (x o : 'I_d -> int) : 0 < k -> 0 <= c -> 0 <= noisy k c x o.
Proof.
by move=> k0 c0; apply: prodr_ge0 => i _; rewrite mulr_ge0 // invr_ge0 exprn_ge0 // ltW.
Qed.

Lemma noisy_is_close (k c : R) d (x y o : 'I_d -> int) (S : nat) : 1 <= k -> 0 <= c ->
  (\sum_i absz (x i - y i) <= S)%N -> noisy k c x o <= k ^+ S * noisy k c y o.
Proof.
move=> k1 c0 h; have k0 : 0 < k := lt_le_trans ltr01 k1.
have := geometric_noise_hides_steps x y [:: o] k1 c0; rewrite !big_seq1 => /le_trans; apply.
by rewrite ler_wpmul2r ?noisy_ge0 // ler_weexpn2l.
Qed.

Lemma parts_move (X : Type) (d : nat) (w : X -> 'I_d -> nat) (W : nat) D D' :
  (forall x, \sum_i w x i = W)%N ->
  (replaced D D' -> (\sum_i absz (parts_of w D i - parts_of w D' i)%R <= 2 * W)%N) /\
  (removed D D' \/ removed D' D -> (\sum_i absz (parts_of w D i - parts_of w D' i)%R <= W)%N).
Proof.
move=> whole; rewrite /parts_of; split.
  case=> s [t [x [y [-> ->]]]]; rewrite mul2n -addnn -{1}(whole x) -(whole y) -big_split /=.
  by apply: leq_sum => i _; rewrite !big_cat !big_cons /=; lia.
by case=> -[s [t [x [-> ->]]]]; rewrite -(whole x); apply: leq_sum => i _;
   rewrite !big_cat !big_cons /=; lia.
Qed.

(** [modes.private_bins_hide_a_record]: what is made of the
    counts is a function with values in [0, 1], the probability of an event given them; K = e^ε. *)
Theorem private_bins_hide_a_record (X : Type) (d : nat) (w : X -> 'I_d -> nat) (W : nat)
    (k c K : R) (outcomes : seq ('I_d -> int)) (made : ('I_d -> int) -> R) D D' :
  1 <= k -> 0 <= c -> k ^+ (2 * W) <= K -> (forall x, \sum_i w x i = W)%N ->
  (forall o, 0 <= made o <= 1) -> replaced D D' ->
  \sum_(o <- outcomes) noisy k c (parts_of w D) o * made o <=
  K * \sum_(o <- outcomes) noisy k c (parts_of w D') o * made o.
Proof.
move=> k1 c0 kK whole m01 near; have k0 : 0 < k := lt_le_trans ltr01 k1.
rewrite mulr_sumr; apply: ler_sum => o _; case/andP: (m01 o) => m0 _.
rewrite mulrA ler_wpmul2r //; have [h _] := parts_move D D' whole.
by apply: le_trans (noisy_is_close o k1 c0 (h near)) _; rewrite ler_wpmul2r ?noisy_ge0.
Qed.

(** [modes.private_bins_hide_presence] *)
Theorem private_bins_hide_presence (X : Type) (d : nat) (w : X -> 'I_d -> nat) (W : nat)
    (k c K : R) (outcomes : seq ('I_d -> int)) (made : ('I_d -> int) -> R) D D' :
  1 <= k -> 0 <= c -> k ^+ W <= K -> (forall x, \sum_i w x i = W)%N ->
  (forall o, 0 <= made o <= 1) -> removed D D' \/ removed D' D ->
  \sum_(o <- outcomes) noisy k c (parts_of w D) o * made o <=
  K * \sum_(o <- outcomes) noisy k c (parts_of w D') o * made o.
Proof.
move=> k1 c0 kK whole m01 near; have k0 : 0 < k := lt_le_trans ltr01 k1.
rewrite mulr_sumr; apply: ler_sum => o _; case/andP: (m01 o) => m0 _.
rewrite mulrA ler_wpmul2r //; have [_ h] := parts_move D D' whole.
by apply: le_trans (noisy_is_close o k1 c0 (h near)) _; rewrite ler_wpmul2r ?noisy_ge0.
Qed.

(** ** A private box before the bins

    A box is found by Q questions, each for the number of records in a set that depends on the
    answers so far, answered with noise of ratio j; the bins depend on all answers. *)

Section Box.
Variable X : Type.
Variable question : seq int -> pred X.

Fixpoint answers_chance (j c : R) (D : seq X) (so_far : seq int) (answers : seq int) : R :=
  if answers is a :: rest then
    c * j ^- absz (a - (count (question so_far) D)%:Z) *
    answers_chance j c D (rcons so_far a) rest
  else 1.

Lemma answers_ge0 (j c : R) D so_far answers : 0 < j -> 0 <= c ->
  0 <= answers_chance j c D so_far answers.
Proof.
move=> j0 c0; elim: answers so_far => [|a rest IH] so_far /=; first exact: ler01.
by rewrite mulr_ge0 // mulr_ge0 // invr_ge0 exprn_ge0 // ltW.
Qed.

Lemma count_moves (P : pred X) D D' : replaced D D' \/ removed D D' \/ removed D' D ->
  (absz ((count P D)%:Z - (count P D')%:Z) <= 1)%N.
Proof.
case=> [[s [t [x [y [-> ->]]]]]|[[s [t [x [-> ->]]]]|[s [t [x [-> ->]]]]]]; rewrite !count_cat /=.
- by case: (P x); case: (P y); lia.
- by case: (P x); lia.
- by case: (P x); lia.
Qed.

Lemma answers_are_close (j c : R) D D' so_far answers : 1 <= j -> 0 <= c ->
  replaced D D' \/ removed D D' \/ removed D' D ->
  answers_chance j c D so_far answers <= j ^+ size answers * answers_chance j c D' so_far answers.
Proof.
move=> j1 c0 near; have j0 : 0 < j := lt_le_trans ltr01 j1.
elim: answers so_far => [|a rest IH] so_far /=; first by rewrite expr0 mulr1.
rewrite exprS; apply: (@le_trans _ _ ((j * (c * j ^- absz (a - (count (question so_far) D')%:Z))) *
   (j ^+ size rest * answers_chance j c D' (rcons so_far a) rest))); last first.
  by rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
apply: ler_pmul => //; rewrite ?answers_ge0 //.
  by rewrite mulr_ge0 // invr_ge0 exprn_ge0 // ltW.
rewrite mulrCA ler_wpmul2l // -ler_pdivr_mull //.
rewrite -invfM -exprS lef_pinv ?posrE ?exprn_gt0 // ler_weexpn2l //.
by have := count_moves (question so_far) near; lia.
Qed.

(** All answers, and then the counts in the box that they give. *)
Definition boxed_chance (d : nat) (w : seq int -> X -> 'I_d -> nat) (j c k c' : R) (D : seq X)
    (o : seq int * ('I_d -> int)) : R :=
  answers_chance j c D [::] o.1 * noisy k c' (parts_of (w o.1) D) o.2.

(** [modes.private_box_and_bins_hide_a_record], [modes.private_box_and_bins_hide_presence] *)
Theorem private_box_and_bins (d : nat) (w : seq int -> X -> 'I_d -> nat) (W S Q : nat)
    (j c k c' K : R) (outcomes : seq (seq int * ('I_d -> int)))
    (made : seq int * ('I_d -> int) -> R) D D' :
  1 <= j -> 0 <= c -> 1 <= k -> 0 <= c' -> j ^+ Q * k ^+ S <= K ->
  (forall a x, \sum_i w a x i = W)%N -> (forall o, o \in map fst outcomes -> size o = Q) ->
  (forall o, 0 <= made o <= 1) ->
  (replaced D D' /\ S = (2 * W)%N) \/ ((removed D D' \/ removed D' D) /\ S = W) ->
  \sum_(o <- outcomes) boxed_chance w j c k c' D o * made o <=
  K * \sum_(o <- outcomes) boxed_chance w j c k c' D' o * made o.
Proof.
move=> j1 c0 k1 c0' jkK whole asked m01 near.
have j0 : 0 < j := lt_le_trans ltr01 j1; have k0 : 0 < k := lt_le_trans ltr01 k1.
have either : replaced D D' \/ removed D D' \/ removed D' D by case: near => -[h _]; auto.
elim: outcomes asked => [|o rest IH] asked.
  by rewrite !big_nil mulr0.
rewrite !big_cons mulrDr ler_add //; last first.
  by apply: IH => a h; apply: asked; rewrite /= inE h orbT.
have size_o : size o.1 = Q by apply: asked; rewrite /= inE eqxx.
case/andP: (m01 o) => m0 _; rewrite mulrA ler_wpmul2r // /boxed_chance.
have bins : noisy k c' (parts_of (w o.1) D) o.2 <= k ^+ S * noisy k c' (parts_of (w o.1) D') o.2.
  apply: noisy_is_close => //; have [h h'] := parts_move D D' (whole o.1).
  by case: near => -[n ->]; auto.
have box := answers_are_close [::] o.1 j1 c0 either; rewrite size_o in box.
apply: le_trans (ler_pmul _ _ box bins) _; rewrite ?answers_ge0 ?noisy_ge0 //.
rewrite mulrACA ler_wpmul2r // mulr_ge0 ?answers_ge0 ?noisy_ge0 //.
Qed.

End Box.
End Bins.
